import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { diskFiles } from "../../src/workspace/disk-files.ts";
import { memoryFiles } from "../../src/workspace/memory-files.ts";
import type { ProjectFiles } from "../../src/workspace/project-files.ts";

const env = { PLACE: "somewhere", EMPTY: "" };

describe.each(["on disk", "in memory"])("project files %s", (where) => {
  let root: string;
  let files: ProjectFiles;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "aura-files-"));
    files =
      where === "on disk"
        ? diskFiles({ stateDir: join(root, ".state"), home: "/home/me", env })
        : memoryFiles({ home: "/home/me", env });
    await files.makeDirectory(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const at = (path: string) => join(root, path);
  const put = (path: string, text: string) =>
    files.apply([{ kind: "write", path: at(path), bytes: Buffer.from(text) }]);
  const text = async (path: string) => Buffer.from(await files.read(at(path))).toString();

  test("a relative path is joined to cwd, and blanks around it go", async () => {
    expect(await files.resolve("  sub/a.txt ", root)).toBe(at("sub/a.txt"));
    expect(await files.resolve("../x", "/a/b")).toBe("/a/x");
    expect(await files.resolve("/etc/hosts", root)).toBe("/etc/hosts");
  });

  test("~ is the home directory, unless there is such a file", async () => {
    expect(await files.resolve("~", root)).toBe("/home/me");
    expect(await files.resolve("~/a", root)).toBe("/home/me/a");
    expect(await files.resolve("~other/a", root)).toBe(at("~other/a"));
    await put("~/a", "x");
    expect(await files.resolve("~/a", root)).toBe(at("~/a"));
    expect(await files.resolve("~/new", root)).toBe(at("~/new"));
  });

  test("only set variables are expanded, and never to nothing", async () => {
    expect(await files.resolve("$PLACE/a", root)).toBe(at("somewhere/a"));
    expect(await files.resolve(`x/$\{PLACE}.ts`, root)).toBe(at("x/somewhere.ts"));
    expect(await files.resolve("routes/$id.tsx", root)).toBe(at("routes/$id.tsx"));
    expect(await files.resolve(`$EMPTY/$\{EMPTY}/$`, root)).toBe(at(`$EMPTY/$\{EMPTY}/$`));
  });

  test("a name with a set variable is literal where it exists", async () => {
    await put("$PLACE.ts", "x");
    await put("$PLACE/old.ts", "x");
    expect(await files.resolve("$PLACE.ts", root)).toBe(at("$PLACE.ts"));
    expect(await files.resolve("$PLACE/new.ts", root)).toBe(at("$PLACE/new.ts"));
  });

  test.each([
    ["/", "resolving /: path cannot be root '/'"],
    [" // ", "resolving //: path cannot be root '/'"],
    ["   ", 'resolving "": path is empty'],
    ["a\0b", 'resolving "a\\u0000b": path contains a NUL'],
  ])("the path %j is refused", async (path, message) => {
    await expect(files.resolve(path, root)).rejects.toThrow(message);
  });

  test("reading gives the bytes, and names what is wrong in one line", async () => {
    await put("a.txt", "hello");
    expect(await text("a.txt")).toBe("hello");
    await expect(files.read(at("none"))).rejects.toThrow(`reading ${at("none")}: no such file or directory`);
    await expect(files.read(root)).rejects.toThrow(`reading ${root}: is a directory, not a file`);
  });

  test("stat tells files, directories and nothing apart", async () => {
    await put("d/a.txt", "hello");
    expect(await files.stat(at("d/a.txt"))).toMatchObject({ kind: "file", size: 5 });
    expect(await files.stat(at("d"))).toMatchObject({ kind: "directory" });
    expect(await files.stat(at("none"))).toBeUndefined();
    expect(await files.stat(at("d/a.txt/below"))).toBeUndefined();
  });

  test("list names the children, sorted", async () => {
    await put("d/b.txt", "");
    await put("d/a/x", "");
    expect(await files.list(at("d"))).toEqual([
      { name: "a", kind: "directory" },
      { name: "b.txt", kind: "file" },
    ]);
    await expect(files.list(at("none"))).rejects.toThrow(`listing ${at("none")}: no such file or directory`);
    await expect(files.list(at("d/b.txt"))).rejects.toThrow(`listing ${at("d/b.txt")}: is not a directory`);
  });

  test("makeDirectory makes parents and tells whether it was there", async () => {
    expect(await files.makeDirectory(at("x/y/z"))).toBe(true);
    expect(await files.makeDirectory(at("x/y/z"))).toBe(false);
    expect(await files.makeDirectory(at("x"))).toBe(false);
    await put("f", "");
    await expect(files.makeDirectory(at("f"))).rejects.toThrow("path exists but is not a directory");
    await expect(files.makeDirectory(at("f/g"))).rejects.toThrow("is a file, not a directory");
  });

  test("apply writes and removes as one", async () => {
    await put("old", "1");
    await put("kept", "1");
    await files.apply([
      { kind: "write", path: at("deep/new"), bytes: Buffer.from("n") },
      { kind: "write", path: at("kept"), bytes: Buffer.from("2") },
      { kind: "remove", path: at("old") },
    ]);
    expect([await text("deep/new"), await text("kept"), await files.stat(at("old"))]).toEqual(["n", "2", undefined]);
  });

  test.each<[string, (at: (path: string) => string) => Parameters<ProjectFiles["apply"]>[0][number], string]>([
    ["a missing file to remove", (at) => ({ kind: "remove", path: at("none") }), "no such file or directory"],
    [
      "a directory in the way",
      (at) => ({ kind: "write", path: at("d"), bytes: Buffer.of() }),
      "is a directory, not a file",
    ],
    ["a directory to remove", (at) => ({ kind: "remove", path: at("d") }), "is a directory, not a file"],
    [
      "a file as a parent",
      (at) => ({ kind: "write", path: at("a/x"), bytes: Buffer.of() }),
      "is a file, not a directory",
    ],
  ])("with %s nothing is applied", async (_, wrong, reason) => {
    await put("a", "1");
    await put("d/x", "1");
    const change = { kind: "write", path: at("a"), bytes: Buffer.from("2") } as const;
    await expect(files.apply([change, wrong(at)])).rejects.toThrow(reason);
    expect(await text("a")).toBe("1");
    expect((await files.list(root)).map((entry) => entry.name).filter((name) => name !== ".state")).toEqual(["a", "d"]);
  });

  test("a new file gets the mode it is given, an old one keeps its own", async () => {
    await files.apply([{ kind: "write", path: at("run"), bytes: Buffer.of(), mode: 0o755 }]);
    await put("run", "again");
    expect((await files.stat(at("run")))?.mode).toBe(0o755);
  });

  test("exclusive work waits for its turn, also after a failure", async () => {
    const order: string[] = [];
    const work = (name: string, fails = false) =>
      files.exclusively(async () => {
        order.push(`${name} starts`);
        await files.stat(root);
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([work("a", true), work("b"), work("c")]);
    expect(results.map((result) => result.status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(order).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  });

  test("bytes handed over are not shared with the caller", async () => {
    const bytes = Buffer.from("one");
    await files.apply([{ kind: "write", path: at("a"), bytes }]);
    bytes.fill(0);
    expect(await text("a")).toBe("one");
  });

  test.runIf(where === "on disk")("what is written is on the disk", async () => {
    await put("a", "real");
    expect(await readFile(at("a"), "utf8")).toBe("real");
  });
});
