// What was shown is never lost: the product is killed at random moments, as by a power cut, and asked to go on.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Message, Part } from "../../src/protocol/message.ts";
import { readSession, type SavedSession } from "../../src/sessions/read-session.ts";
import { killAfterLines, rounds, seeded } from "../helpers/kill-at-random.ts";
import { isRunning, until } from "../helpers/processes.ts";
import { sessionFile } from "../helpers/scenario-run.ts";
import { AURA, createMachine, jsonLines, type Machine, NODE } from "../product/aura.ts";

const ROUNDS = rounds(25);
const SEED = Number(process.env["AURA_SEED"] ?? 20_260_101);
/** Lines a round lasts at most: some three turns of the loop below. */
const MOST_LINES = 260;

const CONTENTS = ["one\n".repeat(5_000), "two\n".repeat(5_000)];
const TURNS = [
  {
    thinking: "First I think about it, in several pieces.",
    text: "Then I say – with an ü – what I am going to do.",
    calls: [
      {
        tool: "Bash",
        input: {
          command:
            "echo $$ >> pids; (echo $BASHPID >> pids; exec sleep 600) & for n in 1 2 3 4; do echo line $n; sleep 0.03; done",
        },
      },
    ],
    chunk: 4,
    delay_ms: 1,
  },
  { calls: [{ tool: "Write", input: { path: "big.txt", content: CONTENTS[0] } }] },
  { text: "Now the other way round.", chunk: 3, delay_ms: 1, calls: [{ tool: "Ls", input: {} }] },
  {
    calls: [
      { tool: "Write", input: { path: "big.txt", content: CONTENTS[1] } },
      { tool: "TodoCreate", input: { items: [{ content: "a" }, { content: "b" }] } },
      { tool: "Read", input: { path: "nowhere" } },
    ],
  },
];

let machine: Machine;
beforeAll(() => {
  machine = createMachine();
});
afterAll(() => machine.remove());

test(
  `all that was shown before a SIGKILL is there again, ${ROUNDS} times`,
  async () => {
    const random = seeded(SEED);
    const flags = ["--max-steps", "1000", "-O", "features.tools.read_before.write=false"];
    const args = [...flags, ...machine.script(TURNS, { loop: true }), "run", "--output-format", "stream-json", "go"];
    const goOn = machine.script([{ expect: { contains: ["go"] }, text: "Went on." }]);
    for (let round = 1; round <= ROUNDS; round++) {
      const afterLines = 1 + Math.floor(random() * MOST_LINES);
      const what = `round ${round}, seed ${SEED}, killed after ${afterLines} lines`;
      machine.put({ pids: "" });
      const { lines, stderr, killed } = await killAfterLines({
        command: NODE,
        args: [AURA, ...args],
        cwd: machine.project,
        env: machine.env,
        afterLines,
      });
      expect({ killed, stderr }, what).toEqual({ killed: true, stderr: "" });
      const shown = jsonLines(lines.join("\n"));
      const saved = await readSavedOf(shown);
      if (saved) expectAllOf(shown, saved, what);
      await until(() => startedProcesses().every((pid) => !isRunning(pid)), `${what}: no process is left`);
      expectWholeFile(what);
      if (!saved) continue;
      const next = await machine.run([...goOn, "--continue", "run", "--output-format", "json", "and now?"]);
      expect({ ...next, stdout: jsonLines(next.stdout) }, what).toMatchObject({
        code: 0,
        stderr: "",
        stdout: [{ result: "Went on.", session_id: saved.id }],
      });
    }
  },
  60_000 + ROUNDS * 5_000,
);

/** Before the first message was shown there is nothing to be saved. */
async function readSavedOf(shown: readonly Shown[]): Promise<SavedSession | undefined> {
  const [init] = shown;
  return shown.some(({ type }) => type === "user") ? readSession(sessionFile(machine, init!.session_id)) : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: lines of many shapes
type Shown = any;

function expectAllOf(shown: readonly Shown[], saved: SavedSession, what: string): void {
  expect(saved.warnings, what).toEqual([]);
  const messages = new Map(saved.messages.map((message) => [message.id, message]));
  const calls = new Map(saved.calls.map((call) => [call.id, call]));
  const streamed = new Map<string, { text: string; thinking: string }>();
  for (const line of shown)
    switch (line.type) {
      case "stream_event": {
        const reply = streamed.get(line.message_id) ?? { text: "", thinking: "" };
        streamed.set(line.message_id, reply);
        reply.text += line.event.text ?? "";
        reply.thinking += line.event.thinking ?? "";
        break;
      }
      case "user":
      case "assistant":
        expect(partsOf(messages.get(line.message.id)), `${what}: ${JSON.stringify(line)}`).toEqual(
          line.message.content,
        );
        break;
      case "tool_call": {
        const call = calls.get(line.id);
        expect(call?.input, `${what}: ${JSON.stringify(line)}`).toEqual(line.input);
        if (line.status === "done") expect(call, what).toMatchObject({ status: "done", output: { text: line.output } });
        if (line.status === "failed") expect(call, what).toMatchObject({ status: "failed", failure: line.failure });
        break;
      }
    }
  for (const [id, reply] of streamed)
    for (const kind of ["text", "thinking"] as const) {
      const whole =
        messages
          .get(id)
          ?.parts.map((part) => (part.type === kind ? part.text : ""))
          .join("") ?? "";
      expect(whole.slice(0, reply[kind].length), `${what}: ${kind} of ${id}`).toBe(reply[kind]);
    }
}

/** As stream-json writes them. */
function partsOf(message: Message | undefined) {
  return message?.parts.map((part: Part) => {
    switch (part.type) {
      case "text":
        return { type: "text", text: part.text };
      case "thinking":
        return { type: "thinking", thinking: part.text };
      case "tool-call":
        return { type: "tool_use", id: part.callId, name: part.tool, input: part.input };
      case "tool-result":
        return { type: "tool_result", tool_use_id: part.callId, content: part.text, is_error: part.failed };
      default:
        throw new Error(`no ${part.type} was expected`);
    }
  });
}

const startedProcesses = () =>
  readFileSync(join(machine.project, "pids"), "utf8").split("\n").filter(Boolean).map(Number);

/** A write is there or it is not. */
function expectWholeFile(what: string): void {
  const text = machine.files()["big.txt"];
  if (text !== undefined) expect(CONTENTS.includes(text), `${what}: big.txt is whole`).toBe(true);
}
