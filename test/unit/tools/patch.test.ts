import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { patch } from "../../../src/tools/patch.ts";
import { read } from "../../../src/tools/read.ts";
import { diskFiles } from "../../../src/workspace/disk-files.ts";
import { createReadTracker } from "../../../src/workspace/hash-read-tracker.ts";
import { nodeJournalFs } from "../../../src/workspace/journal-fs.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const block = (...lines: string[]) => ({ patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

async function readProject(files: Record<string, string>) {
  const project = memoryProject(files);
  for (const path of Object.keys(files)) await project.run(read, { path });
  return project;
}

describe("the result", () => {
  test("has a line per operation, and a diff of each", async () => {
    const project = await readProject({ "m.txt": "a\n", "d.txt": "d\n", "r.txt": "r\n" });
    const called = await project.call(
      patch,
      block(
        "*** Add File: n.txt",
        "+n",
        "*** Update File: m.txt",
        "-a",
        "+b",
        "*** Delete File: d.txt",
        "*** Update File: r.txt",
        "*** Move to: sub/s.txt",
        "-r",
        "+s",
      ),
    );
    expect(called).toEqual({
      status: "done",
      output: {
        text: [
          "Success. Updated files:",
          "A /project/n.txt",
          "M /project/m.txt",
          "D /project/d.txt",
          "R /project/r.txt -> /project/sub/s.txt",
        ].join("\n"),
        diff: [
          "--- /dev/null\n+++ n.txt\n@@ -0,0 +1 @@\n+n\n",
          "--- m.txt\n+++ m.txt\n@@ -1 +1 @@\n-a\n+b\n",
          "--- d.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-d\n",
          "rename from r.txt\nrename to sub/s.txt\n--- r.txt\n+++ sub/s.txt\n@@ -1 +1 @@\n-r\n+s\n",
        ].join(""),
      },
    });
    expect(project.files).toEqual({ "m.txt": "b\n", "n.txt": "n\n", "sub/s.txt": "s\n" });
  });

  test("is previewed as the same diff without a change, and as none when the patch does not fit", async () => {
    const project = memoryProject({ "m.txt": "a\n" });
    expect(await project.preview(patch, block("*** Update File: m.txt", "-a", "+b"))).toEqual({
      title: "Patch m.txt",
      diff: "--- m.txt\n+++ m.txt\n@@ -1 +1 @@\n-a\n+b\n",
    });
    await expect(project.preview(patch, block("*** Update File: m.txt", "-x", "+b"))).rejects.toThrow("finding lines");
    expect(project.files).toEqual({ "m.txt": "a\n" });
  });

  test("names every path it writes before it runs", () => {
    const input = block("*** Add File: a", "+x", "*** Update File: b", "*** Move to: c", "*** Delete File: d");
    expect(patch.paths?.(input)).toEqual({ write: ["a", "b", "c", "d"] });
    expect(patch.paths?.({ patch: "nonsense" })).toEqual({ write: [] });
  });
});

