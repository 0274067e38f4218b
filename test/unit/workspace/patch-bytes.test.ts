import fc from "fast-check";
import { expect, test } from "vitest";
import { applyChunks } from "../../../src/workspace/patch-apply.ts";
import { PatchProblem, parsePatch } from "../../../src/workspace/patch-parse.ts";
import { documentBytes, openDocument } from "../../../src/workspace/text-document.ts";

type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "windows-1252";

/** An encoder of the test's own, so that it does not agree with ours by construction. */
function encode(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text);
    case "utf-8-bom":
      return Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(text)]);
    case "utf-16le":
      return Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")]);
    case "utf-16be":
      return Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(text, "utf16le").swap16()]);
    case "windows-1252":
      return Buffer.from(text, "latin1");
  }
}

interface Line {
  text: string;
  ending: string;
}

const file = fc
  .constantFrom<Encoding>("utf-8", "utf-8-bom", "utf-16le", "utf-16be", "windows-1252")
  .chain((encoding) => {
    const text =
      encoding === "windows-1252"
        ? fc.string({ unit: fc.constantFrom(..."ab \t*@+-\\é\u00a0ÿ§") })
        : fc.oneof(
            fc.string({ unit: fc.constantFrom(..."ab \t*@+-\\") }),
            fc.string({ unit: "grapheme" }).map((line) => line.replace(/[\r\n]/g, "")),
          );
    const ending = fc.constantFrom("\n", "\r\n");
    const lines = fc.array(fc.record<Line>({ text, ending }), { minLength: 1, maxLength: 25 });
    return fc.record({
      encoding: fc.constant(encoding),
      lines,
      closed: fc.boolean(),
      fresh: fc.array(text, { maxLength: 4 }),
    });
  })
  // A last line without text and end is no line, and this text must not be taken for UTF-8.
  .map(({ encoding, lines, closed, fresh }) => {
    const marked = encoding === "windows-1252" ? [{ text: "é!", ending: "\n" }, ...lines] : lines;
    // The number makes every line its own, so that there is one right place.
    const all = marked.map(({ text, ending }, index) => ({ text: `${text}${index}`, ending }));
    return {
      encoding,
      fresh,
      lines: all.map((line, i) => (closed || i < all.length - 1 ? line : { ...line, ending: "" })),
    };
  });

test("a patch made from an edit gives exactly the edited bytes, in every encoding and ending", () => {
  fc.assert(
    fc.property(file, fc.nat(), fc.nat(), fc.boolean(), ({ encoding, lines, fresh }, a, b, crlfPatch) => {
      const from = a % lines.length;
      const to = from + (b % (lines.length - from + 1));
      const before = Math.max(0, from - 2);
      const after = Math.min(lines.length, to + 2);
      const text = (all: readonly Line[]) => all.map((line) => line.text + line.ending).join("");

      const patch = [
        "*** Begin Patch",
        "*** Update File: a",
        ...lines.slice(before, from).map((line) => ` ${line.text}`),
        ...lines.slice(from, to).map((line) => `-${line.text}`),
        ...fresh.map((line) => `+${line}new`),
        ...lines.slice(to, after).map((line) => ` ${line.text}`),
        "*** End Patch",
      ].join(crlfPatch ? "\r\n" : "\n");
      const bytes = encode(text(lines), encoding);
      const [operation] = parsePatch(patch);
      if (operation?.kind !== "update") throw new Error("not an update");
      fc.pre(operation.chunks.length > 0);
      const document = openDocument(bytes);
      const result = documentBytes(applyChunks(document, operation.chunks, "a").document);

      const dominant = dominantOf(lines);
      const open = lines.at(-1)?.ending === "";
      const edited = [
        ...lines.slice(0, from),
        ...fresh.map((line) => ({ text: `${line}new`, ending: dominant })),
        ...lines.slice(to),
      ].map((line, index, all) => {
        const isLast = index === all.length - 1;
        return { text: line.text, ending: isLast && open ? "" : line.ending || dominant };
      });
      expect(hex(result)).toBe(encode(text(edited), encoding).toString("hex"));
    }),
    { numRuns: 600 },
  );
});

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

