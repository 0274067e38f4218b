import fc from "fast-check";
import { expect, test } from "vitest";
import { graphemes } from "../../../../src/text/width.ts";
import { atEdge, layOut } from "../../../../ui/tui/editor-layout.ts";
import {
  afterSending,
  type EditorAction,
  type EditorState,
  edit,
  emptyEditor,
  plainText,
  type SimpleAction,
} from "../../../../ui/tui/editor-state.ts";

function after(...actions: (EditorAction | SimpleAction | { insert: string })[]): EditorState {
  return actions.reduce<EditorState>((state, action) => {
    if (typeof action === "string") return edit(state, { type: action });
    return edit(state, "insert" in action ? { type: "insert", text: action.insert } : action);
  }, emptyEditor);
}
const shown = (state: EditorState) => `${state.text.slice(0, state.cursor)}|${state.text.slice(state.cursor)}`;

test("deleting and moving go by what a reader sees as characters", () => {
  expect(shown(after({ insert: "ae\u0301👩‍👩‍👧x" }, "left", "delete-left"))).toBe("ae\u0301|x");
  expect(shown(after({ insert: "ae\u0301👩‍👩‍👧x" }, "left", "left", "left", "delete-right"))).toBe("a|👩‍👩‍👧x");
});

test("words are cut and come back, cuts in a row as one", () => {
  const cut = after({ insert: "one two, three" }, "kill-word-left", "kill-word-left");
  expect(shown(cut)).toBe("one |");
  expect(shown(edit(edit(cut, { type: "text-start" }), { type: "yank" }))).toBe("two, three|one ");
});

test("yank-earlier replaces what was just put back", () => {
  const state = after(
    { insert: "one" },
    "kill-line-left",
    { insert: "two" },
    "left",
    "line-end",
    "kill-line-left",
    "yank",
    "yank-earlier",
  );
  expect(shown(state)).toBe("one|");
});

test("a large paste is one atom on the screen and whole when sent", () => {
  const text = Array.from({ length: 214 }, (_, line) => `line ${line}`).join("\n");
  const state = after({ insert: "see " }, { type: "paste", text }, { insert: " end" });
  expect(layOut(state, 40).rows.map((row) => row.text)).toEqual(["see [pasted 214 lines] end"]);
  expect(plainText(state)).toBe(`see ${text} end`);
  expect(plainText(after({ insert: "see " }, { type: "paste", text }, "delete-left"))).toBe("see ");
});

test("a small paste is text, with its line ends normalised", () => {
  expect(after({ type: "paste", text: "a\r\nb\rc" }).text).toBe("a\nb\nc");
});

test("undo goes back word by word and redo forth", () => {
  const typed = after(...[..."one two"].map((letter) => ({ insert: letter })));
  const back = edit(typed, { type: "undo" });
  expect([plainText(back), plainText(edit(back, { type: "undo" })), plainText(edit(back, { type: "redo" }))]).toEqual([
    "one",
    "",
    "one two",
  ]);
});

test("up and down keep the column and stop at the edges", () => {
  const state = after({ insert: "abcdef\nxy\nlast row" });
  const up = edit(state, { type: "up", width: 20 });
  expect(shown(up)).toBe("abcdef\nxy|\nlast row");
  expect([atEdge(state, 1, 20), atEdge(state, -1, 20), atEdge(edit(up, { type: "up", width: 20 }), -1, 20)]).toEqual([
    true,
    false,
    true,
  ]);
});

test("rows never exceed the width, and the caret stands where the next character goes", () => {
  const state = after({ insert: "日本語日本語" });
  expect(layOut(state, 5)).toEqual({
    rows: [
      { start: 0, end: 2, text: "日本" },
      { start: 2, end: 4, text: "語日" },
      { start: 4, end: 6, text: "本語" },
    ],
    caret: { row: 2, column: 4 },
  });
});

const simple: SimpleAction[] = [
  "newline",
  "left",
  "right",
  "word-left",
  "word-right",
  "line-start",
  "line-end",
  "text-start",
  "text-end",
  "delete-left",
  "delete-right",
  "kill-word-left",
  "kill-word-right",
  "kill-line-left",
  "kill-line-right",
  "yank",
  "yank-earlier",
  "transpose",
  "undo",
  "redo",
  "expand-paste",
  "clear",
];
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("👩‍👩‍👧", "e\u0301", "\u0301", "\u200d", "日本", "a b", "\r\n", "\u{100000}", "\ud800", "🇩🇪🇫🇷"),
);
const action: fc.Arbitrary<EditorAction> = fc.oneof(
  fc.constantFrom(...simple).map((type): EditorAction => ({ type })),
  text.map((inserted): EditorAction => ({ type: "insert", text: inserted })),
  text.map((pasted): EditorAction => ({ type: "paste", text: pasted.repeat(3) })),
  text.map((whole): EditorAction => ({ type: "set", text: whole })),
  fc.constantFrom<EditorAction>({ type: "up", width: 7 }, { type: "down", width: 7 }),
);

/** Every offset between two characters; line feeds and atoms stand alone. */
function boundaries(text: string): number[] {
  const parts = text.split(/(\n|[\u{100000}-\u{10fffd}])/u).flatMap((part) => graphemes(part));
  const ends = [0];
  for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.length);
  return ends;
}

