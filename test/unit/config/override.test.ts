import { expect, test } from "vitest";
import { readOverrides } from "../../../src/config/override.ts";

const overridesOf = async (...flags: string[]) => (await readOverrides(flags)).overrides.value;
const problemOf = async (flag: string) => (await readOverrides([flag])).problems.map(({ message }) => message);

test.each([
  ["features.tools.max_steps=5", { features: { tools: { max_steps: 5 } } }],
  ["features.tools.max_steps=0", { features: { tools: { max_steps: 0 } } }],
  ["features.tools.parallel=false", { features: { tools: { parallel: false } } }],
  ["features.tool_execution.parallel=false", { features: { tools: { parallel: false } } }],
  ["features.bash.timeout=5m", { features: { tools: { bash: { timeout: 300_000 } } } }],
  ["features.tools.disabled=[Bash, 'mcp__*']", { features: { tools: { disabled: ["Bash", "mcp__*"] } } }],
  [
    "features.tools.bash.rewrite=rtk {{ .Command }}",
    { features: { tools: { bash: { rewrite: "rtk {{ .Command }}" } } } },
  ],
  ["features.tools.bash.timeout=5m", { features: { tools: { bash: { timeout: 300_000 } } } }],
  ["features.title.agent=", { features: { title: { agent: "" } } }],
  ["features.title.prompt=a: b # c", { features: { title: { prompt: "a: b # c" } } }],
  ["features.tools.read_before={write: false}", { features: { tools: { read_before: { write: false } } } }],
  ["model.name=gpt-oss:20b", { model: { name: "gpt-oss:20b" } }],
  ["model.name=a=b", { model: { name: "a=b" } }],
  ["model.think=false", { model: { think: "off" } }],
])("%s", async (flag, expected) => {
  expect(await overridesOf(flag)).toEqual(expected);
});

test("several add up and the last of a path wins", async () => {
  expect(await overridesOf("model.name=a", "model.think=low", "model.name=b")).toEqual({
    model: { name: "b", think: "low" },
  });
});

test.each([
  ["features.tools.max_step=5", ['unknown key "max_step" in features.tools (did you mean "max_steps"?)']],
  ["features.tols.max_steps=5", ['unknown key "tols" in features (did you mean "tools"?)']],
  ["tools.max_steps=5", ['a path begins with features. or model. (did you mean "features.…"?)']],
  ["features.tools.max_steps=many", ['features.tools.max_steps: expected a number, found "many"']],
  ["features.tools.max_steps", ["expected path=value"]],
  ["=5", ["the path before = is empty"]],
])("%s is refused", async (flag, expected) => {
  expect(await problemOf(flag)).toEqual(expected);
});
