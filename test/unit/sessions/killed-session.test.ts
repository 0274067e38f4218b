import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Message, textOf } from "../../../src/protocol/message.ts";
import { openSessions } from "../../../src/sessions/session-store.ts";
import { killAfterLines, rounds, seeded } from "../../helpers/kill-at-random.ts";

// The pinned Node, which reads TypeScript; the one that runs the tests may be older.
const NODE = join(import.meta.dirname, "../../../node_modules/.bin/node");
const CHILD = join(import.meta.dirname, "../../helpers/recording-child.ts");

interface Shown {
  readonly prompt?: string;
  readonly reply?: string;
  readonly call?: string;
  readonly done?: string;
  readonly turn?: number;
  readonly text?: string;
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "aura-killed-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test("everything shown before a SIGKILL is in the session, also after being continued and killed again", {
  timeout: 600_000,
}, async () => {
  const random = seeded(20260102);
  const store = openSessions(dir);
  const shown: Shown[] = [];
  let interruptions = 0;
  for (let round = 0; round < rounds(25); round++) {
    // A few lives to each session, so that continuing behind a torn end is tried as well.
    const id = `killed-${Math.floor(round / 3)}`;
    if (round % 3 === 0) shown.length = 0;
    const afterLines = 1 + Math.floor(random() * 60);
    const { lines, stderr, killed } = await killAfterLines({ command: NODE, args: [CHILD, dir, id], afterLines });
    expect({ killed, stderr }).toEqual({ killed: true, stderr: "" });
    shown.push(...lines.map((line) => JSON.parse(line) as Shown));
    const session = await store.read(id);
    expect(missing(shown, session)).toEqual([]);
    expect(session.warnings).toEqual([]);
    if (session.messages.some(({ interrupted }) => interrupted)) interruptions++;
  }
  // Without them the test would not have met what it is for.
  expect(interruptions).toBeGreaterThan(0);
});

function missing(
  shown: readonly Shown[],
  session: {
    readonly messages: readonly Message[];
    readonly calls: readonly { id: string; status: string }[];
    readonly turn: number;
  },
): Shown[] {
  const texts = new Map(session.messages.map((message) => [message.id, textOf(message)]));
  const calls = new Map(session.calls.map((call) => [call.id, call.status]));
  return shown.filter((one) => {
    if (one.prompt) return !texts.has(one.prompt);
    if (one.reply) return !texts.get(one.reply)?.startsWith(one.text ?? "");
    if (one.call) return !calls.has(one.call);
    if (one.done) return calls.get(one.done) !== "done" || !hasResult(session.messages, one.done, one.text ?? "");
    return session.turn < (one.turn ?? 0);
  });
}

function hasResult(messages: readonly Message[], callId: string, text: string): boolean {
  const results = messages.flatMap(({ parts }) =>
    parts.filter((part) => part.type === "tool-result" && part.callId === callId),
  );
  return results.length === 1 && results[0]?.type === "tool-result" && results[0].text === text;
}