function dominantOf(lines: readonly Line[]): string {
  const ended = lines.filter((line) => line.ending !== "");
  const crlf = ended.filter((line) => line.ending === "\r\n").length;
  if (crlf * 2 === ended.length) return ended[0]?.ending ?? "\n";
  return crlf * 2 > ended.length ? "\r\n" : "\n";
}

test("opening and writing back any bytes changes none", () => {
  fc.assert(
    fc.property(
      fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]),
      fc.uint8Array({ maxLength: 200 }),
      (mark, body) => {
        const bytes = Buffer.concat([Buffer.from(mark), body]);
        expect(hex(documentBytes(openDocument(bytes)))).toBe(hex(bytes));
      },
    ),
    { numRuns: 1000 },
  );
});

test("any chunk on any bytes either fits or is refused, and bytes outside it stay", () => {
  const line = fc.oneof(fc.constantFrom("a", "b", "", " a", "a ", "}", "\ta"), fc.string());
  const diffLine = fc.tuple(fc.constantFrom(" ", "+", "-", "@@", "@@ ", ""), line).map(([sign, text]) => sign + text);
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom("\n", "\r\n"),
      fc.array(diffLine, { minLength: 1, maxLength: 8 }),
      (lines, ending, diff) => {
        const bytes = Buffer.from(lines.join(ending));
        const [operation] = parsePatch(["*** Begin Patch", "*** Update File: a", ...diff].join("\n"));
        if (operation?.kind !== "update") return;
        try {
          const { document } = applyChunks(openDocument(bytes), operation.chunks, "a");
          const kept = document.lines.filter((known) => known.origin > 0).map((known) => known.origin);
          // Lines of the file keep their order and are never doubled.
          expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
          const added = diff.filter((text) => text.startsWith("+")).length;
          expect(document.lines.length - kept.length).toBeLessThanOrEqual(added);
        } catch (error) {
          expect(error).toBeInstanceOf(PatchProblem);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test("a damaged UTF-16 file keeps its odd byte and its lone surrogates", () => {
  const bytes = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("a\nb\ud800c\nd\n", "utf16le"), Buffer.of(0x41)]);
  const [operation] = parsePatch("*** Begin Patch\n*** Update File: a\n-a\n+x");
  if (operation?.kind !== "update") throw new Error("not an update");
  const result = documentBytes(applyChunks(openDocument(bytes), operation.chunks, "a").document);
  const expected = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("x\nb\ud800c\nd\n", "utf16le"), Buffer.of(0x41)]);
  expect(hex(result)).toBe(expected.toString("hex"));
});

test("a line put back as it was keeps its own ending", () => {
  const [operation] = parsePatch("*** Begin Patch\n*** Update File: a\n-one\n-two\n+one\n+2");
  if (operation?.kind !== "update") throw new Error("not an update");
  const { document, touched } = applyChunks(openDocument(Buffer.from("one\r\ntwo\nthree\n")), operation.chunks, "a");
  expect(Buffer.from(documentBytes(document)).toString()).toBe("one\r\n2\nthree\n");
  expect(touched).toEqual([1, 2]);
});

test("long runs of equal lines are searched in linear time", () => {
  const bytes = Buffer.from("same\n".repeat(100_000));
  const old = Array.from({ length: 20_000 }, () => "-same");
  const [operation] = parsePatch(["*** Begin Patch", "*** Update File: a", ...old, "-other"].join("\n"));
  if (operation?.kind !== "update") throw new Error("not an update");
  expect(() => applyChunks(openDocument(bytes), operation.chunks, "a")).toThrow("The first 20000 lines are at line 1,");
});
