import { describe, expect, test } from "vitest";
import type { Suggestion } from "../../../../src/protocol/conversation.ts";
import type { Request } from "../../../../src/protocol/request.ts";
import { openCompletion } from "../../../../ui/tui/completion.ts";
import { createKeyDecoder, keyName } from "../../../../ui/tui/key-decoder.ts";
import { actionOf, KEYMAP } from "../../../../ui/tui/keymap.ts";
import { placeAction } from "../../../../ui/tui/place-keys.ts";
import { type Effect, press } from "../../../../ui/tui/press.ts";
import { emptyScreen, ghostOf, type Screen, withView } from "../../../../ui/tui/screen.ts";
import { emptyVim } from "../../../../ui/tui/vim.ts";
import { reduce } from "../../../../ui/view/reduce.ts";
import { idleStatus, opened } from "../../../helpers/fake-conversation.ts";

const idle = withView(emptyScreen, reduce(emptyScreen.view, opened()));
const busy = withView(idle, reduce(idle.view, { type: "status-changed", status: { ...idleStatus, busy: true } }));
const ENTER = "\r";
const ESC = "\x1b[27u";

/** Presses the keys of `bytes` and gathers what they asked for. */
function pressAll(screen: Screen, bytes: string, dialogSeen = true): { screen: Screen; effects: Effect[] } {
  let now = screen;
  const effects: Effect[] = [];
  for (const key of createKeyDecoder().feed(Buffer.from(bytes))) {
    const pressed = press(now, key, { width: 40, page: 5, dialogSeen });
    now = pressed.screen;
    effects.push(...pressed.effects);
  }
  return { screen: now, effects };
}
const intents = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === "send" ? [effect.intent] : []));

const approval: Request = {
  id: "r",
  kind: "approval",
  callId: "c",
  tool: "Bash",
  about: "Runs a command",
  detail: "git push",
  pattern: "Bash:git push*",
  because: { rule: "Bash", from: "default" },
};
const asked = (request: Request = approval) => withView(busy, reduce(busy.view, { type: "request-opened", request }));
const { pattern: _pattern, ...once } = approval;

test("Enter sends a prompt, a slash makes it a command, and both are remembered", () => {
  expect(pressAll(idle, `hello${ENTER}/help${ENTER}`).effects).toEqual([
    { type: "remember", text: "hello" },
    { type: "send", intent: { type: "prompt", text: "hello" } },
    { type: "remember", text: "/help" },
    { type: "send", intent: { type: "command", line: "/help" } },
  ]);
  expect(pressAll(idle, `  ${ENTER}`).effects).toEqual([]);
});

test("while a turn runs prompts are sent all the same", () => {
  expect(intents(pressAll(busy, `next${ENTER}`).effects)).toEqual([{ type: "prompt", text: "next" }]);
});

test("a backslash before Enter, Alt+Enter, Shift+Enter and Ctrl+J begin a new line", () => {
  expect(intents(pressAll(idle, `a\\${ENTER}b\x1b\rc\x1b[13;2ud\ne${ENTER}`).effects)).toEqual([
    { type: "prompt", text: "a\nb\nc\nd\ne" },
  ]);
});

test("the approval keys answer with their scope", () => {
  const answers = ["a", "s", "p", "g", "d", ESC, "\x03"].map((key) => intents(pressAll(asked(), key).effects));
  const value = (answer: unknown) => [{ type: "answer", requestId: "r", answer: { kind: "approval", value: answer } }];
  expect(answers).toEqual([
    ...(["once", "session", "project", "global"] as const).map((scope) => value({ allow: true, scope })),
    ...[1, 2, 3].map(() => value({ allow: false })),
  ]);
});

test("no other key answers an approval, Enter and Tab and space neither", () => {
  expect(pressAll(asked(), `${ENTER}\t yYnqx\x1b[A\x1b[6~\x1ba`).effects).toEqual([]);
});

test("without a reusable pattern s, p and g are refused with the reason", () => {
  const pressed = pressAll(asked({ ...once, noPattern: "it is a pipeline" }), "spg");
  expect(pressed.effects).toEqual([]);
  expect(pressed.screen.dialog).toMatchObject({ note: 'only "a" is possible: it is a pipeline' });
});

