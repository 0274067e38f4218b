import fc from "fast-check";
import { expect, test } from "vitest";
import type { Manner } from "../../../../ui/simple/line.ts";
import { say, sayRest, silence } from "../../../../ui/simple/sentences.ts";

function said(manner: Manner, ...deltas: readonly string[]): string[] {
  let speech = silence;
  const lines: string[] = [];
  for (const delta of deltas) {
    const step = say(speech, delta, manner);
    speech = step.speech;
    lines.push(...step.lines);
  }
  return [...lines, ...sayRest(speech, manner)];
}

test("what is said does not depend on the pieces it came in", () => {
  const pieces = fc.constantFrom(
    "a",
    "B",
    ". ",
    "?",
    "! ",
    "\n",
    "\n\n",
    "```",
    "`x`",
    "e.g. ",
    "# ",
    "**",
    " ",
    "。",
    "\x1b[2J",
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 40 }),
      fc.constantFrom<Manner>("accessible", "simple"),
      (parts, manner) => {
        const text = parts.join("");
        expect(said(manner, ...text)).toEqual(said(manner, text));
      },
    ),
  );
});

test("a sentence is said when the next one begins", () => {
  expect(say(silence, "It works. ", "accessible").lines).toEqual([]);
  expect(say(silence, "It works. N", "accessible").lines).toEqual(["It works."]);
});

test.each([
  ["Use e.g. Node, i.e. V8. See fig. 2 and no. 7.", ["Use e.g. Node, i.e. V8.", "See fig. 2 and no. 7."]],
  ["1. First. Then more.\n2. Second.", ["1. First.", "Then more.", "2. Second."]],
  ['Is it v1.2.3? Yes! (Really.) "So." Fine', ["Is it v1.2.3?", "Yes!", "(Really.)", '"So."', "Fine"]],
  ["これは文です。次の文。", ["これは文です。", "次の文。"]],
  [
    "# Title #\n\n> quoted\n\n---\n- **bold** and [link](http://x)",
    ["Heading: Title", "Quote: quoted", "- bold and link (http://x)"],
  ],
  ["| a | b |\n|---|:-:|\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]],
  ["keep 2**3 and `a ** b`", ["keep 2**3 and a ** b"]],
  ["~~~\n# no heading. None.\n```\n~~~\nafter", ["Code:", "# no heading. None.", "```", "End of code.", "after"]],
  ["```ts\nnever closed", ["Code ts:", "never closed", "End of code."]],
])("%j is read aloud as it is meant", (text, lines) => {
  expect(said("accessible", text)).toEqual(lines);
});

test("for the eye a paragraph stays whole until it is long", () => {
  expect(said("simple", "One. Two. Three.\n\n\nFour.")).toEqual(["One. Two. Three.", "", "", "Four."]);
  const long = `${"word ".repeat(60)}end. `;
  expect(said("simple", `Short. ${long}Next.`)).toEqual([`Short. ${long}`.trimEnd(), "Next."]);
});
