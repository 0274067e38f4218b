import { expect, test } from "vitest";
import type { Key } from "../../../../ui/tui/key-decoder.ts";
import { actionOf, KEYMAP } from "../../../../ui/tui/keymap.ts";
import { defaultKeys } from "../../../../ui/tui/keys.ts";
import { parseKeys } from "../../../../ui/tui/keys-file.ts";
import { keysTable } from "../../../../ui/tui/keys-table.ts";

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
