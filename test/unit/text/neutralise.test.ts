import fc from "fast-check";
import { expect, test } from "vitest";
import { neutralise, reveal } from "../../../src/text/neutralise.ts";

test("colours, titles and cursor movement vanish, the words stay", () => {
  expect(neutralise("a\x1b[31mred\x1b[0m \x1b]0;title\x07b\x1b[2J\x1b[Hc \x9b5nd \x1bP+q\x1b\\e")).toBe("ared bc d e");
});

test("a line that was overwritten shows its last writing", () => {
  expect(neutralise("10%\r50%\r100%\r\ndone\r")).toBe("100%\ndone");
});

test("stray controls and bidirectional overrides become visible", () => {
  expect(neutralise("a\x07b\x7f\u202ec")).toBe("a␇b␡<U+202E>c");
});

test("what is to be judged is shown whole", () => {
  expect(reveal("rm x\x1b[8m; rm y\rls")).toBe("rm x␛[8m; rm y␍ls");
});

test("nothing that is left can control a terminal", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(
          "\x1b",
          "[",
          "]",
          "\x9b",
          "\x90",
          "m",
          "1",
          ";",
          "\x07",
          "\\",
          "\r",
          "\n",
          "a",
          "\u202e",
          "é",
        ),
      }),
      (text) => {
        expect(neutralise(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
        expect(reveal(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      },
    ),
    { numRuns: 1000 },
  );
});
