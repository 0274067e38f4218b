import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyTypewriter, type TypedEvent, typeInto } from "../../../../ui/simple/typewriter.ts";

function type(keys: string, hidden = false) {
  const { state, echo, events } = typeInto({ ...emptyTypewriter, history: ["older", "newer"] }, keys, "> ", hidden);
  return { text: state.text, echo, events };
}

test.each<[string, string, string, readonly TypedEvent[]]>([
  ["ab\x7fc", "ac", "ab\b \bc", []],
  ["日\x7f", "", "日\b\b  \b\b", []],
  ["\x7f\x7f", "", "", []],
  ["one two\x17", "one ", "one two\b\b\b   \b\b\b", []],
  ["one\x15x", "x", "one\n> x", []],
  ["one\x03", "", "one\n> ", []],
  ["\x03", "", "", [{ type: "interrupt" }]],
  ["x\x04", "x", "x", []],
  ["\x04", "", "", [{ type: "end" }]],
  ["hi\r", "", "hi\n", [{ type: "line", text: "hi" }]],
  ["hi\r\n", "", "hi\n", [{ type: "line", text: "hi" }]],
  ["a\rb\rc", "c", "a\nb\nc", [{ type: "pasted", lines: ["a", "b"] }]],
  ["/t\t", "/t", "/t", [{ type: "complete" }]],
  ["\x1b[A\x1b[A\x1b[B", "newer", "\n> newer\n> older\n> newer", []],
  ["a\x1b[1;5C\x1b[3~\x1bOP\x1bxb\x00\x01", "ab", "ab", []],
])("%j leaves %j", (keys, text, echo, events) => {
  expect(type(keys)).toEqual({ text, echo, events });
});

test("a secret is not echoed, only its end", () => {
  expect(type("hun\x7fter2\t\x1b[A\r", true)).toEqual({
    text: "",
    echo: "\n",
    events: [{ type: "line", text: "huter2" }],
  });
});

test("a sequence that comes in two pieces is still one", () => {
  const first = typeInto(emptyTypewriter, "a\x1b[1", "> ", false);
  expect(typeInto(first.state, ";5Db", "> ", false)).toMatchObject({ state: { text: "ab" }, echo: "b" });
});

test("no keys make it write an escape sequence", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("\x1b", "[", "A", "O", "\x7f", "\r", "\x9b", "é", "日", "\x15", "\t") }),
      (keys) => {
        expect(typeInto({ ...emptyTypewriter, history: ["\x1b[2J"] }, keys, "> ", false).echo).not.toMatch(
          /[\x1b\x9b]/,
        );
      },
    ),
  );
});
