import { expect, test } from "vitest";
import type { Key } from "../../../../ui/tui/key-decoder.ts";
import { actionOf, KEYMAP } from "../../../../ui/tui/keymap.ts";
import { defaultKeys } from "../../../../ui/tui/keys.ts";
import { parseKeys } from "../../../../ui/tui/keys-file.ts";
import { keysTable } from "../../../../ui/tui/keys-table.ts";
import { keyShown, placeAction } from "../../../../ui/tui/place-keys.ts";

const key = (name: string, modifiers: Partial<Key> = {}): Key => ({
  name,
  ctrl: false,
  alt: false,
  shift: false,
  ...modifiers,
});

test("an action gets its keys, whatever is in the input, and whoever had them loses them", async () => {
  const { bindings, problems } = await parseKeys("keys:\n  search-history: ctrl+r\n  newline: [C-Enter, alt-enter]\n");
  expect(problems).toEqual([]);
  const meaning = (pressed: Key) => [actionOf(pressed, true, bindings), actionOf(pressed, false, bindings)];
  expect(meaning(key("r", { ctrl: true }))).toEqual(["search-history", "search-history"]);
  expect(meaning(key("r", { alt: true }))).toEqual([undefined, undefined]);
  expect(meaning(key("enter", { ctrl: true }))).toEqual(["newline", "newline"]);
  expect(meaning(key("j", { ctrl: true }))).toEqual([undefined, undefined]);
  expect(meaning(key("enter"))).toEqual(["send", "send"]);
});

test("none takes an action's keys away", async () => {
  const { bindings } = await parseKeys("keys:\n  toggle-auto: none\n  toggle-think: []\n");
  expect(actionOf(key("a", { ctrl: true }), true, bindings)).toBeUndefined();
  expect(actionOf(key("a", { ctrl: true }), false, bindings)).toBe("line-start");
  expect(actionOf(key("r", { ctrl: true }), true, bindings)).toBeUndefined();
});

test("mistakes are named with their line and the nearest name, and everything else counts", async () => {
  const { bindings, mode, problems } = await parseKeys(
    [
      "mode: vi",
      "keys:",
      "  toogle-auto: alt+a",
      "  send: entr",
      "  yank: hyper+y",
      "  undo: x",
      "  redo: alt+u",
      "  transpose: alt+u",
      "colour: red",
    ].join("\n"),
  );
  expect(problems).toEqual([
    'keys.yaml line 1: mode is emacs or vim, not "vi"',
    'keys.yaml line 3: unknown action "toogle-auto" (did you mean "toggle-auto"?)',
    'keys.yaml line 4: "entr" is no key (did you mean "enter"?)',
    'keys.yaml line 5: "hyper" in "hyper+y" is no modifier: use ctrl, alt, shift',
    'keys.yaml line 6: "x" is what people type: a key needs ctrl or alt',
    'keys.yaml line 8: alt+u is given to "redo" already',
    'keys.yaml line 9: unknown field "colour": use mode and keys',
  ]);
  expect(mode).toBe("emacs");
  expect(actionOf(key("u", { alt: true }), false, bindings)).toBe("redo");
  expect(actionOf(key("enter"), false, bindings)).toBe("send");
});

test("broken YAML leaves the keys as they were and says where", async () => {
  const keys = await parseKeys("keys:\n  send: [enter\n");
  expect(keys.bindings).toBe(KEYMAP);
  expect(keys.problems[0]).toMatch(/^keys\.yaml line \d+: /);
});

test("an empty file changes nothing, mode: vim is all it may say", async () => {
  expect(await parseKeys("# nothing yet\n")).toEqual(defaultKeys);
  expect(await parseKeys("mode: vim\n")).toEqual({ ...defaultKeys, mode: "vim" });
});

test("the table names every key and marks what was changed", async () => {
  const { bindings, mode, problems } = await parseKeys(
    "mode: vim\nkeys:\n  send: ctrl+enter\n  yank: none\n  nope: f5\n",
  );
  const table = keysTable(bindings, mode, problems);
  expect(table).toMatch(/^keys\.yaml line 5: unknown action "nope"/);
  expect(table).toMatch(/^\* ctrl\+enter +send +send$/m);
  expect(table).toMatch(/^\* \(no key\) +yank +put back/m);
  expect(table).toMatch(/^ {2}alt\+r +search-history/m);
  expect(table).toContain("Vim mode is on");
  expect(keysTable(KEYMAP, "emacs", [])).not.toContain("*");
});

test("dialogs and the pager take their keys from the same table, letters alone too", async () => {
  const { bindings, problems } = await parseKeys(
    "keys:\n  pager-close: [x, Q]\n  allow-once: y\n  deny: n\n  next-item: alt+j\n",
  );
  expect(problems).toEqual([]);
  const x = key("x", { text: "x" });
  expect(placeAction(x, ["pager"], bindings)).toBe("pager-close");
  expect(placeAction(key("q", { text: "q" }), ["pager"], bindings)).toBeUndefined();
  expect(placeAction(key("y", { text: "y" }), ["approval", "dialog"], bindings)).toBe("allow-once");
  expect(placeAction(key("a", { text: "a" }), ["approval", "dialog"], bindings)).toBeUndefined();
  // A letter of the pager is still typed in the input, and n still steps through matches.
  expect(actionOf(x, false, bindings)).toBeUndefined();
  expect(placeAction(key("n", { text: "n" }), ["pager"], bindings)).toBe("next-match");
  expect([keyShown("allow-once", bindings), keyShown("deny", bindings), keyShown("explain", bindings)]).toEqual([
    "y",
    "n",
    "?",
  ]);
});

test("what allows is never on a key that is pressed without thinking, and what is typed stays typed", async () => {
  const { bindings, problems } = await parseKeys(
    "keys:\n  allow-once: enter\n  approve-text: space\n  next-item: j\n  dismiss: alt+x\n",
  );
  expect(problems).toEqual([
    "keys.yaml line 2: enter is pressed too easily to allow something",
    "keys.yaml line 3: space is pressed too easily to allow something",
    'keys.yaml line 4: "j" is what people type: a key needs ctrl or alt',
  ]);
  expect(placeAction(key("a", { text: "a" }), ["approval"], bindings)).toBe("allow-once");
  expect(placeAction(key("escape"), ["dialog"], bindings)).toBeUndefined();
});

test("the table has a part for every place", () => {
  const table = keysTable(KEYMAP, "emacs", []);
  expect(table).toMatch(/^In an approval:\n {2}a +allow-once +allow this call$/m);
  expect(table).toMatch(/^In the pager:\n {2}escape, q, ctrl\+c, ctrl\+o +pager-close +close$/m);
});
