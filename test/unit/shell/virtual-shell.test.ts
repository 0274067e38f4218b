import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ExecOptions } from "../../../src/shell/shell.ts";
import { createVirtualShell, simulate } from "../../../src/shell/virtual-shell.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "aura-virtual-")));
  mkdirSync(join(root, "d"));
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  writeFileSync(join(root, "d/b"), "b\n");
  symlinkSync("/etc/hostname", join(root, "link"));
});
afterEach(() => rmSync(root, { recursive: true }));

const options = (over: Partial<ExecOptions> = {}): ExecOptions => ({
  cwd: root,
  timeoutMs: 10_000,
  maxOutputBytes: 100_000,
  signal: new AbortController().signal,
  ...over,
});
const exec = (script: string, over: Partial<ExecOptions> = {}) =>
  createVirtualShell(root, "/home/me").exec(script, options(over));

test("reads the folder at its own path, with variables, pipes and the text tools", async () => {
  const lines: string[] = [];
  const script = "pwd; grep -c o a.txt; cat d/b | tr b c; find . -name b";
  expect(await exec(script, { onLine: (line) => lines.push(line) })).toEqual({
    kind: "exited",
    code: 0,
    stdout: `${root}\n2\nc\n./d/b\n`,
    stderr: "",
    capped: false,
  });
  expect(lines).toEqual([root, "2", "c", "./d/b"]);
});

test("keeps scratch files until the script ends and no longer", async () => {
  expect(await exec("echo hi > /tmp/x; cat /tmp/x")).toMatchObject({ code: 0, stdout: "hi\n" });
  expect(await exec("cat /tmp/x")).toMatchObject({ code: 1 });
});

test("changes nothing in the folder and says so", async () => {
  expect(await exec("echo x >> a.txt; rm -r d; touch new; true")).toMatchObject({
    code: 1,
    stderr: "nothing was changed: this shell only reads the project (a.txt, d, new)\n",
  });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\ntwo\n");
  expect(readdirSync(root)).toEqual(["a.txt", "d", "link"]);
});

test.each([
  "cat /etc/hostname",
  "cat link",
  "cat ../../etc/hostname /proc/self/environ",
  "node -e 1",
  "curl https://example.org",
])("has nothing beyond it: %s", async (script) => {
  const result = await exec(script);
  expect(result).toMatchObject({ stdout: "" });
  expect((result as { code: number }).code).toBeGreaterThan(0);
});

test("a script that cannot be read is not run", async () => {
  expect(await exec("echo (")).toMatchObject({ kind: "syntax-error" });
});

test("a loop without end is ended at its time, and a cancelled one at once", async () => {
  expect(await exec("while :; do :; done", { timeoutMs: 300 })).toMatchObject({ kind: "timeout", ms: 300 });
  const stop = new AbortController();
  const running = exec("while :; do :; done", { signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ kind: "cancelled" });
});

test("output is held to its cap", async () => {
  expect(await exec("seq 1 10000", { maxOutputBytes: 10 })).toMatchObject({ stdout: "1\n2\n3\n4\n5\n", capped: true });
});

test("a simulation tells what would change and changes nothing", async () => {
  const { result, changes } = await simulate(
    "sed -i s/one/ONE/ a.txt; mkdir e; cp d/b e/c; rm d/b",
    { root, home: "/h" },
    options(),
  );
  expect(result).toMatchObject({ code: 0 });
  const words = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();
  expect(changes.map(({ path, what, before, after }) => [path, what, words(before), words(after)])).toEqual([
    ["a.txt", "modified", "one\ntwo\n", "ONE\ntwo\n"],
    ["d/b", "deleted", "b\n", undefined],
    ["e", "added", undefined, undefined],
    ["e/c", "added", undefined, "b\n"],
  ]);
  expect(readdirSync(root)).toEqual(["a.txt", "d", "link"]);
});