describe("read before", () => {
  const change = block("*** Update File: a.txt", "-line 5", "+five");

  test("an unread file is refused, a new one and a deleted one are not", async () => {
    const project = memoryProject({ "a.txt": numbers(9) });
    expect(await project.call(patch, change)).toEqual({
      status: "refused",
      reason: "file was modified or not yet read, it must be read before it is changed: /project/a.txt",
    });
    expect(await project.call(patch, block("*** Add File: a.txt", "+x"))).toMatchObject({ status: "refused" });
    await project.run(patch, block("*** Add File: b.txt", "+x", "*** Delete File: a.txt"));
    expect(project.files).toEqual({ "b.txt": "x\n" });
  });

  test("deleting is refused when the policy says so", async () => {
    const project = memoryProject({ "a.txt": "x" }, { reads: createReadTracker({ write: true, delete: true }) });
    expect(await project.call(patch, block("*** Delete File: a.txt"))).toMatchObject({ status: "refused" });
  });

  test("both ends of a move are asked for", async () => {
    const project = memoryProject({ "a.txt": "a\n", "b.txt": "b\n" });
    await project.run(read, { path: "a.txt" });
    const move = block("*** Update File: a.txt", "*** Move to: b.txt");
    expect(await project.call(patch, move)).toMatchObject({
      status: "refused",
      reason: expect.stringContaining("b.txt"),
    });
    await project.run(read, { path: "b.txt" });
    await project.run(patch, move);
    expect(project.files).toEqual({ "b.txt": "a\n" });
  });

  test("a changed file comes with its text, and the next patch goes through", async () => {
    const project = await readProject({ "a.txt": numbers(9) });
    await project.put("a.txt", "fresh\nline 5\n");
    expect(await project.call(patch, change)).toEqual({
      status: "refused",
      reason:
        "file was modified since it was read, it must be read again: /project/a.txt\n" +
        "Its text is now (this counts as read):\n1: fresh\n2: line 5\n3:",
    });
    await project.run(patch, change);
    expect(project.files).toEqual({ "a.txt": "fresh\nfive\n" });
  });

  test("a patch that no longer fits a changed file is told the new text, not that it does not fit", async () => {
    const project = await readProject({ "a.txt": numbers(9) });
    await project.put("a.txt", "all new\n");
    expect(await project.call(patch, change)).toMatchObject({
      status: "refused",
      reason: expect.stringContaining("1: all new"),
    });
  });

  test("of a long changed file the lines around the change are offered, and only they count", async () => {
    const project = await readProject({ "a.txt": numbers(1500) });
    await project.put("a.txt", `new\n${numbers(1500)}`);
    const far = block("*** Update File: a.txt", "-line 1000", "+thousand");
    const called = await project.call(patch, far);
    const reason = called.status === "refused" ? called.reason.split("\n") : [];
    expect([reason[1], reason[2], reason.at(-1)]).toEqual([
      "Its lines 981 to 1180 of 1502 are now (these count as read):",
      "981: line 980",
      "1180: line 1179",
    ]);
    await project.run(patch, far);
    const near = block("*** Update File: a.txt", "-line 5", "+five");
    expect(await project.call(patch, near)).toMatchObject({
      status: "refused",
      reason: expect.stringContaining("this changes line 6, which was not read"),
    });
    expect(await project.call(patch, near)).toMatchObject({ status: "done" });
  });

  test("the texts of many changed files are bounded together", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `f${index}.txt`);
    const project = await readProject(Object.fromEntries(names.map((name) => [name, "a\n"])));
    for (const name of names) await project.put(name, `a\n${numbers(150)}`);
    const all = block(...names.flatMap((name) => [`*** Update File: ${name}`, "-a", "+b"]));
    const called = await project.call(patch, all);
    const reason = called.status === "refused" ? called.reason : "";
    expect(reason.match(/modified since it was read/g)).toHaveLength(20);
    expect(reason.length).toBeLessThan(12_000);
  });

  test("a partial read allows patches of what it showed, and what moved along with them", async () => {
    const project = memoryProject({ "a.txt": numbers(1500) });
    await project.run(read, { path: "a.txt", line_start: 100, line_end: 110 });
    await project.run(patch, block("*** Update File: a.txt", " line 100", "+new", " line 101"));
    await project.run(patch, block("*** Update File: a.txt", "-line 110", "+x"));
    const beyond = block("*** Update File: a.txt", "-line 111", "+x");
    expect(await project.call(patch, beyond)).toMatchObject({ status: "refused" });
  });

  test("after a patch the file is read, and after a move its new name is", async () => {
    const project = await readProject({ "a.txt": numbers(9) });
    await project.run(patch, change);
    await project.run(patch, block("*** Update File: a.txt", "*** Move to: b.txt", "-five", "+5"));
    await project.run(patch, block("*** Update File: b.txt", "-5", "+fünf"));
    await project.put("a.txt", "again\n");
    expect(await project.call(patch, block("*** Update File: a.txt", "-again", "+x"))).toMatchObject({
      status: "refused",
    });
  });

  test("a change between check and write is noticed", async () => {
    const project = await readProject({ "a.txt": numbers(9) });
    expect(await patch.pre?.(change, project.access)).toBeUndefined();
    await project.put("a.txt", `${numbers(9)}more\n`);
    await expect(patch.run(change, project.access)).rejects.toThrow("modified since it was read");
    expect(project.files).toEqual({ "a.txt": `${numbers(9)}more\n` });
  });

  test("a patch that cannot be parsed is refused before anybody is asked", async () => {
    expect(await memoryProject().call(patch, { patch: "x" })).toMatchObject({
      status: "refused",
      reason: expect.stringContaining("no '*** Begin Patch' marker found"),
    });
  });

  test("two patches of one file at the same time both take effect", async () => {
    const project = await readProject({ "a.txt": numbers(9) });
    const both = [change, block("*** Update File: a.txt", "-line 7", "+seven")];
    await Promise.all(both.map((input) => project.run(patch, input)));
    expect(project.files["a.txt"]).toBe(numbers(9).replace("line 5", "five").replace("line 7", "seven"));
  });
});

