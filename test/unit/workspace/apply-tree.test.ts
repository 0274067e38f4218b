// Sets that hold links, modes and folders, broken off at every step by a failure or by the death of the process.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyChanges } from "../../../src/workspace/apply-journal.ts";
import { recoverJournals } from "../../../src/workspace/apply-journal-recovery.ts";
import { type JournalFs, nodeJournalFs } from "../../../src/workspace/journal-fs.ts";
import { hashOf } from "../../../src/workspace/path-state.ts";
import type { TreeChange } from "../../../src/workspace/tree-change.ts";

let base: string;
let root: string;
let state: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "aura-tree-")));
  root = join(base, "root");
  state = join(base, "state");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function build() {
  rmSync(root, { recursive: true, force: true });
  rmSync(state, { recursive: true, force: true });
  mkdirSync(join(root, "gone/deep"), { recursive: true });
  chmodSync(join(root, "gone"), 0o750);
  writeFileSync(join(root, "gone/deep/f"), "f");
  writeFileSync(join(root, "was-file"), "file");
  writeFileSync(join(root, "changed"), "old");
  writeFileSync(join(root, "run"), "run", { mode: 0o644 });
  symlinkSync("changed", join(root, "was-link"));
  symlinkSync("a", join(root, "moved-link"));
  mkdirSync(join(root, "kept-folder"), { mode: 0o755 });
}

const restore = (path: string, text: string, mode = 0o644): TreeChange => ({
  kind: "restore",
  path: join(root, path),
  mode,
  state: hashOf(Buffer.from(text)),
  read: async () => Buffer.from(text),
});
const other = (kind: "remove" | "remove-directory", path: string): TreeChange => ({ kind, path: join(root, path) });

/** A folder gives way to a file, a file to a folder, a link to a file and the other way round. */
const changes = (): TreeChange[] => [
  restore("gone", "now a file"),
  other("remove", "gone/deep/f"),
  other("remove-directory", "gone/deep"),
  other("remove-directory", "gone"),
  other("remove", "was-file"),
  { kind: "make-directory", path: join(root, "was-file"), mode: 0o711 },
  restore("was-file/inner", "inner", 0o600),
  restore("changed", "new"),
  restore("was-link", "no link"),
  { kind: "link", path: join(root, "moved-link"), target: "b" },
  { kind: "link", path: join(root, "new/deep/link"), target: "/nowhere" },
  { kind: "mode", path: join(root, "run"), mode: 0o755 },
  { kind: "mode", path: join(root, "kept-folder"), mode: 0o500 },
];

function tree(folder = root, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const full = join(folder, name);
    const stat = lstatSync(full);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) found[prefix + name] = `-> ${readlinkSync(full)}`;
    else if (stat.isDirectory()) Object.assign(found, { [prefix + name]: mode }, tree(full, `${prefix}${name}/`));
    else found[prefix + name] = `${mode} ${readFileSync(full, "utf8")}`;
  }
  return found;
}

const NEW = {
  changed: "644 new",
  gone: "644 now a file",
  "kept-folder": "500",
  "moved-link": "-> b",
  new: "755",
  "new/deep": "755",
  "new/deep/link": "-> /nowhere",
  run: "755 run",
  "was-file": "711",
  "was-file/inner": "600 inner",
  "was-link": "644 no link",
};

type Step = (name: keyof JournalFs, work: () => Promise<void>, args: readonly unknown[]) => Promise<void>;

const stepping = (step: Step): JournalFs =>
  new Proxy(nodeJournalFs, {
    get:
      (fs, name: keyof JournalFs) =>
      (...args: never[]) =>
        step(name, () => (fs[name] as (...args: never[]) => Promise<void>)(...args), args),
  });

/** As after a SIGKILL at step `at`: nothing happens any more. Odd: the step was done; even: it was not, or by half. */
function dyingAt(at: number): { readonly fs: JournalFs; readonly steps: () => number } {
  let steps = 0;
  const fs = stepping(async (name, work, args) => {
    const [before, after] = [steps++, steps++];
    if (before > at) throw new Error("dead");
    if (before === at && name === "writeFile") writeFileSync(args[0] as string, (args[1] as Uint8Array).subarray(0, 1));
    if (before === at) throw new Error("dead");
    await work();
    if (after === at) throw new Error("dead");
  });
  return { fs, steps: () => steps };
}