test("after any keys the cursor is between characters, the text is well formed, and every row fits", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      let state = emptyEditor;
      for (const one of actions) {
        state = edit(state, one);
        expect(state.cursor).toBeGreaterThanOrEqual(0);
        expect(state.cursor).toBeLessThanOrEqual(state.text.length);
        expect(state.text.isWellFormed()).toBe(true);
        expect(state.text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(boundaries(state.text)).toContain(state.cursor);
        const layout = layOut(state, 60);
        expect(layout.rows[layout.caret.row]).toBeDefined();
      }
    }),
    { numRuns: 300 },
  );
});

test("undoing everything restores every earlier text", () => {
  fc.assert(
    fc.property(
      fc.array(
        action.filter(({ type }) => type !== "undo" && type !== "redo"),
        { maxLength: 30 },
      ),
      (actions) => {
        const done = actions.reduce(edit, emptyEditor);
        // Newest first, so the number of steps that can be redone is an index.
        const trail = [done.text];
        let state = done;
        while (state.undo.length > 0) {
          state = edit(state, { type: "undo" });
          trail.push(state.text);
        }
        expect(state.text).toBe("");
        while (state.redo.length > 0) {
          state = edit(state, { type: "redo" });
          expect(state.text).toBe(trail[state.redo.length]);
        }
        expect(state.text).toBe(done.text);
      },
    ),
    { numRuns: 300 },
  );
});

/**
 * The simplest editor there could be: characters left and right of the cursor. Only text whose characters never merge,
 * and no atoms, so that it needs no knowledge of either.
 */
class Model {
  left: string[] = [];
  right: string[] = [];

  get text(): string {
    return [...this.left, "|", ...this.right].join("");
  }
  insert(text: string): void {
    this.left.push(...text);
  }
  /** How many characters to the left until one satisfies `stop`. */
  leftUntil(stop: (character: string) => boolean): number {
    const at = this.left.findLastIndex(stop);
    return this.left.length - 1 - at;
  }
  rightUntil(stop: (character: string) => boolean): number {
    const at = this.right.findIndex(stop);
    return at < 0 ? this.right.length : at;
  }
  go(by: number): void {
    if (by < 0) this.right.unshift(...this.left.splice(Math.max(0, this.left.length + by)));
    else this.left.push(...this.right.splice(0, by));
  }
  wordLeft(): number {
    const blanks = this.leftUntil((one) => isLetter(one));
    const before = this.left.slice(0, this.left.length - blanks);
    return blanks + (before.length - 1 - before.findLastIndex((one) => !isLetter(one)));
  }
  wordRight(): number {
    const blanks = this.rightUntil((one) => isLetter(one));
    const behind = this.right.slice(blanks);
    const letters = behind.findIndex((one) => !isLetter(one));
    return blanks + (letters < 0 ? behind.length : letters);
  }
  cut(by: number): string {
    const text = by < 0 ? this.left.splice(Math.max(0, this.left.length + by)) : this.right.splice(0, by);
    return text.join("");
  }
}
const isLetter = (character: string) => /[\p{L}\p{N}_]/u.test(character);
const isLineFeed = (character: string) => character === "\n";

const MODEL: Partial<Record<SimpleAction, (model: Model) => void>> = {
  newline: (model) => model.insert("\n"),
  left: (model) => model.go(-1),
  right: (model) => model.go(1),
  "word-left": (model) => model.go(-model.wordLeft()),
  "word-right": (model) => model.go(model.wordRight()),
  "line-start": (model) => model.go(-model.leftUntil(isLineFeed)),
  "line-end": (model) => model.go(model.rightUntil(isLineFeed)),
  "text-start": (model) => model.go(-model.left.length),
  "text-end": (model) => model.go(model.right.length),
  "delete-left": (model) => model.cut(-1),
  "delete-right": (model) => model.cut(1),
  "kill-word-left": (model) => model.cut(-model.wordLeft()),
  "kill-word-right": (model) => model.cut(model.wordRight()),
  "kill-line-left": (model) => model.cut(-model.leftUntil(isLineFeed)),
  "kill-line-right": (model) => model.cut(Math.max(model.rightUntil(isLineFeed), model.right[0] === "\n" ? 1 : 0)),
  clear: (model) => {
    model.left = [];
    model.right = [];
  },
};

test("any keys do to the text what they do to the simplest editor there could be", () => {
  const known = Object.keys(MODEL) as SimpleAction[];
  const letters = fc.string({ unit: fc.constantFrom(..."ab_9 .-é日\n"), minLength: 1, maxLength: 4 });
  const step = fc.oneof(
    fc.constantFrom(...known),
    letters.map((inserted) => ({ inserted })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model = new Model();
      let state = emptyEditor;
      for (const one of steps) {
        if (typeof one === "string") MODEL[one]?.(model);
        else model.insert(one.inserted);
        state = edit(state, typeof one === "string" ? { type: one } : { type: "insert", text: one.inserted });
        expect(shown(state)).toBe(model.text);
      }
    }),
    { numRuns: 500 },
  );
});

test("a pasted block is shown as text on demand, and that can be undone", () => {
  const text = Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n");
  const pasted = after({ insert: "see " }, { type: "paste", text }, { insert: " end" });
  const expanded = edit(pasted, { type: "expand-paste" });
  expect(expanded.text).toBe(`see ${text} end`);
  expect(edit(expanded, { type: "undo" }).text).toBe(pasted.text);
});

test("a block that was cut can be put back after sending what is left", () => {
  const text = "x".repeat(2_000);
  const cut = after({ type: "paste", text }, "kill-line-left");
  expect(plainText(edit(afterSending(cut), { type: "yank" }))).toBe(text);
  expect(afterSending(after({ type: "paste", text })).pastes).toEqual([]);
});