describe("several patterns", () => {
  const patterns = [
    { pattern: "Bash:git push -v", sessionOnly: true as const, allows: [] },
    { pattern: "Bash:git push*", allows: ["git push -f"] },
    { pattern: "Bash:git*", allows: ["git push -f", "git commit"] },
  ];
  const value = (keys: string) =>
    intents(pressAll(asked({ ...approval, patterns }), keys).effects).map(
      (intent) => intent.type === "answer" && intent.answer.value,
    );

  test("of these an answer remembers the chosen one, and without a choice the narrowest", () => {
    expect(["s", "2s", "3p", "\tg", "\t\t\ts", "21s"].map(value)).toEqual([
      [{ allow: true, scope: "session", pattern: "Bash:git push -v" }],
      [{ allow: true, scope: "session", pattern: "Bash:git push*" }],
      [{ allow: true, scope: "project", pattern: "Bash:git*" }],
      [{ allow: true, scope: "global", pattern: "Bash:git push*" }],
      [{ allow: true, scope: "session", pattern: "Bash:git push -v" }],
      [{ allow: true, scope: "session", pattern: "Bash:git push -v" }],
    ]);
    expect(value("3a")).toEqual([{ allow: true, scope: "once" }]);
  });

  test("one exact command is not saved, and that is said; choosing and Enter answer nothing", () => {
    const pressed = pressAll(asked({ ...approval, patterns }), "p");
    const note = 'only "a" and "s" are possible: a rule for one exact command is not saved, but a broader one may be';
    expect([pressed.effects, pressed.screen.dialog]).toMatchObject([[], { note }]);
    expect(pressAll(pressed.screen, "2").screen.dialog).toMatchObject({ chosen: 1, note: undefined });
    expect(value(`123\t${ENTER} 4`)).toEqual([]);
  });
});

test("keys from before the dialog was seen go to the input", () => {
  const pressed = pressAll(asked(), "sad", false);
  expect([pressed.effects, pressed.screen.editor.text, pressed.screen.dialog?.kind]).toEqual([[], "sad", "approval"]);
});

test("a second answer in the same breath reaches nothing", () => {
  expect(intents(pressAll(asked(), "aa").effects)).toHaveLength(1);
});

test("advice written with e goes to the model", () => {
  expect(intents(pressAll(asked(), `euse mv${ENTER}`).effects)).toEqual([
    { type: "answer", requestId: "r", answer: { kind: "approval", value: { allow: false, feedback: "use mv" } } },
  ]);
  expect(pressAll(asked(), `eabc${ESC}`).screen.dialog).toMatchObject({ kind: "approval", feedback: undefined });
});

test("Ctrl+C clears, then cancels, then asks, then quits", () => {
  expect(pressAll(busy, "text\x03")).toMatchObject({ effects: [], screen: { editor: { text: "" } } });
  expect(intents(pressAll(busy, "\x03").effects)).toEqual([{ type: "cancel" }]);
  expect(pressAll(idle, "\x03\x03").effects).toEqual([{ type: "arm" }, { type: "quit" }]);
  expect(pressAll(idle, "\x03a\x7f\x03").effects).toEqual([{ type: "arm" }, { type: "arm" }]);
});

test("Esc on an empty input says what a second one does: it opens /undo", () => {
  const once = pressAll(idle, ESC);
  expect(once).toMatchObject({ effects: [{ type: "arm" }], screen: { armed: "undo" } });
  expect(once.screen.flash?.text).toBe("press esc again to go back to before an earlier prompt");
  expect(intents(pressAll(once.screen, ESC).effects)).toEqual([{ type: "command", line: "/undo" }]);
  expect(pressAll(idle, `${ESC}a\x7f${ESC}`).effects).toEqual([{ type: "arm" }, { type: "arm" }]);
  expect(pressAll(idle, `text${ESC}${ESC}`)).toMatchObject({ effects: [], screen: { editor: { text: "text" } } });
  expect(pressAll(idle, `${ESC}\x03`).effects).toEqual([{ type: "arm" }, { type: "arm" }]);
  expect(intents(pressAll(busy, ESC).effects)).toEqual([{ type: "cancel" }]);
});

test("Ctrl+D quits on an empty input and deletes otherwise", () => {
  expect(pressAll(idle, "\x04").effects).toEqual([{ type: "quit" }]);
  expect(pressAll(idle, "ab\x1b[D\x04")).toMatchObject({ effects: [], screen: { editor: { text: "a" } } });
});

test("Aura's toggles act on an empty input, line editing on text", () => {
  const lines = intents(pressAll(idle, "\x01\x05\x14\x12\x13").effects);
  expect(lines).toEqual([
    { type: "command", line: "/auto on" },
    { type: "cycle", what: "think" },
    { type: "command", line: "/verbose on" },
    { type: "command", line: "/think on" },
    { type: "command", line: "/sandbox on" },
  ]);
  expect(pressAll(idle, "bc\x01a\x05d")).toMatchObject({ effects: [], screen: { editor: { text: "abcd" } } });
});

