import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TrialChanges } from "../../../src/engine/trial-changes.ts";
import { applyChanges } from "../../../src/workspace/apply-journal.ts";
import { recoverJournals } from "../../../src/workspace/apply-journal-recovery.ts";
import { type JournalFs, nodeJournalFs } from "../../../src/workspace/journal-fs.ts";
import { type Attempt, type Bench, createBench, trials } from "../../helpers/trial.ts";

const name = `a trial${trials.found ? "" : ` (this machine cannot: ${trials.failed.join("; ")})`}`;

describe.skipIf(!trials.found)(name, () => {
  let bench: Bench;
  beforeEach(() => {
    bench = createBench();
  });
  afterEach(() => bench.remove());

  const put = (files: Readonly<Record<string, string>>, top = bench.workspace) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(top, path, ".."), { recursive: true });
      writeFileSync(join(top, path), text);
    }
  };
  const changesOf = ({ found }: Attempt): TrialChanges => {
    if ("refused" in found) throw new Error(found.refused);
    return found;
  };
  const seen = (attempt: Attempt) =>
    changesOf(attempt)
      .seen.map(({ path, what }) => `${what} ${path}`)
      .sort();
  const state = () => join(bench.home, "state");
  const keep = async (attempt: Attempt) => applyChanges(changesOf(attempt).changes, state());
  const printed = async (script: string) => {
    const { result } = await bench.attempt(script);
    return result.kind === "exited" ? result.stdout + result.stderr : result.kind;
  };

  describe("tells every change, and a yes makes exactly those", () => {
    test.each<[string, Record<string, string>, string, readonly string[]]>([
      ["of contents", { a: "1" }, "echo 2 > a", ["modified a"]],
      ["of nothing, when the same is written again", { a: "1" }, "printf 1 > a; touch a", []],
      ["of a mode", { a: "1" }, "chmod 751 a", ["mode a"]],
      ["of a folder's mode", { "d/a": "1" }, "chmod 700 d", ["mode d"]],
      ["of a new file in a new folder", {}, "mkdir -p d/e; echo 1 > d/e/f", ["added d", "added d/e", "added d/e/f"]],
      ["of a file that goes", { a: "1", b: "2" }, "rm a", ["deleted a"]],
      [
        "of a folder that goes",
        { "d/e/f": "1", "d/g": "2" },
        "rm -r d",
        ["deleted d", "deleted d/e", "deleted d/e/f", "deleted d/g"],
      ],
      [
        "of a folder that went and came",
        { "d/a": "1", "d/b": "2" },
        "rm -r d; mkdir d; echo 3 > d/c",
        ["added d/c", "deleted d/a", "deleted d/b"],
      ],
      ["of a renamed file", { a: "1" }, "mv a b", ["added b", "deleted a"]],
      ["of a renamed folder", { "d/a": "1" }, "mv d e", ["added e", "added e/a", "deleted d", "deleted d/a"]],
      [
        "of a file that becomes a folder",
        { a: "1" },
        "rm a; mkdir a; echo 2 > a/b",
        ["added a", "added a/b", "deleted a"],
      ],
      [
        "of a folder that becomes a file",
        { "a/b": "1" },
        "rm -r a; echo 2 > a",
        ["added a", "deleted a", "deleted a/b"],
      ],
      ["of a link", { a: "1" }, "ln -s a l; ln -s /nowhere m", ["added l", "added m"]],
      ["of a file that becomes a link", { a: "1", b: "2" }, "rm a; ln -s b a", ["modified a"]],
      [
        "of odd names",
        { "a b": "1" },
        `mv "a b" $'c\\nd'; echo x > '*'; echo y > ./-n`,
        ["added *", "added -n", "added c\nd", "deleted a b"],
      ],
    ])("%s", async (_what, files, script, told) => {
      put(files);
      const before = treeOf(bench.workspace);
      const attempt = await bench.attempt(script);
      expect(seen(attempt)).toEqual([...told].sort());
      expect(treeOf(bench.workspace)).toEqual(before);
      const real = join(bench.home, "real");
      execFileSync("cp", ["-a", bench.workspace, real]);
      execFileSync("bash", ["-c", script], { cwd: real });
      await keep(attempt);
      expect(treeOf(bench.workspace)).toEqual(treeOf(real));
    });
  });

  test("of a file of which only the time changes: it is told apart, and no content is written", async () => {
    put({ a: "1", b: "2", c: "3" });
    for (const file of ["a", "b", "c"]) utimesSync(join(bench.workspace, file), 1000, 1000);
    const found = changesOf(await bench.attempt("touch a; echo 3 > c; cat b; exec 5<>b"));
    expect(found.touched).toEqual([
      { path: join(bench.workspace, "a"), at: expect.toSatisfy((at: number) => at > 1_700_000_000) as number },
    ]);
    expect(found.seen.map(({ path }) => path)).toEqual(["c"]);
  });

  test("whatever a script does to a tree, the yes does the same", { timeout: 120_000 }, async () => {
    const path = fc.constantFrom("a", "b", "d", "d/a", "d/e", "d/e/f", "g");
    const step = fc.oneof(
      fc.tuple(path, fc.integer({ min: 0, max: 3 })).map(([at, text]) => `echo ${text} > ${at}`),
      path.map((at) => `rm -rf ${at}`),
      path.map((at) => `mkdir -p ${at}`),
      fc.tuple(path, path).map(([from, to]) => `mv -T ${from} ${to}`),
      // Not whole folders: what one copied into itself holds depends on the order in which it is read.
      fc.tuple(path, path).map(([from, to]) => `cp ${from} ${to}`),
      fc.tuple(path, path).map(([to, at]) => `ln -sfn ${to} ${at}`),
      fc.tuple(path, fc.constantFrom("700", "755", "644", "600")).map(([at, mode]) => `chmod ${mode} ${at}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        rmSync(bench.workspace, { recursive: true });
        mkdirSync(bench.workspace);
        put({ a: "0\n", "d/a": "1\n", "d/e/f": "2\n" });
        const real = join(bench.home, "real");
        rmSync(real, { recursive: true, force: true });
        execFileSync("cp", ["-a", bench.workspace, real]);
        const script = `${steps.join("; ")}; true`;
        execFileSync("bash", ["-c", script], { cwd: real, stdio: "ignore" });
        const attempt = await bench.attempt(script);
        await keep(attempt);
        expect(treeOf(bench.workspace), script).toEqual(treeOf(real));
      }),
      { numRuns: Number(process.env["AURA_SOAK"] ?? 25) },
    );
  });

  describe("is not kept where the yes could not do the same", () => {
    test.each<[string, string, string]>([
      ["a pipe is left", "mkfifo p", "which is neither a file, a folder nor a link"],
      ["one file gets several names", "echo x > a; ln a b", "has several names"],
      ["a file has other names elsewhere", "echo x >> shared", "has other names elsewhere"],
      ["more files change than can be shown", "for i in $(seq 5100); do : > f$i; done", "more than can be shown"],
      ["more bytes change than can be shown", "head -c 70000000 /dev/zero > big", "more than can be shown"],
    ])("%s", async (_what, script, why) => {
      put({ shared: "1" });
      linkSync(join(bench.workspace, "shared"), join(bench.home, "other"));
      expect(await bench.attempt(script)).toMatchObject({ found: { refused: expect.stringContaining(why) } });
    });

    test("somebody else changes a file while it runs", async () => {
      put({ a: "1" });
      const running = bench.attempt("echo 2 > a; echo told; sleep 0.3");
      await new Promise((resolve) => setTimeout(resolve, 150));
      writeFileSync(join(bench.workspace, "a"), "mine");
      expect((await running).found).toEqual({ refused: "a was changed by another program while it was tried" });
    });
  });

  test.each<[string, string, () => void, string]>([
    ["contents", "echo 2 > a", () => writeFileSync(join(bench.workspace, "a"), "mine"), "a"],
    ["a mode", "chmod 700 a", () => chmodSync(join(bench.workspace, "a"), 0o640), "a"],
    ["a file that is there by now", "echo 2 > new", () => writeFileSync(join(bench.workspace, "new"), "mine"), "new"],
    ["a folder that is there by now", "mkdir new", () => mkdirSync(join(bench.workspace, "new")), "new"],
    ["a file that is gone by now", "rm a", () => rmSync(join(bench.workspace, "a")), "a"],
    [
      "a new file in a folder that is to go",
      "rm -r d",
      () => writeFileSync(join(bench.workspace, "d/mine"), "mine"),
      "d",
    ],
  ])("stops at %s that changed meanwhile, with nothing done", async (_what, script, meanwhile, path) => {
    put({ a: "1", b: "2", "d/x": "3" });
    const attempt = await bench.attempt(`${script}; echo 3 > b`);
    meanwhile();
    const before = treeOf(bench.workspace);
    const other = await changesOf(attempt).changedMeanwhile();
    const failure =
      other ??
      (await keep(attempt).then(
        () => undefined,
        (error: { path?: string }) => error.path,
      ));
    expect(failure).toBe(join(bench.workspace, path));
    expect(treeOf(bench.workspace)).toEqual(before);
  });

  test("a step of the yes that fails leaves the old tree, wherever it is, and no journal", {
    timeout: 120_000,
  }, async () => {
    const plant = () => {
      rmSync(bench.workspace, { recursive: true, force: true });
      mkdirSync(bench.workspace);
      put({ a: "1", b: "2", "d/x": "3", "gone/y": "4" });
    };
    plant();
    const before = treeOf(bench.workspace);
    const attempt = await bench.attempt(
      "echo 2 > a; rm -r gone; mkdir n; echo 5 > n/z; ln -s a l; chmod 700 b; mv d e",
    );
    let steps = 0;
    for (let failing = 1; ; failing++) {
      plant();
      steps = 0;
      const fs = failingAt(() => ++steps === failing);
      const kept = await applyChanges(changesOf(attempt).changes, state(), fs).then(
        () => true,
        () => false,
      );
      if (steps < failing) break;
      const recovered = await recoverJournals(state());
      const whole = kept || recovered.some(({ outcome }) => outcome === "finished");
      // What could not be tidied up is in a journal, for the next start.
      const isOurs = (path: string) => readdirSync(state()).length > 0 && /\.aura-[0-9a-f]+-\d+\.old$/.test(path);
      const now = treeOf(bench.workspace);
      if (!whole) expect(now, `step ${failing}`).toEqual(before);
      else
        expect(
          Object.keys(now).filter((path) => !isOurs(path)),
          `step ${failing}`,
        ).toEqual(["a", "b", "e", "e/x", "l", "n", "n/z"]);
    }
    expect(steps).toBeGreaterThan(20);
  });

  describe("has out of reach", () => {
    test("the home folder and what is in it", async () => {
      put({ ".ssh/id": "the key", ".netrc": "the key" }, bench.home);
      expect(await printed('cat ~/.ssh/id ~/.netrc ../.netrc; ls -A "$HOME"')).not.toContain("the key");
    });

    test("the environment", async () => {
      const { result } = await bench.attempt("env");
      expect(result).toMatchObject({ kind: "exited" });
      const names = (result.kind === "exited" ? result.stdout : "")
        .split("\n")
        .map((line) => line.split("=")[0])
        .filter(Boolean)
        .sort();
      expect(names).toEqual(["HOME", "PATH", "PWD", "SHLVL", "STARTED_BY_AURA", "_"]);
    });

    test("the network, which it says was tried", async () => {
      const server = createServer((socket) => socket.end("reached"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      const { result, manifest } = await bench.attempt(
        `cat </dev/tcp/127.0.0.1/${port}; cat </dev/tcp/192.0.2.1/80; true`,
      );
      expect(result).toMatchObject({ stderr: expect.stringContaining("Network is unreachable") });
      expect(JSON.stringify(result)).not.toContain('reached"');
      expect(manifest?.network).toBe(true);
      expect((await bench.attempt("echo hi")).manifest?.network).toBe(false);
      server.close();
    });

    test("sockets of other programs", async () => {
      const path = join(bench.workspace, "sock");
      const server = createServer((socket) => socket.end("reached"));
      await new Promise<void>((resolve) => server.listen(path, resolve));
      const connect = `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer=>"sock") ? "open" : "shut"'`;
      expect(await printed(connect)).toBe("shut");
      expect(execFileSync("bash", ["-c", connect], { cwd: bench.workspace, encoding: "utf8" })).toBe("open");
      server.close();
    });

    test("other processes", async () => {
      expect(
        await printed(
          `kill -0 ${process.pid} 2>/dev/null && echo seen; cat /proc/1/environ 2>/dev/null | head -c 5; ls /proc/1/root 2>/dev/null | head -1`,
        ),
      ).toBe("");
    });

    test("everything else on disk, for writing", async () => {
      expect(await printed(": > /etc/aura; : > /usr/aura; : > /var/aura; true")).toMatch(
        /(Read-only file system[\s\S]*){3}/,
      );
    });

    test.skipIf(process.getuid?.() !== 0)("what only root reads", async () => {
      expect(await printed("cat /etc/shadow")).toBe("");
    });

    test("its own walls", async () => {
      put({ ".netrc": "the key" }, bench.home);
      const script = `unshare -Urm sh -c 'umount -l "$HOME"; umount -l "$HOME/project"; cat "$HOME/.netrc"; mount -o remount,rw /; echo x > /etc/aura'`;
      expect(await printed(script)).not.toContain("the key");
      expect(existsSync("/etc/aura")).toBe(false);
    });
  });

  describe("is bounded", () => {
    test("in time, and nothing it started goes on", async () => {
      const { result } = await bench.attempt("setsid sleep 301 & sleep 302", 400);
      expect(result.kind).toBe("timeout");
      expect(running("sleep 30[12]")).toEqual([]);
    });

    test("to its own life: what it leaves in the background ends with it", async () => {
      const { result } = await bench.attempt("setsid sleep 303 >/dev/null 2>&1 & disown; echo gone");
      expect(result).toMatchObject({ kind: "exited", stdout: "gone\n" });
      expect(running("sleep 303")).toEqual([]);
    });

    test("in disk: a file that grows without end fails", async () => {
      const { result } = await bench.attempt("head -c 700000000 /dev/zero > big; echo ended");
      expect(result).toMatchObject({
        stdout: "ended\n",
        stderr: expect.stringMatching(/No space left|File size limit/),
      });
    });

    test("in memory and processes", async () => {
      const { result } = await bench.attempt("ulimit -d; ulimit -u; ulimit -c; ulimit -t");
      expect(result).toMatchObject({ stdout: "4194304\n1024\n0\n10\n" });
    });
  });

  test("a command that commits to git moves the branch only after a yes", async () => {
    put({ a: "1" });
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: bench.workspace, encoding: "utf8" });
    git("init", "-q");
    const script = "git add -A && git -c user.name=a -c user.email=a@b commit -qm one && git log --oneline | wc -l";
    const attempt = await bench.attempt(script);
    expect(attempt.result).toMatchObject({ code: 0, stdout: "1\n" });
    expect(() => git("log")).toThrow();
    await keep(attempt);
    expect(git("log", "--format=%s")).toBe("one\n");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("fsck")).toBe("");
  });

  test("nothing of it is left mounted", async () => {
    await bench.attempt("echo x > a");
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(bench.home);
  });

  test("looks at what a command touched, and at nothing else of a large workspace", async () => {
    put(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`src/f${at}`, "x\n"])));
    const attempt = await bench.attempt("sed -i s/x/y/ src/f1 src/f2; cat src/* >/dev/null");
    expect(seen(attempt)).toEqual(["modified src/f1", "modified src/f2"]);
  });
});

/** Every path below a folder with what stands there, its mode included. */
function treeOf(top: string, below = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(join(top, below)).sort()) {
    const path = below === "" ? entry : `${below}/${entry}`;
    const stat = lstatSync(join(top, path));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree[path] = `-> ${readlinkSync(join(top, path))}`;
    else if (stat.isDirectory()) Object.assign(tree, { [path]: `${mode} folder` }, treeOf(top, path));
    else tree[path] = `${mode} ${stat.isFile() ? readFileSync(join(top, path), "latin1") : "other"}`;
  }
  return tree;
}

const running = (pattern: string) =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => new RegExp(`^${pattern}`).test(line));

/** A file system whose n-th changing step fails, and only that one. */
function failingAt(isNow: () => boolean): JournalFs {
  return new Proxy(nodeJournalFs, {
    get:
      (fs, name: keyof JournalFs) =>
      async (...args: never[]) => {
        if (isNow()) throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
        return (fs[name] as (...args: never[]) => Promise<void>)(...args);
      },
  });
}
