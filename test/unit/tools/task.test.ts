import { expect, test } from "vitest";
import { createTask, type TaskEnding } from "../../../src/tools/task.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const agents = [
  { name: "Explorer", description: "Reads code" },
  { name: "Writer", description: "" },
];
const ended: TaskEnding = { text: "Found it.", calls: { Glob: 2, Read: 3, Bash: 2 } };
const wish = { description: "look", prompt: "Look for it." };

function tool(ending: TaskEnding = ended) {
  const asked: unknown[] = [];
  const task = createTask({
    agents,
    async run(wanted, { callId }) {
      asked.push({ ...wanted, callId });
      return ending;
    },
  });
  return { asked, task, run: (input: object) => memoryProject().run(task, input) };
}

test("the description lists the agents in the order given", () => {
  expect(tool().task.description).toMatch(/Available agents:\n- Explorer: Reads code\n- Writer$/);
});

test("a report counts the calls by tool, the most first, and names the agent as it was asked for", async () => {
  const { asked, run } = tool();
  expect(await run({ ...wish, agent: "explorer" })).toBe(
    '[Subagent "explorer" completed in 7 tool calls (Read x3, Bash x2, Glob x2)]\n\nFound it.',
  );
  expect(asked).toEqual([{ ...wish, agent: "explorer", callId: "call-1" }]);
});

test("without an agent it is the default, without calls there is no list", async () => {
  const { asked, run } = tool({ text: "Hm.", calls: {} });
  expect(await run(wish)).toBe('[Subagent "default" completed in 0 tool calls]\n\nHm.');
  expect(asked).toMatchObject([{ agent: undefined }]);
});

test("what a child could not finish carries a note", async () => {
  const head = '[Subagent "default" completed in 0 tool calls]\n\n';
  expect(await tool({ text: "Half.", calls: {}, exhaustedAfter: 25 }).run(wish)).toBe(
    `${head}Half.\n\n[budget exhausted after 25 steps]`,
  );
  expect(await tool({ text: "", calls: {}, exhaustedAfter: 25 }).run(wish)).toBe(
    `${head}[budget exhausted after 25 steps]`,
  );
  expect(await tool({ text: "Half.", calls: {}, error: "lost" }).run(wish)).toBe(`${head}Half.\n\n[interrupted: lost]`);
  await expect(tool({ text: "", calls: {}, error: "lost" }).run(wish)).rejects.toThrow("subagent: lost");
});

test("an unknown agent and an empty prompt are refused before anything runs", async () => {
  const { asked, run } = tool();
  await expect(run({ ...wish, agent: "nobody" })).rejects.toThrow(
    'unknown agent "nobody", available: Explorer, Writer',
  );
  await expect(run({ ...wish, prompt: " " })).rejects.toThrow("prompt is required");
  expect(asked).toEqual([]);
});
