import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { type RunOptions, runProgram } from "../../../src/system/process.ts";
import { isRunning } from "../../helpers/processes.ts";

const run = (args: readonly string[], options: Partial<RunOptions> = {}) =>
  runProgram("/bin/sh", ["-c", ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] ?? "" },
    timeoutMs: 10_000,
    maxOutputBytes: 10_000,
    ...options,
  });

test("arguments reach the program as they are", async () => {
  expect(await run(['printf "%s|" "$@"', "sh", "a b", "$HOME", "", "'"])).toMatchObject({ stdout: "a b|$HOME||'|" });
});

test("the environment is the given one and no more", async () => {
  expect(await run(["echo $ONLY $HOME"], { env: { ONLY: "this" } })).toMatchObject({ stdout: "this\n" });
});

test("the extra input is on descriptor 3, and not reading it is no failure", async () => {
  expect(await run(["cat <&3"], { extraInput: "hello" })).toMatchObject({ stdout: "hello", code: 0 });
  expect(await run(["exit 4"], { extraInput: "x".repeat(1_000_000) })).toMatchObject({ code: 4 });
});

test("death by a signal is 128 and its number", async () => {
  expect(await run(["kill -TERM $$"])).toMatchObject({ kind: "exited", code: 143 });
});

test("no time limit is possible, and cancelling kills what runs", async () => {
  const stop = new AbortController();
  let pid = 0;
  const result = await run(["sleep 611; echo never"], {
    timeoutMs: 0,
    signal: stop.signal,
    onStart(id) {
      pid = id;
      stop.abort();
    },
  });
  expect(result).toEqual({ kind: "cancelled", stdout: "", stderr: "", capped: false });
  expect(isRunning(pid)).toBe(false);
});

test("a time limit of months does not end a program at once", async () => {
  expect(await run(["sleep 0.05; echo ended"], { timeoutMs: 2 ** 33 })).toMatchObject({ stdout: "ended\n", code: 0 });
});

test("a program that does not exist and a folder that is a file are named", async () => {
  const options = { env: {}, timeoutMs: 0, maxOutputBytes: 0 };
  await expect(runProgram("/no/such/program", [], { ...options, cwd: "/" })).rejects.toThrow(
    "cannot run /no/such/program: no such program",
  );
  await expect(runProgram("/bin/sh", [], { ...options, cwd: "/etc/passwd" })).rejects.toThrow(
    "cannot run in /etc/passwd: not a directory",
  );
});