test("Tab accepts the ghost text, else asks for the next mode; Shift+Tab for the next agent", () => {
  const known = { ...idle, history: { ...idle.history, entries: ["run the tests"] } };
  const typed = pressAll(known, "run").screen;
  expect(ghostOf(typed).text).toBe(" the tests");
  expect(pressAll(typed, "\t").screen.editor.text).toBe("run the tests");
  expect(intents(pressAll(idle, "\t\x1b[Z").effects)).toEqual([
    { type: "cycle", what: "mode" },
    { type: "cycle", what: "agent" },
  ]);
});

test("Up and Down walk through history and give the draft back", () => {
  const known = { ...idle, history: { ...idle.history, entries: ["one", "two"] } };
  const texts = ["", "\x1b[A", "\x1b[A\x1b[A", "\x1b[A\x1b[A\x1b[A", "\x1b[A\x1b[A\x1b[B\x1b[B"].map(
    (keys) => pressAll(known, `draft${keys}`).screen.editor.text,
  );
  expect(texts).toEqual(["draft", "two", "one", "one", "draft"]);
});

test("Up on an empty input takes the last queued prompt back for editing, Ctrl+U drops it", () => {
  const queued = withView(busy, reduce(busy.view, { type: "queue-changed", queue: ["first", "second"] }));
  const up = pressAll(queued, "\x1b[A");
  expect([intents(up.effects), up.screen.editor.text, up.screen.view.queue]).toEqual([
    [{ type: "drop-queued", text: "second" }],
    "second",
    ["first"],
  ]);
  const drop = pressAll(queued, "\x15\x15\x15");
  expect([intents(drop.effects), drop.screen.editor.text, drop.screen.view.queue]).toEqual([
    [
      { type: "drop-queued", text: "second" },
      { type: "drop-queued", text: "first" },
    ],
    "",
    [],
  ]);
});

const withList = (line: string, ...items: Suggestion[]): Screen => {
  const typed = pressAll(idle, line).screen;
  return { ...typed, completion: openCompletion(typed.editor, items) };
};
const commands: Suggestion[] = [
  { text: "/model", from: 0, hint: "[model]" },
  { text: "/mode", from: 0, hint: "[name]" },
  { text: "/insert", from: 0, hint: "<role> text" },
];
const files = (from: number, ...paths: string[]): Suggestion[] =>
  paths.map((path) => ({ text: `@File[${path}]`, label: path, from }));

test("Tab takes the marked item of the list, else the first; a command leaves room for its arguments", () => {
  expect(pressAll(withList("/mo", ...commands), "\t").screen.editor.text).toBe("/model ");
  expect(pressAll(withList("/mo", ...commands), "\x1b[B\t").screen.editor.text).toBe("/mode ");
  expect(pressAll(withList("/mo", ...commands), "\x1b[A\t").screen.editor.text).toBe("/insert ");
  expect(
    pressAll(withList("see @fi now\x1b[D\x1b[D\x1b[D\x1b[D", ...files(4, "a/fi.ts")), "\t").screen.editor.text,
  ).toBe("see @File[a/fi.ts] now");
});

test("Enter on half a command runs what is marked, unless it needs arguments", () => {
  expect(intents(pressAll(withList("/mo", ...commands), ENTER).effects)).toEqual([{ type: "command", line: "/model" }]);
  const needs = pressAll(withList("/ins", commands[2]!), ENTER);
  expect([needs.effects, needs.screen.editor.text]).toEqual([[], "/insert "]);
  // Typed in full it is what it says, whatever the list would rather have.
  expect(intents(pressAll(withList("/mode", ...commands), ENTER).effects)).toEqual([
    { type: "command", line: "/mode" },
  ]);
});

test("Enter takes half a path, but never a finished message", () => {
  const sends = (line: string, ...items: Suggestion[]) => intents(pressAll(withList(line, ...items), ENTER).effects);
  expect(pressAll(withList("@src/fi", ...files(0, "src/file.ts")), ENTER).screen.editor.text).toBe(
    "@File[src/file.ts]",
  );
  expect(sends("thanks @bob", ...files(7, "b/o/b.ts"))).toEqual([{ type: "prompt", text: "thanks @bob" }]);
  expect(sends("read @src/file.ts", ...files(5, "src/file.ts", "src/file.tsx"))).toHaveLength(1);
  expect(sends("/agent hi", { text: "high", from: 7 })).toEqual([{ type: "command", line: "/agent hi" }]);
  expect(pressAll(withList("thanks @bob", ...files(7, "b/o/b.ts")), `\x1b[B${ENTER}`).screen.editor.text).toBe(
    "thanks @File[b/o/b.ts]",
  );
});