/** What a process that runs no more has left. */
function bury() {
  for (const name of existsSync(state) ? readdirSync(state) : []) {
    if (name.endsWith(".new")) renameSync(join(state, name), join(state, name.replace(/-\d+-/, "-4194305-")));
    if (!name.endsWith(".json")) continue;
    const journal = readFileSync(join(state, name), "utf8");
    writeFileSync(join(state, name), journal.replace(/"started":"\d+"/, '"started":"0"'));
  }
}

async function countSteps(): Promise<number> {
  build();
  const counting = dyingAt(Number.POSITIVE_INFINITY);
  await applyChanges(changes(), state, counting.fs);
  return counting.steps();
}

describe("a set of changes to a tree", () => {
  test("is applied whole, in whatever order it is given", async () => {
    build();
    await applyChanges(changes(), state);
    expect(tree()).toEqual(NEW);
    expect(readdirSync(state)).toEqual([]);
    build();
    await applyChanges(changes().reverse(), state);
    expect(tree()).toEqual(NEW);
  });

  test("is refused when something is not as expected", async () => {
    build();
    const old = tree();
    for (const change of [
      { ...restore("changed", "new"), expect: hashOf(Buffer.from("other")) },
      { ...restore("run", "new"), expect: null },
      { ...restore("was-link", "new"), expect: "link:elsewhere" },
    ])
      await expect(applyChanges([other("remove", "was-file"), change], state)).rejects.toThrow("by another program");
    expect(tree()).toEqual(old);
  });

  test("is wholly made or not made at all when any step fails", async () => {
    const total = await countSteps();
    build();
    const old = tree();
    for (let at = 0; at * 2 < total; at++) {
      build();
      let step = 0;
      const failing = stepping(async (_name, work) => {
        if (step++ === at) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
        await work();
      });
      const failed = await applyChanges(changes(), state, failing).then(
        () => false,
        () => true,
      );
      // What was made but not cleaned up is cleaned up at the next start.
      bury();
      expect((await recoverJournals(state)).flatMap(({ left }) => left)).toEqual([]);
      const now = tree();
      if (!failed) expect(now, `step ${at}`).toEqual(NEW);
      else if (JSON.stringify(now) !== JSON.stringify(NEW)) expect(now, `step ${at}`).toEqual(old);
      expect(readdirSync(state), `step ${at}`).toEqual([]);
    }
  });

  test("is wholly made or not made at all after a death at any step", async () => {
    const total = await countSteps();
    expect(total).toBeGreaterThan(60);
    build();
    const old = tree();
    for (let at = 0; at < total; at++) {
      build();
      await applyChanges(changes(), state, dyingAt(at).fs).catch(() => undefined);
      bury();
      const recovered = await recoverJournals(state);
      expect(
        recovered.flatMap(({ left }) => left),
        `step ${at}`,
      ).toEqual([]);
      const now = tree();
      if (JSON.stringify(now) !== JSON.stringify(NEW)) expect(now, `step ${at}`).toEqual(old);
      expect(readdirSync(state), `step ${at}`).toEqual([]);
    }
  });

  test("and after a second death while it recovers", async () => {
    const total = await countSteps();
    build();
    const old = tree();
    for (let first = 1; first < total; first += 5)
      for (let second = 0; second < 24; second += 3) {
        build();
        await applyChanges(changes(), state, dyingAt(first).fs).catch(() => undefined);
        bury();
        await recoverJournals(state, dyingAt(second).fs).catch(() => undefined);
        bury();
        await recoverJournals(state);
        const now = tree();
        if (JSON.stringify(now) !== JSON.stringify(NEW)) expect(now, `steps ${first}, ${second}`).toEqual(old);
        expect(readdirSync(state)).toEqual([]);
      }
  });
});
