import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { captureOutput } from "../../../src/system/output-capture.ts";

function capture(chunks: readonly (string | Buffer)[], maxBytes = 0) {
  const lines: string[] = [];
  const output = captureOutput(maxBytes, (line) => void lines.push(line));
  for (const chunk of chunks) output.push(Buffer.from(chunk));
  output.end();
  return { text: output.text(), capped: output.capped, lines };
}

describe("the text", () => {
  test("is everything that was pushed, characters split between chunks included", () => {
    const bytes = Buffer.from("aäb\n");
    expect(capture([bytes.subarray(0, 2), bytes.subarray(2)])).toEqual({
      text: "aäb\n",
      capped: false,
      lines: ["aäb"],
    });
  });

  test("is cut at the cap, between characters, and what comes later is lost", () => {
    expect(capture(["aä", "ö", "b"], 4)).toEqual({ text: "aä", capped: true, lines: ["aä\ufffd"] });
  });

  test("of exactly the cap is whole", () => {
    expect(capture(["ab", "cd"], 4)).toMatchObject({ text: "abcd", capped: false });
  });

  test("is never longer than the cap, and a beginning of what was written", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 50 }), (chunks, max) => {
        const { text, capped } = capture(chunks, max);
        const whole = chunks.join("");
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max);
        expect(whole.startsWith(text)).toBe(true);
        expect(capped).toBe(Buffer.byteLength(whole) > max);
      }),
    );
  });
});

describe("the lines", () => {
  test("come complete, the last one without its newline at the end", () => {
    expect(capture(["one\ntw", "o\n\nthr", "ee"]).lines).toEqual(["one", "two", "", "three"]);
  });

  test("of a progress display are its states, and a CRLF is one line end", () => {
    expect(capture(["1%\r2%\r", "3%\r", "\ndone\r\n", "last\r"]).lines).toEqual(["2%", "3%", "done", "last"]);
  });

  test("without an end stay small", () => {
    const { lines } = capture(Array.from({ length: 100 }, () => "x".repeat(1000)));
    expect(lines).toHaveLength(1);
    expect(lines[0]!.length).toBeLessThanOrEqual(4096);
  });

  test("are the same however the bytes are divided", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "ä", "\n") }),
        fc.integer({ min: 1, max: 5 }),
        (text, size) => {
          const bytes = Buffer.from(text);
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          expect(capture(chunks).lines).toEqual(capture([bytes]).lines);
        },
      ),
    );
  });
});