test("Esc closes the list and cancels nothing; without a list Tab is the mode again", () => {
  const closed = pressAll({ ...withList("/mo", ...commands), view: busy.view }, ESC);
  expect([closed.effects, closed.screen.completion, closed.screen.dismissed]).toEqual([[], undefined, 0]);
  expect(intents(pressAll(closed.screen, `${ESC}\t`).effects)).toEqual([
    { type: "cancel" },
    { type: "cycle", what: "mode" },
  ]);
});

test("a list made for other input is not taken from", () => {
  const stale = pressAll(withList("/mo", ...commands), "x").screen;
  expect([intents(pressAll(stale, `\t${ENTER}`).effects)]).toEqual([[{ type: "command", line: "/mox" }]]);
});

test("Alt+R finds earlier input letter by letter; Esc gives the draft back untouched", () => {
  const entries = ["run the tests", "write docs", "run\nthe build", "write docs"];
  const known = { ...idle, history: { ...idle.history, entries } };
  const search = (keys: string) => pressAll(known, `\x1br${keys}`).screen;
  expect(search("run\r").editor.text).toBe("run\nthe build");
  expect(search("run\x1br\r").editor.text).toBe("run the tests");
  expect(search("tests ru\x7f\x7f\r").editor.text).toBe("run the tests");
  expect(search("nothing\r").search).toBeDefined();
  const large = `\x1b[200~${"line\n".repeat(20)}\x1b[201~`;
  const draft = pressAll(known, `my draft${large}`).screen;
  expect(pressAll(draft, `\x1brwrite${ESC}`).screen.editor).toEqual(draft.editor);
  expect(pressAll(known, `\x1brrun${ENTER}`).effects).toEqual([]);
});

test("a dropped picture becomes its directive, and undo gives its path back", () => {
  const drop = (text: string) => pressAll(idle, `see \x1b[200~${text}\x1b[201~`).screen;
  expect(drop("'/tmp/a b.png'").editor.text).toBe("see @Image[/tmp/a b.png] ");
  expect(pressAll(drop("/tmp/a.png"), "\x18").screen.editor.text).toBe("see /tmp/a.png");
  expect(drop("/tmp/a.txt").editor.text).toBe("see /tmp/a.txt");
});

test("a pasted block is shown as text on demand", () => {
  const text = Array.from({ length: 9 }, (_, line) => `line ${line}`).join("\n");
  const pasted = pressAll(idle, `\x1b[200~${text}\x1b[201~`).screen;
  expect(pasted.editor.text).not.toBe(text);
  expect(pressAll(pasted, "\x1be").screen.editor.text).toBe(text);
});

test("/help keys shows the table instead of asking the conversation", () => {
  const pressed = pressAll(idle, `/help keys${ENTER}`);
  expect(pressed.effects).toEqual([{ type: "remember", text: "/help keys" }]);
  expect(pressed.screen.pager).toBeDefined();
});

test("vim's keys reach the prompt: k at the first line is earlier input, Enter sends, typing goes on in insert mode", () => {
  const known: Screen = { ...idle, vim: emptyVim, history: { ...idle.history, entries: ["earlier"] } };
  expect(pressAll(known, `hello${ESC}0x`).screen.editor.text).toBe("ello");
  expect(pressAll(known, `draft${ESC}k`).screen.editor.text).toBe("earlier");
  const sent = pressAll(known, `hi${ESC}${ENTER}x`);
  expect([intents(sent.effects), sent.screen.editor.text]).toEqual([[{ type: "prompt", text: "hi" }], "x"]);
});

test("every key of the table leads to its action", () => {
  for (const binding of KEYMAP) {
    for (const name of binding.keys) {
      const parts = name.split(/\+(?=.)/);
      const key = {
        name: parts.at(-1) ?? "",
        ctrl: parts.includes("ctrl"),
        alt: parts.includes("alt"),
        shift: parts.includes("shift"),
      };
      expect(keyName(key)).toBe(name);
      const action =
        binding.in === undefined ? actionOf(key, binding.when === "empty") : placeAction(key, [binding.in]);
      expect(action, name).toBe(binding.action);
    }
  }
});
