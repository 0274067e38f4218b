// A program that records a session and says each thing on standard output only after it was recorded. Run by tests
// that kill it: `recording-child.ts DIR ID`.
import { continueLog, createLog, type LogOptions } from "../../src/sessions/session-log.ts";
import type { SessionRecord } from "../../src/sessions/session-record.ts";
import { openSessions } from "../../src/sessions/session-store.ts";

const [dir = "", id = ""] = process.argv.slice(2);
const at = "2026-01-02T03:04:05.000Z";
const options: LogOptions = {
  dir,
  header: { type: "header", version: 1, id, cwd: "/project", created: at },
  warn: (text) => process.stderr.write(`${text}\n`),
};
const store = openSessions(dir);
const known = store.find(id).kind === "found" ? await store.read(id) : undefined;
const opened = known ? continueLog(options) : { kind: "opened" as const, log: createLog(options) };
if (opened.kind === "busy") throw new Error(`busy: ${opened.owner.pid}`);
const { log } = opened;

const show = (what: unknown) => process.stdout.write(`${JSON.stringify(what)}\n`);
const record = (one: SessionRecord) => log.append(one);

for (let turn = (known?.turn ?? 0) + 1; turn < 100_000; turn++) {
  // Unique in every life of the session, also when a turn was cut short and its number comes again.
  const key = `${process.pid}.${turn}`;
  const prompt = {
    id: `u${key}`,
    role: "user",
    kind: "normal",
    at,
    parts: [{ type: "text", text: `prompt ${key}` }],
  } as const;
  record({ type: "message", message: prompt });
  show({ prompt: prompt.id });
  let text = "";
  for (let step = 0; step < 7; step++) {
    const delta = `word ${step} of ${key} – ü\n`;
    record({ type: "reply-delta", messageId: `a${key}`, kind: "text", delta });
    text += delta;
    show({ reply: `a${key}`, text });
  }
  const input = { command: `echo ${key}` };
  record({
    type: "message",
    message: {
      id: `a${key}`,
      role: "assistant",
      kind: "normal",
      at,
      parts: [
        { type: "text", text },
        { type: "tool-call", callId: `c${key}`, tool: "Bash", input },
      ],
    },
  });
  record({ type: "call", call: { id: `c${key}`, tool: "Bash", input, status: "running", startedAt: 1 } });
  show({ call: `c${key}` });
  record({ type: "call", call: { id: `c${key}`, tool: "Bash", input, status: "done", ms: 1, output: { text: key } } });
  show({ done: `c${key}`, text: key });
  record({
    type: "message",
    message: {
      id: `r${key}`,
      role: "tool",
      kind: "normal",
      at,
      parts: [{ type: "tool-result", callId: `c${key}`, tool: "Bash", text: key, failed: false }],
    },
  });
  record({ type: "turn-finished", turn, reason: "answered", usage: { input: 1, output: 1 } });
  log.flush();
  show({ turn });
}
