import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHostShell, type HostShell } from "../../../src/shell/host-shell.ts";
import type { ExecOptions, ExecResult } from "../../../src/shell/shell.ts";
import type { ToolAccess } from "../../../src/toolkit/tool-access.ts";
import { bash } from "../../../src/tools/bash.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

let cwd: string;
let shell: HostShell;
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "aura-bash-")));
  await mkdir(join(cwd, "sub"));
  shell = createHostShell({ env: process.env });
});
afterAll(async () => {
  await shell.close();
  await rm(cwd, { recursive: true });
});

const settings = (timeoutMs: number, maxOutputBytes = 1_048_576) => ({
  readSmallFileTokens: 2000,
  bash: { timeoutMs, maxOutputBytes, rewrite: "" },
});
const project = (overrides: Partial<ToolAccess> = {}) => memoryProject({}, { cwd, shell, ...overrides });

describe("the result", () => {
  test.each([
    ["echo a; echo b", "a\nb\n"],
    ["echo a; echo b >&2", "a\n\nSTDERR:\nb\n"],
    ["echo b >&2", "STDERR:\nb\n"],
    ["echo a; exit 3", "a\n\nEXIT CODE: 3"],
    ["printf a; echo b >&2; exit 1", "a\nSTDERR:\nb\n\nEXIT CODE: 1"],
    ["false", "\nEXIT CODE: 1"],
    ["true", ""],
    ["kill -TERM $$", "\nEXIT CODE: 143"],
  ])("of %j is %j", async (command, text) => {
    expect(await project().run(bash, { command })).toBe(text);
  });

  test("of a command that takes too long says so, and how to ask for more", async () => {
    const text = await project().run(bash, { command: "echo a; sleep 60", timeout_ms: 100 });
    expect(text).toBe(
      "a\n\n[killed; when its time was over, sleep sleeps; if it needs longer, call again with timeout_ms above 100]\nEXIT CODE: TIMEOUT after 100ms",
    );
  });

  test("names the cap when output was lost", async () => {
    const text = await project({ settings: settings(5000, 4) }).run(bash, { command: "echo abcdef; exit 2" });
    expect(text).toBe("abcd\n[output capped at 4 byte limit — full output not available]\nEXIT CODE: 2");
  });
});

test("a syntax error is an error, and nothing was run", async () => {
  const called = await project().call(bash, { command: "echo a > trace\nif" });
  expect(called).toMatchObject({ status: "failed", message: expect.stringMatching(/^syntax error: line 3: /) });
  expect(await project().run(bash, { command: "ls" })).toBe("sub\n");
});

test("runs in workdir, relative to the working directory", async () => {
  expect(await project().run(bash, { command: "pwd", workdir: " sub " })).toBe(`${cwd}/sub\n`);
  expect(await project().run(bash, { command: "pwd" })).toBe(`${cwd}\n`);
});

test("runs the rewritten command, and a rewrite that fails is an error", async () => {
  const wrapping = project({ rewrite: async (command) => `echo rewritten; ${command}` });
  expect(await wrapping.run(bash, { command: "echo a" })).toBe("rewritten\na\n");
  const failing = project({ rewrite: () => Promise.reject(new Error("bash.rewrite: no such field")) });
  expect(await failing.call(bash, { command: "echo a" })).toEqual({
    status: "failed",
    message: "bash.rewrite: no such field",
  });
});

test("prints lines while the command runs", async () => {
  const running = project();
  await running.run(bash, { command: "echo a; printf b" });
  expect(running.printed).toEqual(["a", "b"]);
});

test("asks the shell with the settings of the session unless the call says otherwise", async () => {
  const asked: Partial<ExecOptions>[] = [];
  const listening = {
    exec: async (_: string, { timeoutMs, maxOutputBytes }: ExecOptions): Promise<ExecResult> => {
      asked.push({ timeoutMs, maxOutputBytes });
      return { kind: "exited", code: 0, stdout: "", stderr: "", capped: false };
    },
  };
  const one = project({ shell: listening, settings: settings(120_000, 77) });
  await one.run(bash, { command: "x" });
  await one.run(bash, { command: "x", timeout_ms: 300_000 });
  expect(asked).toEqual([
    { timeoutMs: 120_000, maxOutputBytes: 77 },
    { timeoutMs: 300_000, maxOutputBytes: 77 },
  ]);
});
