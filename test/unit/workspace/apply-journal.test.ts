import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { processOwner } from "../../../src/system/process-owner.ts";
import { applyChanges } from "../../../src/workspace/apply-journal.ts";
import { recoverJournals } from "../../../src/workspace/apply-journal-recovery.ts";
import { diskFiles } from "../../../src/workspace/disk-files.ts";
import { writeJournal } from "../../../src/workspace/journal-file.ts";
import { type JournalFs, nodeJournalFs } from "../../../src/workspace/journal-fs.ts";

let base: string;
let root: string;
let state: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aura-journal-"));
  root = join(base, "root");
  state = join(base, "state");
  await mkdir(root);
  for (const [path, text] of Object.entries(OLD)) await writeFile(join(root, path), text);
});
afterEach(() => rm(base, { recursive: true, force: true }));

const OLD = { "a.txt": "old a", "gone.txt": "old gone", "z.txt": "old z" };
const NEW = { "a.txt": "new a", "deep/er/new.txt": "new file", "z.txt": "new z" };
const write = (path: string, text: string) =>
  ({ kind: "write", path: join(root, path), bytes: Buffer.from(text) }) as const;
const remove = (path: string) => ({ kind: "remove", path: join(root, path) }) as const;
const changes = () => [
  write("a.txt", "new a"),
  remove("gone.txt"),
  write("deep/er/new.txt", "new file"),
  write("z.txt", "new z"),
];

/** Every file below `directory`, and empty directories, which must not be left over either. */
async function tree(directory = root): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path.slice(directory.length + 1)] = await readFile(path, "utf8");
    else if (entry.isDirectory() && (await readdir(path)).length === 0)
      found[`${path.slice(directory.length + 1)}/`] = "";
  }
  return found;
}

describe("a set of changes", () => {
  test("is applied whole and leaves nothing of ours behind", async () => {
    await applyChanges(changes(), state);
    expect(await tree()).toEqual(NEW);
    expect(await tree(state)).toEqual({});
  });

  test("keeps the mode of an old file and gives the mode it is told to a new one", async () => {
    await chmod(join(root, "a.txt"), 0o750);
    await applyChanges([write("a.txt", "x"), { ...write("run", "x"), mode: 0o711 }], state);
    const modes = await Promise.all(["a.txt", "run"].map(async (path) => (await stat(join(root, path))).mode & 0o777));
    expect(modes).toEqual([0o750, 0o711]);
  });

  test("goes through a link to its target, and removes a link without it", async () => {
    const files = diskFiles({ stateDir: state, env: {} });
    await symlink("a.txt", join(root, "link"));
    await symlink("not/yet", join(root, "dangling"));
    await files.apply([write("link", "through"), write("dangling", "made")]);
    expect(await tree()).toEqual({ ...OLD, "a.txt": "through", "not/yet": "made" });
    expect(await files.realPath(join(root, "dangling"))).toBe(await files.realPath(join(root, "not/yet")));
    await files.apply([remove("link"), write("z.txt", "z")]);
    expect(await tree()).toEqual({ ...OLD, "a.txt": "through", "not/yet": "made", "z.txt": "z" });
    expect(await readdir(root)).not.toContain("link");
  });

  test("a loop of links is refused in one line", async () => {
    await symlink("two", join(root, "one"));
    await symlink("one", join(root, "two"));
    const files = diskFiles({ stateDir: state, env: {} });
    await expect(files.apply([write("one", "x")])).rejects.toThrow("too many symbolic links");
  });

  test("naming a path twice is an error of the caller", async () => {
    await expect(applyChanges([write("a.txt", "1"), write("a.txt", "2")], state)).rejects.toThrow(
      "names one path twice",
    );
  });
});

