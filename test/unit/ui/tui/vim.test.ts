import fc from "fast-check";
import { expect, test } from "vitest";
import { type EditorState, edit, emptyEditor } from "../../../../ui/tui/editor-state.ts";
import { createKeyDecoder } from "../../../../ui/tui/key-decoder.ts";
import { typeInto } from "../../../../ui/tui/type-into.ts";
import { emptyVim, type VimState, vimKey } from "../../../../ui/tui/vim.ts";

const ESC = "\x1b[27u";

/** Types `keys` (ESC as a key of its own) into `text`, beginning in normal mode on its first character. */
function vim(text: string, keys: string): { editor: EditorState; vim: VimState } {
  let editor = edit(edit(emptyEditor, { type: "set", text }), { type: "text-start" });
  let state: VimState = { ...emptyVim, mode: "normal" };
  for (const key of createKeyDecoder().feed(Buffer.from(keys))) {
    const step = vimKey(state, editor, key);
    editor = step.passed && step.vim.mode === "insert" ? typeInto(step.editor, key) : step.editor;
    state = step.vim;
  }
  return { editor, vim: state };
}
function shown(text: string, keys: string): string {
  const { editor } = vim(text, keys);
  return `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;
}

test.each([
  ["one two-three four", "w", "one |two-three four"],
  ["one two-three four", "ww", "one two|-three four"],
  ["one two-three four", "3w", "one two-|three four"],
  ["one two-three four", "e", "on|e two-three four"],
  ["one two", "$b", "one |two"],
  ["one two", "$", "one tw|o"],
  ["one two", "$h0l", "o|ne two"],
  ["  one", "$^", "  |one"],
  ["a\nb\nc", "G", "a\nb\n|c"],
  ["a\nb\nc", "2G", "a\n|b\nc"],
  ["a\nb\nc", "Ggg", "|a\nb\nc"],
  ["ab\ncd\nef", "ljj", "ab\ncd\ne|f"],
  ["ab\ncd\nef", "jk", "|ab\ncd\nef"],
  ["0123456789ab", "10l", "0123456789|ab"],
  ["日本語", "ll", "日本|語"],
])("in %j %s leads to %j", (text, keys, result) => {
  expect(shown(text, keys)).toBe(result);
});

test.each([
  ["abc", "x", "|bc"],
  ["abc", "2x", "|c"],
  ["abc", "$x", "a|b"],
  ["abc", "$X", "a|c"],
  ["one two three", "dw", "|two three"],
  ["one two three", "d2w", "|three"],
  ["one two three", "2dw", "|three"],
  ["one two", "wdw", "one| "],
  ["one\n  two", "dw", "|\n  two"],
  ["one two", "wdb", "|two"],
  ["one two", "de", "| two"],
  ["one two", "wd0", "|two"],
  ["one two", "wD", "one| "],
  ["a\nb\nc", "dd", "|b\nc"],
  ["a\nb\nc", "jdd", "a\n|c"],
  ["a\nb\nc", "Gdd", "a\n|b"],
  ["a\nb\nc", "2dd", "|c"],
  ["a\nb\nc", "dj", "|c"],
  ["a\nb\nc", "dG", "|"],
  ["a\nb", "yyp", "a\n|a\nb"],
  ["a\nb", "Gyyp", "a\nb\n|b"],
  ["a\nb", "yyP", "|a\na\nb"],
  ["one two", "ywP", "one| one two"],
  ["ab", "xp", "b|a"],
  ["abc", "rx", "|xbc"],
  ["abc", "2rx", "x|xc"],
  ["one two", "dwu", "|one two"],
  ["one two", "dwu\x12", "|two"],
])("of %j %s makes %j", (text, keys, result) => {
  expect(shown(text, keys)).toBe(result);
});

test.each([
  ["one two", `cwnew${ESC}`, "ne|w two"],
  ["a b", `cwx${ESC}`, "|x b"],
  ["one two three", `c2wx${ESC}`, "|x three"],
  ["one\ntwo", `ccx${ESC}`, "|x\ntwo"],
  ["one two", `wCx${ESC}`, "one |x"],
  ["one", `A!${ESC}`, "one|!"],
  ["  one", `$I-${ESC}`, "  |-one"],
  ["ab", `ax${ESC}`, "a|xb"],
  ["a\nb", `ox${ESC}`, "a\n|x\nb"],
  ["a\nb", `jOx${ESC}`, "a\n|x\nb"],
  ["ab", `sx${ESC}`, "|xb"],
])("in %j %j changes to %j", (text, keys, result) => {
  expect(shown(text, keys)).toBe(result);
  expect(vim(text, keys).vim.mode).toBe("normal");
});

test("the dot does the last change again, the typed text too", () => {
  expect(shown("one two three", `cwx${ESC}w.`)).toBe("x |x three");
  expect(shown("abcdef", "x..")).toBe("|def");
  expect(shown("abcdef", "x3.")).toBe("|ef");
  expect(shown("a\nb\nc\nd", "ddj.")).toBe("b\n|d");
  expect(shown("one two", `cwx${ESC}uw.`)).toBe("one |x");
});

test("an insert is undone as one step", () => {
  expect(shown("one two", `cwsome new words${ESC}u`)).toBe("|one two");
  expect(shown("one", `Afour five six${ESC}u`)).toBe("on|e");
});

test("what vim does not know is left to the other keys, and an unfinished command to ESC", () => {
  const enter = createKeyDecoder().feed(Buffer.from("\r"))[0]!;
  expect(vimKey({ ...emptyVim, mode: "normal" }, emptyEditor, enter).passed).toBe(true);
  const [esc] = createKeyDecoder().feed(Buffer.from(ESC));
  expect(vimKey({ ...emptyVim, mode: "normal", pending: "2d" }, emptyEditor, esc!)).toMatchObject({
    passed: false,
    vim: { pending: "" },
  });
  expect(vimKey({ ...emptyVim, mode: "normal" }, emptyEditor, esc!).passed).toBe(true);
});

test("whatever is typed, the cursor stays on the text and undo leads back", () => {
  const letters = fc.constantFrom(..."hjklwbe0$^gGxXdcyprDCsSuiIaAoO.123 \x12é日", ESC, "\r");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), fc.array(letters, { maxLength: 30 }), (text, keys) => {
      const { editor } = vim(`${text}\n two`, keys.join("") + ESC);
      expect(editor.cursor).toBeLessThanOrEqual(editor.text.length);
      expect(editor.text.isWellFormed()).toBe(true);
      let back = editor;
      while (back.undo.length > 0) back = edit(back, { type: "undo" });
      expect(back.text).toBe("");
    }),
    { numRuns: 300 },
  );
});
