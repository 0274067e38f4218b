import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Operation, PatchProblem, parsePatch } from "../../../src/workspace/patch-parse.ts";

const inside = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const update = (...lines: string[]) => {
  const [operation] = parsePatch(inside("*** Update File: a.txt", ...lines));
  if (operation?.kind !== "update") throw new Error("not an update");
  return operation;
};
const add = (...lines: string[]) => parsePatch(inside("*** Add File: a.txt", ...lines))[0];

describe("blocks", () => {
  test("text around the markers is ignored, and blocks are joined", () => {
    const text = [
      "Here:",
      "```",
      inside("*** Delete File: a"),
      "```",
      "and",
      inside("*** Delete File: b"),
      "*** Delete File: c",
    ];
    expect(parsePatch(text.join("\n"))).toEqual([
      { kind: "delete", path: "a" },
      { kind: "delete", path: "b" },
    ]);
  });

  test("a missing end marker is accepted", () => {
    expect(parsePatch("*** Begin Patch\n*** Delete File: a")).toEqual([{ kind: "delete", path: "a" }]);
  });

  test("a patch indented as a whole reads like one that is not", () => {
    const text = inside("*** Update File: a.txt", "@@ f", " keep", "-old", "+new");
    const indented = text.replaceAll(/^/gm, "    ");
    expect(parsePatch(indented)).toEqual(parsePatch(text));
  });

  test("a patch with CRLF line ends reads like one with LF", () => {
    const text = inside("*** Update File: a.txt", "@@ f", " keep", "-old", "+new", "*** Add File: b", "+x");
    expect(parsePatch(text.replaceAll("\n", "\r\n"))).toEqual(parsePatch(text));
  });

  test.each([
    ["no marker", "just text", "no '*** Begin Patch' marker found"],
    ["no operations", inside("hello"), "no operations found in patch"],
    ["no path", inside("*** Add File:   ", "+x"), "patch line 2: '*** Add File:' names no path"],
    ["no target", inside("*** Update File: a", "*** Move to:", "+x"), "patch line 3: '*** Move to:' names no path"],
  ])("%s is refused", (_, text, message) => {
    expect(() => parsePatch(text)).toThrow(PatchProblem);
    expect(() => parsePatch(text)).toThrow(message);
  });
});

describe("Add File", () => {
  test("ends with a line end, keeps inner empty lines and drops those before the next marker", () => {
    expect(add("+a", "", "+", "+b", "", "")).toEqual({
      kind: "add",
      path: "a.txt",
      lines: ["a", "", "", "b"],
      finalNewline: true,
    });
  });

  test("ends without a line end when the patch says so", () => {
    expect(add("+a", "\\ No newline at end of file")).toMatchObject({ lines: ["a"], finalNewline: false });
  });

  test("without a body it is an empty file", () => {
    expect(add()).toEqual({ kind: "add", path: "a.txt", lines: [], finalNewline: true });
  });

  test("lines that look like markers are content after a plus", () => {
    expect(add("+*** End Patch", "+@@ x", "++y")).toMatchObject({ lines: ["*** End Patch", "@@ x", "+y"] });
  });

  test("a body without a single plus is refused instead of writing an empty file", () => {
    expect(() => add("const a = 1;")).toThrow("patch line 3 does not begin with '+'");
  });
});

