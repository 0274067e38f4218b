import { expect, test } from "vitest";
import type { Event } from "../../../../src/protocol/event.ts";
import { createKeyDecoder, type Report } from "../../../../ui/tui/key-decoder.ts";
import { clipboard, notification, titleSequence } from "../../../../ui/tui/osc.ts";
import { Surroundings } from "../../../../ui/tui/surroundings.ts";
import { terminalSkills } from "../../../../ui/tui/terminal-skills.ts";
import { reduce } from "../../../../ui/view/reduce.ts";
import { emptyView } from "../../../../ui/view/view-state.ts";
import { idleStatus, opened } from "../../../helpers/fake-conversation.ts";

const usage = { input: 0, output: 0 };
const busy: Event = { type: "status-changed", status: { ...idleStatus, busy: true } };
const idle: Event = { type: "status-changed", status: idleStatus };
const ended: Event = { type: "turn-finished", turn: 1, reason: "answered", usage };
const asks: Event = {
  type: "request-opened",
  request: {
    id: "r",
    kind: "approval",
    callId: "c",
    tool: "Bash",
    about: "",
    detail: "rm -rf x\nmore",
    because: { rule: "Bash", from: "default" },
  },
};

/** What is written for events, after `focused` was reported. */
function written(env: Record<string, string>, focused: boolean | undefined, ...events: Event[]): string[] {
  const out: string[] = [];
  const around = new Surroundings({ TERM: "xterm-256color", ...env }, (bytes) => out.push(bytes));
  if (focused !== undefined) around.heard({ type: "focus", focused });
  else around.pressed();
  let view = emptyView;
  for (const event of events) {
    view = reduce(view, event);
    around.saw(event, view);
  }
  return out;
}

test("the title tells folder and state, and is written only when it changes", () => {
  expect(written({}, true, opened(), opened(), busy, busy, asks, idle)).toEqual([
    titleSequence("project - aura"),
    titleSequence("✳ project - aura"),
    titleSequence("? project - aura"),
  ]);
});

test("who looks elsewhere hears of the end of a turn and of a question, in the terminal's own way", () => {
  const told = (env: Record<string, string>) => written(env, false, opened(), asks, ended).slice(1).join("");
  expect(told({})).toBe(`${titleSequence("? project - aura")}\x07\x07`);
  expect(told({ TERM_PROGRAM: "iTerm.app" })).toContain("\x1b]9;Aura asks: Bash rm -rf x\x1b\\");
  expect(told({ TERM: "foot" })).toContain("\x1b]777;notify;Aura;Aura is done\x1b\\");
  expect(told({ TERM: "xterm-kitty" })).toContain("\x1b]99;i=aura:d=1:p=body;Aura is done\x1b\\");
});

test("who looks at the window, or has just pressed a key, hears nothing", () => {
  for (const focused of [true, undefined])
    expect(written({}, focused, opened(), asks, ended).join("")).not.toMatch(/\x07/);
});

test("AURA_NOTIFY=off, the console and a dumb terminal get nothing at all", () => {
  for (const env of [{ AURA_NOTIFY: "off" }, { TERM: "linux" }, { TERM: "dumb" }])
    expect(written(env, false, opened(), busy, asks, ended)).toEqual([]);
  const around = new Surroundings({ TERM: "linux" }, () => undefined);
  expect([around.modes.enter(), around.modes.leave()]).toEqual(["", ""]);
});

test("progress is shown only where it is not taken for a notification, and goes when the work is done", () => {
  expect(written({ TERM_PROGRAM: "iTerm.app" }, true, opened(), busy, idle).join("")).not.toContain("]9;4");
  const out = written({ TERM_PROGRAM: "ghostty" }, true, opened(), busy, idle).join("");
  expect(out.match(/\x1b\]9;4;\d/g)).toEqual(["\x1b]9;4;3", "\x1b]9;4;0"]);
});

test("what is entered is left: focus reports, colours and the title", () => {
  const around = new Surroundings({ TERM: "xterm-256color" }, () => undefined);
  expect(around.modes.enter()).toBe("\x1b]11;?\x1b\\\x1b[?2031h\x1b[22;0t\x1b[?1004h");
  expect(around.modes.leave()).toBe("\x1b[?2031l\x1b[?1004l\x1b]0;\x1b\\\x1b[23;0t");
});

test("no text can end a sequence or begin another", () => {
  const nasty = "a\x1b\\\x1b]52;c;AAAA\x07b\x9cc\nd";
  for (const sequence of [titleSequence(nasty), notification(nasty, terminalSkills({ TERM: "foot" }))])
    expect(sequence).toMatch(/^\x1b\][^\x00-\x1f\x7f-\x9f]*\x1b\\$/);
});

test("a copy is sent whole, wrapped for tmux, and never called done", () => {
  const sent: string[] = [];
  const around = new Surroundings({ TERM: "xterm-256color" }, (bytes) => sent.push(bytes));
  const event = { type: "command-finished", line: "/copy", failed: false, text: "é", data: { copy: "é" } } as const;
  expect(around.copied(event).text).toBe("sent to the terminal: 1 character (it does not tell whether it copied them)");
  expect(sent).toEqual(["\x1b]52;c;w6k=\x07"]);
  expect(clipboard("é", { tmux: true })).toBe("\x1b]52;c;w6k=\x07\x1bPtmux;\x1b\x1b]52;c;w6k=\x07\x1b\\");
  const huge = around.copied({ ...event, data: { copy: "x".repeat(100_000) } });
  expect([huge.failed, sent.length]).toEqual([true, 1]);
});

test("focus, colours and answers of the terminal are reports, whole or in pieces, and a key before them stays a key", () => {
  const heard = (...chunks: string[]) => {
    const reports: Report[] = [];
    const decoder = createKeyDecoder((report) => reports.push(report));
    const keys = chunks.flatMap((chunk) => decoder.feed(Buffer.from(chunk)));
    return { reports, keys: keys.map((key) => key.name) };
  };
  const text = "a\x1b[I\x1b]11;rgb:ff/ff/ff\x07b\x1b[O\x1b[?997;2n\x1b]0;x\x1b\\";
  const expected = {
    reports: [
      { type: "focus", focused: true },
      { type: "osc", text: "11;rgb:ff/ff/ff" },
      { type: "focus", focused: false },
      { type: "colours", background: "light" },
      { type: "osc", text: "0;x" },
    ],
    keys: ["a", "b"],
  };
  expect(heard(text)).toEqual(expected);
  expect(heard(...text)).toEqual(expected);
  expect(heard("\x1b\x1b[I")).toEqual({ reports: [{ type: "focus", focused: true }], keys: ["escape"] });
});
