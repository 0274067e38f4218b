import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PathChange } from "../../../src/protocol/file-change.ts";
import { applyChanges } from "../../../src/workspace/apply-journal.ts";
import { netChanges } from "../../../src/workspace/net-changes.ts";
import { planRestore } from "../../../src/workspace/restore.ts";
import { SNAPSHOT_LIMITS, type SnapshotLimits } from "../../../src/workspace/snapshot.ts";
import { TurnRecorder } from "../../../src/workspace/turn-recorder.ts";

let base: string;
let root: string;
let recorders: TurnRecorder[];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "aura-undo-")));
  root = join(base, "root");
  mkdirSync(root);
  recorders = [];
});
afterEach(() => {
  for (const recorder of recorders) recorder.close();
  rmSync(base, { recursive: true, force: true });
});

const store = () => join(base, "state", "undo");

function openRecorder(limits: Partial<SnapshotLimits> = {}, now = Date.now): TurnRecorder {
  const recorder = new TurnRecorder({
    root,
    dir: store(),
    limits: { ...SNAPSHOT_LIMITS, ...limits },
    prune: { maxBytes: 1e9, maxAgeMs: 1e9 },
    own: [join(root, ".aura/sessions")],
    isSecret: (path) => path.endsWith(".env"),
    now,
  });
  recorders.push(recorder);
  return recorder;
}

async function turn(recorder: TurnRecorder, work: () => void): Promise<readonly PathChange[]> {
  await recorder.beforeAnything();
  work();
  return recorder.end();
}

/** Takes the turns back, as /undo does. */
async function undo(recorder: TurnRecorder, ...turns: (readonly PathChange[])[]) {
  const plan = await planRestore(root, netChanges(turns).changes, (hash) => recorder.contentOf(hash));
  await applyChanges(plan.changes, join(base, "state", "journal"));
  return plan;
}