describe("on a real disk", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "aura-patch-"));
    await mkdir(join(root, "p"));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const at = (path: string) => join(root, "p", path);
  const text = (path: string) => readFile(at(path), "utf8");
  const project = (journalFs = nodeJournalFs) =>
    memoryProject(
      {},
      {
        cwd: join(root, "p"),
        files: diskFiles({ stateDir: join(root, "state"), env: {}, journalFs }),
        reads: createReadTracker({ write: false, delete: false }),
      },
    );

  test("mode bits are kept, also through a move", async () => {
    await writeFile(at("run"), "a\n");
    await chmod(at("run"), 0o754);
    await project().run(patch, block("*** Update File: run", "-a", "+b"));
    expect((await stat(at("run"))).mode & 0o777).toBe(0o754);
    await project().run(patch, block("*** Update File: run", "*** Move to: bin/run"));
    expect([(await stat(at("bin/run"))).mode & 0o777, await text("bin/run")]).toEqual([0o754, "b\n"]);
  });

  test("a link is written through, seen as its target, and deleted alone", async () => {
    await writeFile(at("real"), "a\n");
    await symlink("real", at("link"));
    await project().run(patch, block("*** Update File: link", "-a", "+b", "*** Update File: real", "-b", "+c"));
    expect([await text("real"), (await lstat(at("link"))).isSymbolicLink()]).toEqual(["c\n", true]);
    await project().run(patch, block("*** Delete File: link", "*** Add File: other", "+x"));
    expect([await text("real"), await text("other")]).toEqual(["c\n", "x\n"]);
    await expect(lstat(at("link"))).rejects.toThrow("ENOENT");
  });

  test("a link cannot be removed and made anew in one patch", async () => {
    await writeFile(at("real"), "a\n");
    await symlink("real", at("link"));
    await expect(project().run(patch, block("*** Delete File: link", "*** Add File: link", "+x"))).rejects.toThrow(
      "use two patches",
    );
    expect(await text("link")).toBe("a\n");
  });

  test("when the last file cannot be written none is", async () => {
    await writeFile(at("a"), "a\n");
    await writeFile(at("b"), "b\n");
    const failing = {
      ...nodeJournalFs,
      rename: async (from: string, to: string) => {
        if (to === at("b")) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        await nodeJournalFs.rename(from, to);
      },
    };
    const both = block("*** Update File: a", "-a", "+A", "*** Add File: new/c", "+c", "*** Update File: b", "-b", "+B");
    await expect(project(failing).run(patch, both)).rejects.toThrow(`writing ${at("b")}: disk full`);
    expect([await text("a"), await text("b")]).toEqual(["a\n", "b\n"]);
    await expect(lstat(at("new"))).rejects.toThrow("ENOENT");
  });
});
