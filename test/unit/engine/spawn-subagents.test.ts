import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../../src/engine/engine.ts";
import { openEngine } from "../../../src/engine/open-conversation.ts";
import { runChild } from "../../../src/engine/run-child.ts";
import { NO_SUBAGENTS, spawnInstructions, spawnSubagents } from "../../../src/engine/spawn-subagents.ts";
import type { StreamPart } from "../../../src/providers/provider.ts";

const NEVER = new AbortController().signal;
const call = { callId: "c1", signal: NEVER };

let root: string;
let engine: Engine | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "aura-spawn-")));
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  rmSync(root, { recursive: true, force: true });
});

/** An engine whose model answers by what it was told last. */
async function open(
  agents: Readonly<Record<string, string>>,
  answer: (prompt: string, signal: AbortSignal) => AsyncIterable<StreamPart>,
): Promise<Engine> {
  for (const [name, head] of Object.entries(agents)) {
    const file = join(root, ".aura/config/agents", `${name}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `---\nname: ${name}\n${head}\n---\nI am ${name}.`);
  }
  const ready = await openEngine({
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: root },
    home: "",
    shipped: root,
    noop: true,
    trust: true,
  });
  if (ready.kind === "refused") throw new Error(ready.problem);
  engine = ready.engine;
  engine.model = {
    model: "fake",
    provider: {
      name: "fake",
      models: async () => [],
      async *stream({ messages, signal }) {
        const said = messages[0]!.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
        yield* answer(said.join(""), signal);
      },
    },
  };
  return engine;
}

async function* says(text: string): AsyncGenerator<StreamPart> {
  yield { type: "part", part: { type: "text", text } };
  yield { type: "finished", reason: "stop", usage: { input: 10, output: 2 } };
}

async function* waits(signal: AbortSignal): AsyncGenerator<StreamPart> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
  yield { type: "failed", failure: { kind: "cancelled", message: "cancelled", retryable: false } };
}

const AGENTS = {
  Main: "default: true",
  Explorer: "description: Reads\nsubagent: true",
  Hidden: "hide: true\nsubagent: true",
};

test("results stand in the order of the tasks, each with its own error, and are counted", async () => {
  const host = await open(AGENTS, (prompt) =>
    prompt.startsWith("json")
      ? says('Here:\n```json\n{"summary": "s", "artifacts": []}\n```')
      : says(`done: ${prompt.length > 0}`),
  );
  const spawned = await spawnSubagents(
    host,
    [
      { agentName: "explorer", prompt: "one" },
      { agentName: "Main", prompt: "not invocable" },
      { agent_name: "Hidden", prompt: "json" },
      { prompt: "nobody" },
      { agentName: "Explorer", prompt: "" },
    ],
    call,
  );
  const error = (taskId: string, agentName: string, words: string) => ({
    taskId,
    agentName,
    status: "error",
    output: null,
    error: words,
  });
  expect(spawned).toEqual({
    results: [
      { taskId: "task_0", agentName: "Explorer", status: "success", output: "done: true", error: null },
      error("task_1", "Main", 'unknown sub-agent "Main", available: Explorer, Hidden'),
      {
        taskId: "task_2",
        agentName: "Hidden",
        status: "success",
        output: 'Here:\n```json\n{"summary": "s", "artifacts": []}\n```',
        error: null,
        handoff: { summary: "s", artifacts: [] },
      },
      error("task_3", "", 'unknown sub-agent "", available: Explorer, Hidden'),
      error("task_4", "Explorer", "prompt is required"),
    ],
    successCount: 2,
    errorCount: 3,
  });
  expect(host.children.all.map(({ messages }) => messages[0]?.parts)).toMatchObject([
    [{ type: "text", text: expect.stringMatching(/^one\n\n.*"summary"/s) }],
    [{ type: "text" }],
  ]);
  expect(host.totals).toMatchObject({ input: 20, output: 4 });
});

test("without agents a call with tasks fails for good, and one without tasks is answered", async () => {
  const host = await open({ Main: "default: true" }, () => says("x"));
  await expect(spawnSubagents(host, [{ agentName: "Main", prompt: "x" }], call)).rejects.toThrow(NO_SUBAGENTS);
  expect(NO_SUBAGENTS).toContain("Do not retry");
  expect(await spawnSubagents(host, [], call)).toEqual({ results: [], successCount: 0, errorCount: 0 });
  expect(spawnInstructions(host)).toBe("No sub-agents are configured.");
});

test("the instructions name who can be spawned", async () => {
  const host = await open(AGENTS, () => says("x"));
  expect(spawnInstructions(host)).toBe("Available sub-agents:\n- Explorer: Reads\n- Hidden");
});

test("a task that is cancelled, crashes or runs out of time still says which it was, and its siblings keep theirs", async () => {
  const stop = new AbortController();
  const host = await open(AGENTS, (prompt, signal) => {
    if (prompt.startsWith("crash")) throw new Error("a bug of ours");
    if (prompt.startsWith("quick")) return says("ready");
    queueMicrotask(() => stop.abort());
    return waits(signal);
  });
  const { results } = await spawnSubagents(
    host,
    ["quick", "crash", "wait"].map((prompt) => ({ agentName: "Explorer", prompt })),
    { callId: "c1", signal: stop.signal },
  );
  expect(results.map(({ taskId, agentName }) => [taskId, agentName])).toEqual([
    ["task_0", "Explorer"],
    ["task_1", "Explorer"],
    ["task_2", "Explorer"],
  ]);
  expect(results[2]).toMatchObject({ status: "error", error: "Agent cancelled (cancelled)" });
  expect(results[1]).toMatchObject({ status: "error" });
  expect(host.children.all.every(({ status }) => status !== "running")).toBe(true);

  const late = await runChild(host, {
    agent: "explorer",
    prompt: "wait",
    description: "",
    callId: "c2",
    signal: AbortSignal.timeout(1),
  });
  expect(late).toMatchObject({ name: "Explorer", kind: "cancelled", error: "timed out", id: expect.any(String) });
});

test("an agent that does not exist is an ending like any other", async () => {
  const host = await open(AGENTS, () => says("x"));
  expect(
    await runChild(host, { agent: "Explorrer", prompt: "x", description: "", callId: "c1", signal: NEVER }),
  ).toMatchObject({
    name: "Explorrer",
    kind: "interrupted",
    error: expect.stringContaining('did you mean "Explorer"'),
  });
});

test("more tasks than may work at once wait for their turn", async () => {
  let working = 0;
  let most = 0;
  const host = await open(AGENTS, async function* () {
    most = Math.max(most, ++working);
    await new Promise((resolve) => setImmediate(resolve));
    working--;
    yield* says("ok");
  });
  const tasks = Array.from({ length: 20 }, (_, at) => ({ agentName: "Explorer", prompt: `${at}` }));
  expect(await spawnSubagents(host, tasks, call)).toMatchObject({ successCount: 20, errorCount: 0 });
  expect(most).toBeLessThanOrEqual(8);
  expect(most).toBeGreaterThan(1);
});