describe("Update File", () => {
  test("a chunk has context, removed and added lines", () => {
    expect(update("@@ f", " keep", "-old", "+new")).toEqual({
      kind: "update",
      path: "a.txt",
      chunks: [
        {
          headers: ["f"],
          lines: [
            { kind: "context", text: "keep" },
            { kind: "remove", text: "old" },
            { kind: "add", text: "new" },
          ],
          atEnd: false,
        },
      ],
    });
  });

  test("headers below each other narrow one chunk; a header below diff lines opens the next", () => {
    const { chunks } = update("@@ class B", "@@ def run", "-a", "@@ other", "-b");
    expect(chunks.map((chunk) => chunk.headers)).toEqual([["class B", "def run"], ["other"]]);
  });

  test("a unified header is a hint, not context", () => {
    const { chunks } = update(
      "@@ -10,3 +10,4 @@ function f() {",
      "-a",
      "@@ -20 +21 @@",
      "-b",
      "@@",
      "-c",
      "@@ f @@",
      "-d",
    );
    expect(chunks.map(({ headers, hint }) => ({ headers, hint }))).toEqual([
      { headers: [], hint: { start: 10, count: 3 } },
      { headers: [], hint: { start: 20, count: 1 } },
      { headers: [], hint: undefined },
      { headers: ["f"], hint: undefined },
    ]);
  });

  test("markers behind a leading space are content", () => {
    const { chunks } = update(" *** Bold", " *** End of File", " *** Update File: b", " @@ x", "-y");
    expect(chunks.map((chunk) => chunk.lines.map((line) => line.text))).toEqual([
      ["*** Bold", "*** End of File", "*** Update File: b", "@@ x", "y"],
    ]);
  });

  test("End of File closes its chunk and anchors it", () => {
    const { chunks } = update("-a", "*** End of File", "-b");
    expect(chunks.map(({ atEnd, lines }) => ({ atEnd, lines: lines.length }))).toEqual([
      { atEnd: true, lines: 1 },
      { atEnd: false, lines: 1 },
    ]);
  });

  test("empty lines are context inside a chunk and separators after it", () => {
    const { chunks } = update("-a", "", "+b", "", "");
    expect(chunks[0]?.lines).toEqual([
      { kind: "remove", text: "a" },
      { kind: "context", text: "", bare: true },
      { kind: "add", text: "b" },
    ]);
  });

  test("a line without a prefix ends the chunk, and the next one remembers it", () => {
    const { chunks } = update("-a", "oops", "+b");
    expect(chunks.map(({ lines, skipped }) => ({ texts: lines.map((line) => line.text), skipped }))).toEqual([
      { texts: ["a"], skipped: undefined },
      { texts: ["b"], skipped: 4 },
    ]);
  });

  test("Move to names the target", () => {
    expect(update("*** Move to: b.txt")).toEqual({ kind: "update", path: "a.txt", moveTo: "b.txt", chunks: [] });
  });

  test("the no-newline marker of unified diffs speaks about the line above it", () => {
    const end = (...lines: string[]) => update(...lines).chunks[0]?.finalNewline;
    const marker = "\\ No newline at end of file";
    expect(end("-a", marker, "+b")).toBe(true);
    expect(end("-a", "+b", marker)).toBe(false);
    expect(end("-a", marker, "+b", marker)).toBe(false);
    expect(end("-a", "+b")).toBeUndefined();
  });
});

describe("any text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "*** Begin Patch",
      "*** End Patch",
      "*** Add File: a",
      "*** Update File: a",
      "*** Delete File: a",
      "*** Move to: b",
      "*** End of File",
      "*** ",
      " *** x",
      "  *** End of File",
      "@@",
      "@@ x",
      " @@ y",
      "@@ -1,2 +1 @@",
      "",
      " ",
      "+",
      "-",
      "\\ No newline at end of file",
      "\r",
      "\ufeff*** Begin Patch",
    ),
    fc.string(),
    fc.string({ unit: "binary" }),
  );

  test("parses or is refused with PatchProblem, in time that grows with its length only", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        let operations: Operation[] = [];
        try {
          operations = parsePatch(["*** Begin Patch", ...pieces].join("\n"));
        } catch (error) {
          expect(error).toBeInstanceOf(PatchProblem);
        }
        const sizes = operations.map((operation) =>
          operation.kind === "add"
            ? operation.lines.length
            : operation.kind === "update"
              ? operation.chunks.reduce((sum, chunk) => sum + chunk.lines.length + chunk.headers.length, 0)
              : 0,
        );
        // Nothing is made up: there is never more in the operations than there were lines.
        expect(sizes.reduce((sum, size) => sum + size, 0) + operations.length).toBeLessThanOrEqual(
          pieces.join("\n").split("\n").length,
        );
      }),
      { numRuns: 500 },
    );
  });

  test("a hundred thousand structural lines are parsed", () => {
    const text = ["*** Begin Patch", "*** Update File: a", ...Array.from({ length: 100_000 }, () => " *** x")].join(
      "\n",
    );
    const [operation] = parsePatch(text);
    expect(operation?.kind === "update" && operation.chunks[0]?.lines.length).toBe(100_000);
  });
});
