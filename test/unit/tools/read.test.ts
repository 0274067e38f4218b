import { describe, expect, test } from "vitest";
import { read } from "../../../src/tools/read.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const long = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
const show = (content: string | Uint8Array, input: object = {}) =>
  memoryProject({ "a.txt": content }).run(read, { path: "a.txt", ...input });

describe("a whole file", () => {
  test.each([
    ["a\n", "1: a\n2: \n"],
    ["a\nb", "1: a\n2: b\n"],
    ["", "1: \n"],
    ["a\r\nb\r\n", "1: a\r\n2: b\r\n3: \n"],
    ["a\rb", "1: a\n2: b\n"],
  ])("%j is shown with numbers", async (content, shown) => {
    expect(await show(content)).toBe(shown);
  });

  test.each([
    ["UTF-16 LE", Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("é\n", "utf16le")])],
    ["UTF-8 with BOM", Buffer.from("\ufeffé\n")],
    ["Latin-1", Buffer.from("é\n", "latin1")],
  ])("in %s is decoded", async (_, bytes) => {
    expect(await show(bytes)).toBe("1: é\n2: \n");
  });

  test.each([
    ["", "0"],
    ["a\nb\nc\n", "4"],
    ["a\nb", "2"],
  ])("count of %j is %s", async (content, count) => {
    expect(await show(content, { count: true })).toBe(count);
  });

  test("stops after 2,000 lines and says how to go on", async () => {
    const shown = await show(long(3000));
    expect(shown.split("\n").slice(-3)).toEqual([
      "2000: line 2000",
      "[lines 1 to 2000 of 3000 shown; continue with line_start 2001]",
      "",
    ]);
  });

  test("stops after 50,000 bytes and says how to go on", async () => {
    const shown = await show(`${"x".repeat(999)}\n`.repeat(100));
    expect(shown.length).toBeLessThan(50_100);
    expect(shown).toContain("[lines 1 to 49 of 100 shown; continue with line_start 50]");
  });

  test("clips long lines and says so", async () => {
    expect(await show(`${"x".repeat(2500)}\n`)).toBe(
      `1: ${"x".repeat(2000)}… [+500 chars]\n2: \n[long lines were clipped; use Rg or Bash (cut -c) for their rest]\n`,
    );
  });
});

describe("a range", () => {
  test("of a large file is shown as asked", async () => {
    expect(await show(long(2000), { line_start: 5, line_end: 6 })).toBe("5: line 5\n6: line 6\n");
    expect(await show(long(2000), { line_start: 2000 })).toBe("2000: line 2000\n2001: \n");
    expect(await show(long(2000), { line_end: 1 })).toBe("1: line 1\n");
  });

  test("of a small file is ignored, and the output says so", async () => {
    expect(await show("a\nb\n", { line_start: 2 })).toBe(
      "1: a\n2: b\n3: \n[the file is small: the range was ignored and all of it is shown]\n",
    );
    expect(await show("a\nb\n", { line_start: 1, line_end: 3 })).toBe("1: a\n2: b\n3: \n");
  });

  test("past the end names the number of lines as an editor counts them", async () => {
    expect(await show(long(2000), { line_start: 5000 })).toBe(
      "/project/a.txt has 2000 lines; line_start 5000 is past its end.",
    );
    expect(await show("a\n", { line_start: 9 })).toBe("/project/a.txt has 1 line; line_start 9 is past its end.");
  });

  test("that ends before it starts is refused", async () => {
    await expect(show("a\n", { line_start: 3, line_end: 2 })).rejects.toThrow(
      "line_end (2) must not be before line_start (3)",
    );
  });
});

describe("what cannot be shown", () => {
  test("a missing file and a directory are named in one line", async () => {
    const project = memoryProject({ "d/a": "" });
    await expect(project.run(read, { path: "none" })).rejects.toThrow(
      "reading /project/none: no such file or directory",
    );
    await expect(project.run(read, { path: "d" })).rejects.toThrow("reading /project/d: is a directory, not a file");
  });

  test.each([
    [Buffer.from("89504e470d0a1a0a00", "hex"), "is not text: a PNG image, 9 bytes"],
    [Buffer.from("%PDF-1.7\n"), "is not text: a PDF document, 9 bytes"],
    [Buffer.of(0x61, 0, 0x62), "is not text: binary data, 3 bytes"],
  ])("binary files are refused by kind and size", async (bytes, message) => {
    await expect(show(bytes)).rejects.toThrow(message);
  });
});

describe("what counts as read", () => {
  const objection = async (content: string, input: object, lines?: number[]) => {
    const project = memoryProject({ "a.txt": content });
    await project.run(read, { path: "a.txt", ...input });
    return project.access.reads.objection("/project/a.txt", Buffer.from(content), "write", lines)?.kind;
  };

  test("the whole file when all of it was shown", async () => {
    expect(await objection("a\n", {})).toBeUndefined();
    expect(await objection("a\n", { line_start: 2 })).toBeUndefined();
  });

  test("the lines shown of a range or a capped file", async () => {
    expect(await objection(long(2000), { line_start: 5, line_end: 6 }, [5, 6])).toBeUndefined();
    expect(await objection(long(2000), { line_start: 5, line_end: 6 }, [7])).toBe("unseen-lines");
    expect(await objection(long(3000), {}, [2001])).toBe("unseen-lines");
  });

  test("nothing when lines were only counted or none were shown", async () => {
    expect(await objection("a\n", { count: true })).toBe("unread");
    expect(await objection("a\n", { line_start: 9 })).toBe("unread");
  });
});
