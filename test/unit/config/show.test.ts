import { join } from "node:path";
import { expect, test } from "vitest";
import { expandVariables } from "../../../src/config/expand.ts";
import { providerSettings } from "../../../src/config/provider-settings.ts";
import { showEntities, showResolved, summarize } from "../../../src/config/show.ts";
import { load, settle } from "./homes-fixture.ts";

const FILES = {
  "config/agents/a.md":
    "---\nname: Coder\ndescription: codes\nmodel: {provider: or, name: m}\ntools: {enabled: [Read, Bash]}\n---\nbody",
  "config/agents/b.md": "---\nname: Asker\n---\n",
  "config/providers/p.yaml":
    "or:\n  type: openrouter\n  token: sk-secret\nother-one:\n  type: openai\n  token: $OPENAI_API_KEY\n  timeout: 3m\n",
  "config/mcp/m.yaml": "x: {type: http, url: u, headers: {Authorization: Bearer abc, Accept: json}}",
  "config/rules/r.yaml": "tool_auto: [Read]",
  "config/features/f.yaml": "title: {max_length: 7}",
};

test("entities are listed by name with the file they come from", async () => {
  const config = await load(FILES);
  const home = config.homes.projects[0]!;
  expect(showEntities(config, "agents")).toEqual([
    {
      kind: "agents",
      name: "Asker",
      description: "",
      from: join(home, "config/agents/b.md"),
      line: 2,
      value: { name: "Asker" },
    },
    {
      kind: "agents",
      name: "Coder",
      description: "codes",
      from: join(home, "config/agents/a.md"),
      line: 2,
      value: {
        name: "Coder",
        description: "codes",
        model: { provider: "or", name: "m" },
        tools: { enabled: ["Read", "Bash"] },
      },
      body: "body",
    },
  ]);
});

test.each([
  [["model.provider=or"], ["Coder"]],
  [["tools.enabled=bash"], ["Coder"]],
  [["description=COD"], ["Coder"]],
  [["name=er", "model.name=m"], ["Coder"]],
  [["model.name=zz"], []],
  [["nonsense"], []],
])("filters %j leave %j", async (filters, expected) => {
  const shown = showEntities(await load(FILES), "agents", { filters });
  expect(shown.map(({ name }) => name)).toEqual(expected);
});

test("a name is found without regard to case", async () => {
  expect(showEntities(await load(FILES), "agents", { name: "CODER" })).toHaveLength(1);
});

test("secrets are masked, names of variables are not", async () => {
  const config = await load(FILES);
  const tokens = showEntities(config, "providers").map(({ value }) => value["token"]);
  expect(tokens).toEqual(["********", "$OPENAI_API_KEY"]);
  expect(showEntities(config, "mcp")[0]!.value["headers"]).toEqual({ Authorization: "********", Accept: "json" });
});

test("features show every section with its defaults and who changed it", async () => {
  const config = await load(FILES);
  const [title] = showEntities(config, "features", { name: "title" });
  expect(title).toEqual({
    kind: "features",
    name: "title",
    description: "",
    from: join(config.homes.projects[0]!, "config/features/f.yaml"),
    value: { disabled: false, agent: "", prompt: "", max_length: 7 },
  });
  expect(showEntities(config, "rules").map(({ name, description }) => [name, description])).toEqual([
    ["Read", "runs without asking (project)"],
  ]);
});

test("the built-in agent says that it is built in", async () => {
  expect(showEntities(await load({}), "agents").map(({ name, from }) => [name, from])).toEqual([["aura", "built in"]]);
});

test("the summary and the resolved settings name files", async () => {
  const config = await load(FILES);
  const settings = settle(config, { agent: "coder" });
  const file = join(config.homes.projects[0]!, "config/agents/a.md");
  expect(Object.fromEntries(summarize(config, settings, "off"))).toMatchObject({
    agent: `Coder (${file})`,
    provider: "or",
    mode: "none",
  });
  expect(await showResolved(settings)).toContain(`file: ${file}`);
});

test("a provider's token comes from the file, from its variable, or not at all", async () => {
  const config = await load(FILES);
  const tokenOf = (name: string, env: Record<string, string>) => providerSettings(config, name, env)?.token;
  expect([
    tokenOf("OR", {}),
    tokenOf("other-one", { OPENAI_API_KEY: "k" }),
    tokenOf("other-one", { AURA_PROVIDERS_OTHER_ONE_TOKEN: "a" }),
    tokenOf("other-one", {}),
    tokenOf("nobody", {}),
  ]).toEqual(["sk-secret", "k", "a", undefined, undefined]);
  expect(providerSettings(config, "other-one", {})).toMatchObject({
    type: "openai",
    timeoutMs: 180_000,
    retry: { maxAttempts: 0, baseDelayMs: 1000, maxDelayMs: 30_000 },
  });
});

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell variable is meant
  ["$A/${B}x", "1/2x"],
  ["$NONE|", "|"],
  ["cost $5 $", "cost $5 $"],
])("%j expands to %j", (text, expected) => {
  expect(expandVariables(text, { A: "1", B: "2" })).toBe(expected);
});
