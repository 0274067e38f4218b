import { expect, test } from "vitest";
import { load, problemsOf, settle } from "./homes-fixture.ts";

const file = (name: string, head: string, body = "") => `---\nname: ${name}\n${head}---\n${body}`;

test("absent inherits, present replaces, structures merge, the child comes last", async () => {
  const config = await load({
    "config/agents/base.md": file(
      "Base",
      "default: true\ndescription: base\nmodel: {provider: ollama, name: m, think: low}\ntools: {disabled: ['*'], enabled: [A]}\nhide: true\n",
      "base body",
    ),
    "config/agents/second.md": file("Second", "description: second\n"),
    "config/agents/high.md": file(
      "High",
      "inherit: [base, Second]\nmodel: {think: high}\ntools: {disabled: []}\nhide: false\n",
    ),
  });
  expect(config.problems).toEqual([]);
  expect(config.agents.get("high")!.value).toEqual({
    name: "High",
    description: "second",
    inherit: ["base", "Second"],
    model: { provider: "ollama", name: "m", think: "high" },
    tools: { disabled: [], enabled: ["A"] },
    hide: false,
  });
  expect(config.agents.get("high")!.body).toBe("base body");
});

test("a zero inherits, except where zero is a value", async () => {
  const config = await load({
    "config/agents/a.md": file(
      "a",
      "description: d\nmodel: {context: 100, generation: {temperature: 0.5}}\nfeatures: {tools: {max_steps: 9, token_budget: 8}}\n",
    ),
    "config/agents/b.md": file(
      "b",
      "inherit: [a]\ndescription: ''\nmodel: {context: 0, generation: {temperature: 0}}\nfeatures: {tools: {max_steps: 0, token_budget: 0}}\n",
    ),
  });
  expect(settle(config, { agent: "b" })).toMatchObject({
    agent: { description: "d" },
    model: { context: 100, generation: { temperature: 0 } },
    limits: { maxSteps: 9, tokenBudget: 0 },
  });
});

test("the body comes from the nearest ancestor that has one", async () => {
  const config = await load({
    "config/modes/1.md": file("one", "", "from one"),
    "config/modes/2.md": file("two", "inherit: [one]\n"),
    "config/modes/3.md": file("three", "inherit: [two]\n"),
  });
  expect(config.modes.get("three")!.body).toBe("from one");
});

test("prompts join the bodies of the chain, each once", async () => {
  const config = await load({
    "config/prompts/1.md": file("base", "", "BASE\n"),
    "config/prompts/2.md": file("left", "inherit: [base]\n", "LEFT"),
    "config/prompts/3.md": file("right", "inherit: [base]\n", "RIGHT"),
    "config/prompts/4.md": file("both", "inherit: [left, right]\n", "OWN"),
  });
  expect(config.prompts.get("both")!.body).toBe("BASE\n\nLEFT\n\nRIGHT\n\nOWN");
});

test("a cycle is reported once, with its members, wherever it is entered", async () => {
  const config = await load({
    "config/hooks/h.yaml":
      "c: {event: pre, command: x, inherit: [a]}\na: {event: pre, command: x, inherit: [b]}\nb: {event: pre, command: x, inherit: [a]}\n",
  });
  expect(problemsOf(config)).toEqual(["config/hooks/h.yaml:2: a: inheritance cycle: a -> b -> a"]);
});

test("what a parent says still names the parent's file", async () => {
  const config = await load({
    "config/agents/a.md": file("a", "tools:\n  policy:\n    deny: [Bash]\n"),
    "config/agents/b.md": file("b", "inherit: [a]\n"),
  });
  const [rule] = settle(config, { agent: "b" }).policy.deny;
  expect(rule).toEqual({ pattern: "Bash", from: "agent", file: config.agents.get("a")!.file, line: 5 });
});
