import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeAtomically } from "../../../src/system/atomic-file.ts";
import { withLock } from "../../../src/system/file-lock.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "aura-atomic-"));
});
afterEach(() => rm(dir, { recursive: true }));

describe("writeAtomically", () => {
  test("makes folders and leaves nothing but the file", async () => {
    await writeAtomically(join(dir, "a/b/c.txt"), "hello");
    expect(await readFile(join(dir, "a/b/c.txt"), "utf8")).toBe("hello");
    expect(await readdir(join(dir, "a/b"))).toEqual(["c.txt"]);
  });

  test("keeps the mode of an existing file and gives a new one the mode asked for", async () => {
    await writeFile(join(dir, "run.sh"), "old");
    await chmod(join(dir, "run.sh"), 0o755);
    await writeAtomically(join(dir, "run.sh"), "new", { mode: 0o600 });
    await writeAtomically(join(dir, "key"), "new", { mode: 0o600 });
    expect((await stat(join(dir, "run.sh"))).mode & 0o777).toBe(0o755);
    expect((await stat(join(dir, "key"))).mode & 0o777).toBe(0o600);
  });

  test("writes through a link and keeps the link", async () => {
    await writeFile(join(dir, "real"), "old");
    await symlink("real", join(dir, "link"));
    await writeAtomically(join(dir, "link"), "new");
    expect(await readFile(join(dir, "real"), "utf8")).toBe("new");
    expect((await readdir(dir)).sort()).toEqual(["link", "real"]);
  });

  test("leaves no draft behind when it fails", async () => {
    await mkdir(join(dir, "folder"));
    await expect(writeAtomically(join(dir, "folder"), "x")).rejects.toThrow();
    expect(await readdir(dir)).toEqual(["folder"]);
  });
});

describe("withLock", () => {
  test("lets one at a time in, and leaves no lock", async () => {
    const path = join(dir, "counter");
    await writeFile(path, "0");
    const add = () => withLock(path, async () => writeFile(path, String(Number(await readFile(path, "utf8")) + 1)));
    await Promise.all(Array.from({ length: 20 }, add));
    expect(await readFile(path, "utf8")).toBe("20");
    expect(await readdir(dir)).toEqual(["counter"]);
  });

  test("gives the lock back when the work fails", async () => {
    const path = join(dir, "x");
    await expect(withLock(path, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await withLock(path, async () => "free")).toBe("free");
  });

  test("says who holds a lock it cannot have", async () => {
    const path = join(dir, "x");
    const inner = () => withLock(path, async () => "twice", { waitMs: 20 });
    await expect(withLock(path, inner)).rejects.toThrow(`${path}.lock is held by process ${process.pid}`);
  });

  test("stops waiting when it is cancelled", async () => {
    const path = join(dir, "x");
    const stop = new AbortController();
    const waiting = withLock(path, async () => {
      const inner = withLock(path, async () => "twice", { signal: stop.signal });
      stop.abort(new Error("enough"));
      return inner;
    });
    await expect(waiting).rejects.toThrow("enough");
  });

  test.each([
    ["a process that is gone", { pid: 2 ** 30, began: undefined }],
    ["an earlier process with the same id", { pid: process.pid, began: "1" }],
  ])("takes over the lock of %s", async (_, owner) => {
    const path = join(dir, "x");
    const { hostname } = await import("node:os");
    await writeFile(`${path}.lock`, JSON.stringify({ host: hostname(), ...owner }));
    const order: string[] = [];
    await Promise.all(
      ["a", "b", "c"].map((name) =>
        withLock(path, async () => {
          order.push(`${name} in`);
          await new Promise((resolve) => setImmediate(resolve));
          order.push(`${name} out`);
        }),
      ),
    );
    expect(order.filter((_, index) => index % 2 === 0).map((entry) => `${entry[0]} out`)).toEqual(
      order.filter((_, index) => index % 2 === 1),
    );
    expect(await readdir(dir)).toEqual([]);
  });
});