describe("a step that fails", () => {
  const failing = (name: keyof JournalFs, matches: (path: string) => boolean, code: string): JournalFs => ({
    ...nodeJournalFs,
    [name]: async (...args: never[]) => {
      if (args.some((arg) => typeof arg === "string" && matches(arg))) throw Object.assign(new Error(code), { code });
      await (nodeJournalFs[name] as (...args: never[]) => Promise<void>)(...args);
    },
  });
  const of = (file: string) => (path: string) => path.includes(`${file}`);

  test.each<[string, JournalFs, string]>([
    ["no room for new bytes", failing("writeFile", of(".z.txt"), "ENOSPC"), "z.txt: disk full"],
    ["no room for a backup", failing("keep", of("z.txt"), "ENOSPC"), "z.txt: disk full"],
    ["no room for the journal", failing("writeFile", of("/state/"), "ENOSPC"), ".json: disk full"],
    ["a directory that cannot be made", failing("makeDirectory", of("er"), "EACCES"), "er: permission denied"],
    ["a read-only file", failing("checkWritable", of("z.txt"), "EACCES"), "z.txt: permission denied"],
    ["the first rename", failing("rename", (path) => path.endsWith("/a.txt"), "EACCES"), "a.txt: permission denied"],
    ["the removal", failing("rename", (path) => path.endsWith("/gone.txt"), "EPERM"), "gone.txt: permission denied"],
    ["the last rename", failing("rename", (path) => path.endsWith("/z.txt"), "EROFS"), "z.txt: read-only filesystem"],
  ])("%s restores everything", async (_, fs, message) => {
    await expect(applyChanges(changes(), state, fs)).rejects.toThrow(message);
    expect(await tree()).toEqual(OLD);
    expect(Object.keys(await tree(state))).toEqual([]);
  });

  test("a failed change of a single file leaves no trace either", async () => {
    const fs = failing("rename", (path) => path.endsWith("new.txt"), "EACCES");
    await expect(applyChanges([write("deep/er/new.txt", "x")], state, fs)).rejects.toThrow("permission denied");
    expect(await tree()).toEqual(OLD);
  });

  test("when taking back fails too, it says so, and the next start brings the old tree back", async () => {
    let isFull = false;
    const fs: JournalFs = {
      ...nodeJournalFs,
      async rename(from, to) {
        isFull ||= to.endsWith("/z.txt");
        if (isFull && to.startsWith(root)) throw Object.assign(new Error("EIO"), { code: "EIO" });
        await nodeJournalFs.rename(from, to);
      },
    };
    await expect(applyChanges(changes(), state, fs)).rejects.toThrow("taking the other changes back failed as well");
    const [name = ""] = Object.keys(await tree(state));
    const journal = JSON.parse(await readFile(join(state, name), "utf8"));
    await writeFile(join(state, name), JSON.stringify({ ...journal, owner: { pid: process.pid, started: "0" } }));
    expect(await recoverJournals(state)).toMatchObject([{ outcome: "undone", left: [] }]);
    expect(await tree()).toEqual(OLD);
  });

  test("a file that another program changes at that moment is not overwritten", async () => {
    const fs: JournalFs = {
      ...nodeJournalFs,
      async writeFile(path, ...rest) {
        await nodeJournalFs.writeFile(path, ...rest);
        if (path.includes(".z.txt")) await writeFile(join(root, "z.txt"), "theirs");
      },
    };
    await expect(applyChanges(changes(), state, fs)).rejects.toThrow("z.txt: was changed by another program");
    expect(await tree()).toEqual({ ...OLD, "z.txt": "theirs" });
  });
});

describe("a process killed in the middle", () => {
  const run = (...args: string[]) =>
    new Promise<{ signal: string | null; out: string }>((resolve, reject) => {
      const script = fileURLToPath(new URL("../../helpers/crashing-apply.ts", import.meta.url));
      const node = join(import.meta.dirname, "../../../node_modules/.bin/node");
      const child = spawn(node, [script, root, state, ...args], { stdio: ["ignore", "pipe", "inherit"] });
      let out = "";
      child.stdout.on("data", (data) => (out += data));
      child.on("error", reject);
      child.on("close", (_, signal) => resolve({ signal, out }));
    });

  async function reset() {
    await rm(root, { recursive: true });
    await rm(state, { recursive: true, force: true });
    await mkdir(root);
    for (const [path, text] of Object.entries(OLD)) await writeFile(join(root, path), text);
  }

  test("leaves a tree that is wholly old or wholly new after recovery, at every step", {
    timeout: 120_000,
  }, async () => {
    const total = Number(/steps (\d+)/.exec((await run("0")).out)?.[1]);
    expect(total).toBeGreaterThan(20);
    const outcomes: string[] = [];
    for (let step = 1; step <= total; step++) {
      await reset();
      expect((await run(String(step))).signal).toBe("SIGKILL");
      const recovered = await recoverJournals(state);
      const now = await tree();
      outcomes.push(JSON.stringify(now) === JSON.stringify(OLD) ? "old" : "new");
      expect(now, `killed at step ${step}`).toEqual(outcomes.at(-1) === "old" ? OLD : NEW);
      expect(await tree(state)).toEqual({});
      expect(recovered.map((one) => one.outcome)).not.toContain("stuck");
    }
    // Once new, always new: the turning point is the journal, and both sides of it were tried.
    expect(outcomes.join(" ")).toMatch(/^(old )+(new ?)+$/);
  });

  test("while it takes a failed set back, leaves the old tree", { timeout: 120_000 }, async () => {
    const total = Number(/steps (\d+)/.exec((await run("0", "apply", "/z.txt")).out)?.[1]);
    expect(total).toBeGreaterThan(40);
    for (let step = 30; step <= total; step += 2) {
      await reset();
      await run(String(step), "apply", "/z.txt");
      await recoverJournals(state);
      const now = await tree();
      // Before the failure is met, the set may still be finished: then nothing stands against it.
      expect([OLD, NEW], `killed at step ${step}`).toContainEqual(now);
      expect(await tree(state)).toEqual({});
    }
    await reset();
    await run("0", "apply", "/z.txt");
    expect(await tree()).toEqual(OLD);
  });

  test("killed again during recovery, still ends whole", { timeout: 120_000 }, async () => {
    const total = Number(/steps (\d+)/.exec((await run("0")).out)?.[1]);
    for (const [first, second] of [
      [total - 12, 3],
      [total - 16, 6],
      [total - 20, 9],
      [8, 2],
      [total - 20, 14],
    ]) {
      await reset();
      await run(String(first));
      await run(String(second), "recover");
      await recoverJournals(state);
      expect([OLD, NEW]).toContainEqual(await tree());
      expect(await tree(state)).toEqual({});
    }
  });
});

