import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openConversation } from "../../../src/index.ts";
import { encodeRecord, type SessionRecord } from "../../../src/sessions/session-record.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A home with one saved session of `cwd`, made of these records. */
function savedSession(...records: readonly SessionRecord[]) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "aura-resume-")));
  folders.push(home);
  const sessions = join(home, ".local/state/aura/sessions");
  mkdirSync(sessions, { recursive: true });
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const header = {
    type: "header",
    version: 1,
    id: "260101-120000-abcdef",
    cwd,
    created: "2026-01-01T12:00:00.000Z",
  } as const;
  writeFileSync(join(sessions, `${header.id}.jsonl`), [header, ...records].map(encodeRecord).join(""));
  return { cwd, env: { HOME: home, PATH: process.env["PATH"] }, shipped: home };
}

const PROMPT: SessionRecord = {
  type: "message",
  message: {
    id: "m1",
    role: "user",
    kind: "normal",
    at: "2026-01-01T12:00:01.000Z",
    parts: [{ type: "text", text: "hi" }],
  },
};

test("prompts that were typed ahead and never sent are told when the session is resumed, once", async () => {
  const place = savedSession(PROMPT, { type: "queue", prompts: ["then run the tests"] });
  const notesOf = async () => {
    const opened = await openConversation({ ...place, continueLast: true, noop: true });
    if (opened.kind === "refused") throw new Error(opened.problem);
    await opened.conversation.close();
    return opened.notes.filter((note) => note.includes("then run the tests"));
  };
  expect(await notesOf()).toEqual(["It ended before this prompt was sent: then run the tests"]);
  expect(await notesOf()).toEqual([]);
});
