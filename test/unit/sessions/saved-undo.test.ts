import { expect, test } from "vitest";
import { rebuildSession } from "../../../src/sessions/read-session.ts";
import { encodeRecord, type SessionRecord } from "../../../src/sessions/session-record.ts";

const message = (id: string): SessionRecord => ({
  type: "message",
  message: { id, role: "user", kind: "normal", at: "2026-01-01T00:00:00.000Z", parts: [{ type: "text", text: id }] },
});
const turn = (number: number) => ({ turn: number, message: `m${number}`, prompt: `do ${number}`, at: `t${number}` });
const made = { path: "a", after: { kind: "file", mode: 0o644, size: 1, hash: "h" } } as const;
const changes = (number: number): SessionRecord => ({ type: "changes", ...turn(number), changes: [made] });
const read = (...records: SessionRecord[]) => rebuildSession(Buffer.from(records.map(encodeRecord).join("")), "s1");

test("what was undone can be redone, messages included, in the order it was undone", () => {
  const undone: SessionRecord = { type: "undone", turns: [2], changes: [{ path: "a" }], dropped: ["m2"] };
  const session = read(message("m1"), changes(1), message("m2"), changes(2), undone);
  expect(session.messages.map(({ id }) => id)).toEqual(["m1"]);
  expect(session.undo).toEqual({
    turns: [
      { ...turn(1), changes: [made] },
      { ...turn(2), changes: [made] },
    ],
    undone: [2],
    redo: [{ turns: [2], changes: [{ path: "a" }], messages: [expect.objectContaining({ id: "m2" })] }],
  });
});

test("a redo, a new turn and a clearing each end what came before", () => {
  const undone: SessionRecord = { type: "undone", turns: [1], changes: [], dropped: ["m1"] };
  const redone = read(message("m1"), changes(1), undone, { type: "redone" }, message("m1"));
  expect(redone.undo).toMatchObject({ undone: [], redo: [] });
  expect(redone.messages).toHaveLength(1);
  expect(read(message("m1"), changes(1), undone, { type: "redo-lost" }).undo).toMatchObject({ undone: [1], redo: [] });
  expect(read(changes(1), undone, { type: "cleared" }).undo).toEqual({ turns: [], undone: [], redo: [] });
});

test("a turn that was broken off is known with all that was told before it changed anything", () => {
  const path = (name: string) => ({ path: name, at: 1 });
  const open = read(
    { type: "changing", ...turn(1), paths: [path("a")] },
    { type: "changing", ...turn(1), tree: "t" },
    { type: "changing", ...turn(1), paths: [path("b")] },
  );
  expect(open.undo.open).toEqual({ ...turn(1), tree: "t", paths: [path("a"), path("b")] });
  expect(read({ type: "changing", ...turn(1), tree: "t" }, changes(1)).undo.open).toBeUndefined();
});

test("damaged records of changes are left out and counted", () => {
  const session = rebuildSession(Buffer.from('{"type":"changes","turn":1,"changes":[{}]}\n{"type":"undone"}\n'), "s1");
  expect(session.undo.turns).toEqual([]);
  expect(session.warnings).toContain("left out of the session because unreadable: 2 lines");
});
