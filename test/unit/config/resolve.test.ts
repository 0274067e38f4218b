import { expect, test } from "vitest";
import { readOverrides } from "../../../src/config/override.ts";
import { resolveSettings, visible } from "../../../src/config/resolve.ts";
import { load, settle } from "./homes-fixture.ts";

const file = (name: string, head: string, body = "") => `---\nname: ${name}\n${head}---\n${body}`;

const LAYERS = {
  "config/features/f.yaml": "tools: {max_steps: 1, token_budget: 1, opt_in: [G], policy: {confirm: [Bash], deny: [Z]}}",
  "config/agents/a.md": file(
    "Coder",
    "mode: Edit\nmodel: {provider: openai, name: m, think: true, generation: {max_output_tokens: 5, top_p: 0.5}}\ntools: {enabled: ['*'], disabled: [X], policy: {confirm: [Write, Bash], auto: [Read]}}\nfeatures: {tools: {max_steps: 2}}\n",
    "agent body",
  ),
  "config/agents/b.md": file("hidden", "hide: true\n"),
  "config/modes/m.md": file(
    "Edit",
    "tools: {disabled: [Y], policy: {deny: [A]}}\nfeatures: {tools: {max_steps: 3}}\n",
    "mode body",
  ),
  "config/tasks/t.yaml":
    "nightly: {agent: coder, mode: edit, commands: [go], tools: {enabled: [Bash]}, features: {tools: {max_steps: 4}}}",
};

test("features: files, agent, mode, task, flags, overrides; the later wins", async () => {
  const config = await load(LAYERS);
  const { overrides } = await readOverrides(["features.tools.max_steps=6"]);
  const steps = [
    settle(config, { mode: "" }),
    settle(config),
    settle(config, { task: "nightly" }),
    settle(config, { task: "nightly", maxSteps: 5 }),
    settle(config, { task: "nightly", maxSteps: 5, overrides }),
  ].map(({ limits }) => limits.maxSteps);
  expect(steps).toEqual([2, 3, 4, 5, 6]);
});

test("each stage of the tool filter keeps its own lists and its name", async () => {
  const config = await load(LAYERS);
  const { layers } = settle(config, { task: "nightly", excludeTools: ["Q"] }).tools;
  const plain = layers.map(({ layer, name, enabled, disabled }) => [
    layer,
    name,
    enabled.map(({ value }) => value),
    disabled.map(({ value }) => value),
  ]);
  expect(plain).toEqual([
    ["global", undefined, [], ["Q"]],
    ["agent", "Coder", ["*"], ["X"]],
    ["mode", "Edit", [], ["Y"]],
    ["task", "nightly", ["Bash"], []],
  ]);
});

test("policies add up, sorted, each with its place; the first to say it is named", async () => {
  const config = await load(LAYERS);
  const { policy } = settle(config);
  const plain = (rules: typeof policy.auto) => rules.map(({ pattern, from, line }) => `${pattern} ${from} ${line}`);
  expect([plain(policy.auto), plain(policy.confirm), plain(policy.deny)]).toEqual([
    ["Read agent 5"],
    ["Bash features 1", "Write agent 5"],
    ["A mode 3", "Z features 1"],
  ]);
});

test("the model comes from the agent, then from flags, then from overrides", async () => {
  const config = await load(LAYERS);
  expect(settle(config).model).toEqual({
    provider: "openai",
    name: "m",
    think: "on",
    generation: { maxOutputTokens: 5, topP: 0.5 },
  });
  const { overrides } = await readOverrides(["model.generation.temperature=0", "model.think=high"]);
  expect(settle(config, { model: "n", think: "low", overrides }).model).toEqual({
    provider: "openai",
    name: "n",
    think: "high",
    generation: { maxOutputTokens: 5, topP: 0.5, temperature: 0 },
  });
});

test("the default agent is the marked one, else the first visible by name", async () => {
  const agents = { "config/agents/a.md": file("zed", ""), "config/agents/b.md": file("alf", "hide: true\n") };
  expect(settle(await load(agents)).agent.name).toBe("zed");
  const marked = { ...agents, "config/agents/c.md": file("dee", "default: true\nhide: true\n") };
  const config = await load(marked);
  expect(settle(config).agent.name).toBe("dee");
  expect(visible(config.agents).map(({ name }) => name)).toEqual(["zed"]);
});

test("only hidden agents and no default is said", async () => {
  const config = await load({ "config/agents/b.md": file("b", "hide: true\n") });
  expect(resolveSettings(config, {})).toEqual({
    ok: false,
    message: "there is no agent to start with: all are hidden, none is the default",
  });
});

test.each([
  [{ agent: "codr" }, 'there is no agent "codr" (did you mean "Coder"?)'],
  [{ mode: "elsewhere" }, 'there is no mode "elsewhere" (known: Edit)'],
  [{ system: "x" }, 'there is no prompt "x" (known: none)'],
  [{ task: "nigthly" }, 'there is no task "nigthly" (did you mean "nightly"?)'],
])("%j is refused", async (choices, message) => {
  expect(resolveSettings(await load(LAYERS), choices)).toEqual({ ok: false, message });
});

test("settings cannot be changed", async () => {
  const settings = settle(await load(LAYERS));
  expect(() => {
    (settings.features.tools as { max_steps: number }).max_steps = 99;
  }).toThrow(TypeError);
  expect(settle(await load(LAYERS)).features.tools.max_steps).toBe(3);
});

test("the prompt parts are those of agent and mode", async () => {
  const { prompt } = settle(await load(LAYERS));
  expect([prompt.agent.body, prompt.mode?.body, prompt.system]).toEqual(["agent body", "mode body", undefined]);
});