describe("recovery", () => {
  const journalFile = () => join(state, "apply-1-abc.json");
  const sha = async (text: string) => (await import("node:crypto")).createHash("sha256").update(text).digest("hex");
  const dead = { pid: process.pid, started: "0" };

  async function interrupted(owner = dead) {
    const entry = async (path: string, before: string, after: string) => ({
      kind: "write" as const,
      path: join(root, path),
      temp: join(root, `.${path}.new`),
      backup: join(root, `.${path}.old`),
      before: await sha(before),
      after: await sha(after),
    });
    await mkdir(state);
    for (const [path, text] of [
      ["a.txt", "new a"],
      ["z.txt", "new z"],
    ] as const) {
      await writeFile(join(root, `.${path}.new`), text);
      await writeFile(join(root, `.${path}.old`), OLD[path]);
    }
    const entries = [await entry("a.txt", "old a", "new a"), await entry("z.txt", "old z", "new z")];
    await writeJournal(
      nodeJournalFs,
      journalFile(),
      { version: 1, phase: "commit", owner, entries, directories: [] },
      false,
    );
  }

  test("finishes what was decided", async () => {
    await interrupted();
    expect(await recoverJournals(state)).toEqual([
      { outcome: "finished", paths: [join(root, "a.txt"), join(root, "z.txt")], left: [] },
    ]);
    expect(await tree()).toEqual({ ...OLD, "a.txt": "new a", "z.txt": "new z" });
  });

  test("leaves a file alone that a person changed in between, and says so", async () => {
    await interrupted();
    await writeFile(join(root, "z.txt"), "mine");
    const [recovered] = await recoverJournals(state);
    expect(recovered?.left).toEqual([join(root, "z.txt")]);
    expect(await tree()).toEqual({ ...OLD, "a.txt": "new a", "z.txt": "mine" });
  });

  test("leaves the journal of a living process alone", async () => {
    await interrupted(processOwner() as typeof dead);
    expect(await recoverJournals(state)).toEqual([]);
    expect(Object.keys(await tree(state))).toEqual(["apply-1-abc.json"]);
  });

  test("drops a journal that is no journal, and needs no directory", async () => {
    expect(await recoverJournals(state)).toEqual([]);
    await mkdir(state);
    await writeFile(journalFile(), "");
    expect(await recoverJournals(state)).toEqual([]);
    expect(await tree(state)).toEqual({});
  });

  test("reports what it cannot end, and keeps the journal for the next start", async () => {
    await interrupted();
    const fs: JournalFs = {
      ...nodeJournalFs,
      rename: async (from, to) => {
        if (to.startsWith(root)) throw Object.assign(new Error("no"), { code: "EACCES" });
        await nodeJournalFs.rename(from, to);
      },
      remove: async (path) => {
        if (path.startsWith(root)) throw Object.assign(new Error("no removing"), { code: "EACCES" });
        await nodeJournalFs.remove(path);
      },
    };
    const [recovered] = await recoverJournals(state, fs);
    expect(recovered).toMatchObject({ outcome: "stuck", problem: "no removing" });
    const [again] = await recoverJournals(state);
    expect(again?.outcome).toBe("undone");
    expect(await tree()).toEqual(OLD);
  });
});
