import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clipLine, cutBytes, cutMiddle, shortenMiddle } from "../../../src/text/truncate.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1)).join("\n");

describe("cutMiddle", () => {
  test("leaves a text alone that has as many lines as allowed", () => {
    expect(cutMiddle(numbered(5), { maxLines: 5, headLines: 2, tailLines: 1 })).toBeUndefined();
  });

  test("keeps head and tail and counts what is between them", () => {
    expect(cutMiddle(numbered(6), { maxLines: 5, headLines: 2, tailLines: 1 })).toEqual({
      head: "1\n2",
      tail: "6",
      cut: 3,
    });
  });

  test("counts a final newline as one more line", () => {
    expect(cutMiddle("a\nb\n", { maxLines: 2, headLines: 1, tailLines: 1 })).toEqual({ head: "a", tail: "", cut: 1 });
  });

  test("never lets head and tail overlap", () => {
    expect(cutMiddle(numbered(6), { maxLines: 5, headLines: 4, tailLines: 4 })).toBeUndefined();
    expect(cutMiddle(numbered(6), { maxLines: 0, headLines: 9, tailLines: 9 })).toBeUndefined();
  });

  test("takes a limit of 0 as always, and negative head or tail as none", () => {
    expect(cutMiddle("a\nb", { maxLines: 0, headLines: 0, tailLines: -3 })).toEqual({ head: "", tail: "", cut: 2 });
  });

  test("loses no line: head, cut and tail are the whole", () => {
    const limit = fc.integer({ min: -2, max: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), limit, limit, limit, (count, maxLines, headLines, tailLines) => {
        const text = numbered(count);
        const parts = cutMiddle(text, { maxLines, headLines, tailLines });
        if (!parts) return;
        const lines = text.split("\n");
        const head = Math.min(Math.max(headLines, 0), count);
        expect(parts.head).toBe(lines.slice(0, head).join("\n"));
        expect(parts.tail).toBe(lines.slice(head + parts.cut).join("\n"));
        expect(parts.cut).toBeGreaterThan(0);
      }),
    );
  });
});

describe("shortenMiddle", () => {
  const limits = { maxLines: 3, headLines: 1, tailLines: 1 };

  test("says how much is missing and where the whole text was saved", async () => {
    const saved: string[] = [];
    const short = await shortenMiddle(numbered(5), limits, async (text) => {
      saved.push(text);
      return "/tmp/full.txt";
    });
    expect(short).toEqual({
      text: "1\n... (3 lines truncated, full output: /tmp/full.txt) ...\n5",
      fullTextFile: "/tmp/full.txt",
    });
    expect(saved).toEqual([numbered(5)]);
  });

  test("says so when the whole text could not be saved", async () => {
    const failing = () => Promise.reject(new Error("disk full"));
    expect(await shortenMiddle(numbered(5), limits, failing)).toEqual({
      text: "1\n... (3 lines truncated, full output: (temp file creation failed)) ...\n5",
    });
  });

  test("does not save a text that stays whole", async () => {
    expect(await shortenMiddle("a\nb", limits, () => Promise.reject(new Error("not needed")))).toEqual({
      text: "a\nb",
    });
  });
});

test("cutBytes keeps whole characters within the limit, and as many as fit", () => {
  expect(cutBytes("äöü", 5)).toBe("äö");
  expect(cutBytes("a😀b", 4)).toBe("a");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 40 }), (text, max) => {
      const cut = cutBytes(text, max);
      expect(text.startsWith(cut)).toBe(true);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(max);
      const next = [...text.slice(cut.length)][0];
      if (next !== undefined) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(max);
    }),
  );
});

test("clipLine says how much it left out and splits no character", () => {
  expect(clipLine("short", 5)).toBe("short");
  expect(clipLine("abcdefgh", 5)).toBe("abcde… [+3 chars]");
  expect(clipLine("abcd😀fgh", 5)).toBe("abcd… [+5 chars]");
});