/** Everything that stands below the root, in words. */
function tree(folder = root, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const full = join(folder, name);
    const path = prefix + name;
    const stat = lstatSync(full);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(full)}`;
    else if (stat.isDirectory()) Object.assign(found, { [path]: mode }, tree(full, `${path}/`));
    else found[path] = `${mode} ${readFileSync(full, "latin1")}`;
  }
  return found;
}

function put(path: string, text: string, mode?: number) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  if (mode !== undefined) chmodSync(join(root, path), mode);
}

const sh = (command: string) => execFileSync("bash", ["-c", command], { cwd: root, stdio: "pipe" });

describe("a turn of the shell", () => {
  test("is taken back and done again, whatever it did", async () => {
    put("a.txt", "one");
    put("run.sh", "x", 0o755);
    put("dir/deep/b.txt", "b");
    put("turns-folder", "file");
    mkdirSync(join(root, "empty"), { mode: 0o700 });
    symlinkSync("a.txt", join(root, "link"));
    symlinkSync("nowhere", join(root, "turns-file"));
    const before = tree();
    const recorder = openRecorder();
    const changes = await turn(recorder, () =>
      sh(
        "echo two >> a.txt; chmod 600 run.sh; rm -r dir; rmdir empty; ln -sfn /etc/passwd link; rm turns-folder turns-file;" +
          "mkdir -p turns-folder/in; echo 1 > turns-folder/in/x; echo 2 > turns-file; mkfifo pipe; chmod 711 .; mkdir -m 500 closed",
      ),
    );
    rmSync(join(root, "pipe"));
    const after = tree();
    const undone = await undo(recorder, changes);
    expect({ tree: tree(), kept: undone.kept, lost: undone.lost }).toEqual({ tree: before, kept: [], lost: [] });
    await undo(recorder, undone.does);
    expect(tree()).toEqual(after);
  });

  test("through links changes nothing outside, nor does taking it back", async () => {
    const outside = join(base, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "f"), "outside");
    put("hard", "shared");
    linkSync(join(root, "hard"), join(outside, "hard"));
    put("dir/f", "inside");
    const recorder = openRecorder();
    const changes = await turn(recorder, () => {
      rmSync(join(root, "dir"), { recursive: true });
      symlinkSync(outside, join(root, "dir"));
      writeFileSync(join(root, "hard"), "written");
    });
    expect(changes.map(({ path }) => path)).toEqual(["dir", "dir/f", "hard"]);
    await undo(recorder, changes);
    expect(readFileSync(join(root, "dir/f"), "utf8")).toBe("inside");
    expect(readFileSync(join(root, "hard"), "utf8")).toBe("shared");
    expect([readFileSync(join(outside, "f"), "utf8"), readFileSync(join(outside, "hard"), "utf8")]).toEqual([
      "outside",
      "written",
    ]);
  });

  test("is not taken back through a link that somebody put in the way", async () => {
    const outside = join(base, "outside");
    mkdirSync(outside);
    put("dir/f", "inside");
    const recorder = openRecorder();
    const changes = await turn(recorder, () => rmSync(join(root, "dir/f")));
    rmSync(join(root, "dir"), { recursive: true });
    symlinkSync(outside, join(root, "dir"));
    expect(await undo(recorder, changes)).toMatchObject({ changes: [], kept: ["dir/f"] });
    expect(readdirSync(outside)).toEqual([]);
  });

  test("sees a change that keeps size and time of change", async () => {
    put("a.txt", "aaaa");
    const { atime, mtime } = statSync(join(root, "a.txt"));
    const recorder = openRecorder();
    const changes = await turn(recorder, () => {
      writeFileSync(join(root, "a.txt"), "bbbb");
      utimesSync(join(root, "a.txt"), atime, mtime);
    });
    expect(changes.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  test("leaves alone what a person changed after it, and a folder they put something into", async () => {
    put("a.txt", "one");
    const recorder = openRecorder();
    const changes = await turn(recorder, () => {
      put("a.txt", "two");
      put("new/b.txt", "b");
    });
    put("a.txt", "mine");
    put("new/mine.txt", "mine");
    expect(await undo(recorder, changes)).toMatchObject({ kept: ["a.txt"], lost: [] });
    expect(tree()).toEqual({ "a.txt": "644 mine", new: "755", "new/mine.txt": "644 mine" });
  });

  test("between two of which a person worked is taken back as far as the person's work", async () => {
    put("a.txt", "0");
    const recorder = openRecorder();
    const first = await turn(recorder, () => put("a.txt", "1"));
    put("a.txt", "mine");
    const second = await turn(recorder, () => put("a.txt", "2"));
    expect(netChanges([first, second]).broken).toEqual(["a.txt"]);
    await undo(recorder, first, second);
    expect(tree()).toEqual({ "a.txt": "644 mine" });
  });
});

describe("what is kept", () => {
  test("says which files it does not hold: too large, in generated folders, of our own", async () => {
    put("big", "x".repeat(100));
    put("node_modules/a", "1");
    put("cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55");
    put(".aura/sessions/log", "1");
    put(".git/config", "1");
    const recorder = openRecorder({ maxFileBytes: 50 });
    const changes = await turn(recorder, () => {
      for (const path of ["big", "node_modules/a", "cache/x", ".aura/sessions/log", ".git/config"])
        put(path, "y".repeat(60));
    });
    expect(changes.map(({ path }) => path)).toEqual(["big"]);
    expect([...recorder.skipped]).toEqual([
      [".git", "its own history"],
      ["cache", "a cache"],
      ["node_modules", "installed or generated"],
      [".aura/sessions", "Aura's own"],
    ]);
    expect(await undo(recorder, changes)).toMatchObject({ changes: [], kept: [], lost: ["big"] });
  });

  test("takes the mode of a large file back although its content is not kept", async () => {
    put("big", "x".repeat(100), 0o644);
    const recorder = openRecorder({ maxFileBytes: 50 });
    const changes = await turn(recorder, () => chmodSync(join(root, "big"), 0o755));
    await undo(recorder, changes);
    expect(tree()["big"]).toMatch(/^644 /);
  });

  test("does not take folders for deleted that there was no room to look into", async () => {
    put("a/1", "1");
    put("b/1", "1");
    const recorder = openRecorder({ maxPaths: 5 });
    const changes = await turn(recorder, () => {
      for (const name of ["2", "3", "4"]) put(name, "x");
    });
    expect(changes.map(({ path }) => path)).toEqual(["2", "3", "4"]);
  });

  test("is readable by its owner alone, and secrets are never in it", async () => {
    put(".env", "KEY=hunter2");
    put("a.txt", "plain");
    const recorder = openRecorder();
    const changes = await turn(recorder, () => put(".env", "KEY=other"));
    for (const name of readdirSync(store())) {
      const file = join(store(), name);
      expect(statSync(file).mode & 0o077, name).toBe(0);
      expect(readFileSync(file, "latin1"), name).not.toMatch(/hunter2|KEY=other/);
    }
    expect(statSync(store()).mode & 0o077).toBe(0);
    await undo(recorder, changes);
    expect(tree()[".env"]).toBe("644 KEY=hunter2");
  });

  test("serves another process, but for secrets, and tells damage from content", async () => {
    put(".env", "KEY=1");
    put("a.txt", "one");
    put("b.txt", "other");
    const changes = await turn(openRecorder(), () => {
      for (const path of [".env", "a.txt", "b.txt"]) put(path, "changed");
    });
    recorders.pop()!.close();
    const pack = readdirSync(store()).find((name) => name.endsWith(".pack"))!;
    const bytes = readFileSync(join(store(), pack));
    writeFileSync(join(store(), pack), bytes.toString("latin1").replace("other", "OTHER"), "latin1");
    const next = openRecorder();
    expect(await undo(next, changes)).toMatchObject({ kept: [], lost: [".env", "b.txt"] });
    expect(tree()["a.txt"]).toBe("644 one");
  });

  test("is let go of when it is old, but not by a process that lives", async () => {
    put("a.txt", "one");
    await turn(openRecorder(), () => put("a.txt", "two"));
    const ours = readdirSync(store());
    for (const end of ["pack", "idx", "tree"]) writeFileSync(join(store(), `999999-1-abcdef01.${end}`), "");
    const old = new Date(Date.now() - 2e9);
    for (const name of readdirSync(store())) utimesSync(join(store(), name), old, old);
    rmSync(join(store(), "999999-1-abcdef01.idx"));
    openRecorder();
    expect(readdirSync(store())).toEqual(ours);
  });

  test("survives the loss of its index's end", async () => {
    put("a.txt", "one");
    put("b.txt", "other");
    const changes = await turn(openRecorder(), () => sh("echo x > a.txt; echo x > b.txt"));
    recorders.pop()!.close();
    const index = readdirSync(store()).find((name) => name.endsWith(".idx"))!;
    truncateSync(join(store(), index), 50);
    const plan = await undo(openRecorder(), changes);
    expect(plan.lost).toHaveLength(1);
    expect(plan.does).toHaveLength(1);
  });
});

describe("our own tools", () => {
  const full = (path: string) => join(root, path);

  test("need no look around, and are covered where the shell is not", async () => {
    put("node_modules/a", "1");
    writeFileSync(join(base, "outside.txt"), "1");
    const recorder = openRecorder();
    const told = await recorder.beforeFiles([full("node_modules/a"), full("new"), join(base, "outside.txt")]);
    expect(told.map(({ path, before }) => [path, before?.kind])).toEqual([
      ["node_modules/a", "file"],
      ["new", undefined],
      [join(base, "outside.txt"), "file"],
    ]);
    put("node_modules/a", "2");
    put("new", "2");
    writeFileSync(join(base, "outside.txt"), "2");
    const changes = await recorder.end();
    expect(readdirSync(store()).some((name) => name.endsWith(".tree"))).toBe(false);
    await undo(recorder, changes);
    expect(tree()["node_modules/a"]).toBe("644 1");
    expect(existsSync(full("new"))).toBe(false);
    expect(readFileSync(join(base, "outside.txt"), "utf8")).toBe("1");
  });

  test("and the shell in one turn are taken back to before both", async () => {
    put("a", "0");
    put("b", "0");
    const recorder = openRecorder();
    await recorder.beforeFiles([full("a")]);
    put("a", "1");
    await recorder.beforeAnything();
    put("a", "2");
    put("b", "1");
    await recorder.beforeFiles([full("b")]);
    put("b", "2");
    await undo(recorder, await recorder.end());
    expect(tree()).toEqual({ a: "644 0", b: "644 0" });
  });
});

describe("a turn that was broken off", () => {
  test("is known afterwards, without what a person changed later", async () => {
    put("a.txt", "one");
    put("b.txt", "one");
    let now = Date.now();
    const recorder = openRecorder({}, () => now);
    const tree_ = await recorder.beforeAnything();
    put("a.txt", "two");
    put("new.txt", "two");
    recorders.pop()!.close();
    // The process died long ago, as far as the files tell; what is written now is a person's.
    now -= 60_000;
    utimesSync(join(store(), `${tree_}.tree`), now / 1000, now / 1000);
    expect(await openRecorder().sinceBroken({ tree: tree_, paths: [] })).toEqual([]);
    utimesSync(join(store(), `${tree_}.tree`), Date.now() / 1000, Date.now() / 1000);
    const next = openRecorder();
    const changes = await next.sinceBroken({ tree: tree_, paths: [] });
    expect(changes.map(({ path }) => path)).toEqual(["a.txt", "new.txt"]);
    await undo(next, changes);
    expect(tree()).toEqual({ "a.txt": "644 one", "b.txt": "644 one" });
  });

  test("of which only our tools told is known too", async () => {
    put("a.txt", "one");
    const recorder = openRecorder();
    const paths = (await recorder.beforeFiles([join(root, "a.txt")])).map((path) => ({ ...path, at: Date.now() }));
    put("a.txt", "two");
    recorders.pop()!.close();
    const next = openRecorder();
    await undo(next, await next.sinceBroken({ paths }));
    expect(tree()).toEqual({ "a.txt": "644 one" });
  });
});

describe("any sequence of turns, undo and redo", () => {
  const NAMES = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a"];
  const action = fc.oneof(
    fc.record({
      do: fc.constant("write" as const),
      path: fc.constantFrom(...NAMES),
      text: fc.constantFrom("", "1", "22"),
    }),
    fc.record({ do: fc.constant("remove" as const), path: fc.constantFrom(...NAMES) }),
    fc.record({ do: fc.constant("move" as const), path: fc.constantFrom(...NAMES), to: fc.constantFrom(...NAMES) }),
    fc.record({
      do: fc.constant("mode" as const),
      path: fc.constantFrom(...NAMES),
      mode: fc.constantFrom(0o600, 0o755),
    }),
    fc.record({
      do: fc.constant("link" as const),
      path: fc.constantFrom(...NAMES),
      target: fc.constantFrom("a", "/nowhere"),
    }),
    fc.record({ do: fc.constant("folder" as const), path: fc.constantFrom(...NAMES) }),
  );
  type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

  /** What cannot be done there is not done. */
  function act(one: Action) {
    const path = join(root, one.path);
    try {
      if (one.do === "write") writeFileSync(path, one.text);
      else if (one.do === "remove") rmSync(path, { recursive: true });
      else if (one.do === "move") renameSync(path, join(root, one.to));
      else if (one.do === "mode" && !lstatSync(path).isSymbolicLink()) chmodSync(path, one.mode);
      else if (one.do === "link") symlinkSync(one.target, path);
      else if (one.do === "folder") mkdirSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }

  test("leads through exactly the trees there were", { timeout: 120_000 }, async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.array(action, { minLength: 1, maxLength: 6 }) },
      { weight: 2, arbitrary: fc.constant("undo" as const) },
      { weight: 1, arbitrary: fc.constant("undo two" as const) },
      { weight: 2, arbitrary: fc.constant("redo" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
        rmSync(store(), { recursive: true, force: true });
        const recorder = openRecorder();
        const trees = [tree()];
        const done: (readonly PathChange[])[] = [];
        let redo: { turns: typeof done; does: readonly PathChange[]; gone: Record<string, string>[] }[] = [];
        for (const one of steps) {
          if (typeof one === "object") {
            done.push(await turn(recorder, () => one.forEach(act)));
            trees.push(tree());
            redo = [];
          } else if (one === "redo") {
            const last = redo.pop();
            if (!last) continue;
            const plan = await undo(recorder, last.does);
            expect([plan.kept, plan.lost]).toEqual([[], []]);
            expect(tree()).toEqual(last.gone.at(-1));
            done.push(...last.turns);
            trees.push(...last.gone);
          } else {
            const turns = done.splice(one === "undo" ? -1 : -2);
            if (turns.length === 0) continue;
            const plan = await undo(recorder, ...turns);
            const gone = trees.splice(-turns.length);
            expect([plan.kept, plan.lost]).toEqual([[], []]);
            expect(tree()).toEqual(trees.at(-1));
            redo.push({ turns, does: plan.does, gone });
          }
        }
        recorder.close();
      }),
      { numRuns: 60 },
    );
  });
});
