import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHostShell } from "../../src/shell/host-shell.ts";
import type { ExecOptions, Shell } from "../../src/shell/shell.ts";

interface OpenShell extends Shell {
  close(): Promise<void>;
}

/** What every shell must do, whatever runs the scripts. */
const SHELLS: Readonly<Record<string, () => OpenShell>> = {
  host: () => createHostShell({ env: process.env }),
};

describe.each(Object.entries(SHELLS))("the %s shell", (_, open) => {
  let cwd: string;
  let shell: OpenShell;

  beforeAll(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), "aura-shell-")));
  });
  beforeEach(() => {
    shell = open();
  });
  afterEach(() => shell.close());
  afterAll(() => rm(cwd, { recursive: true }));

  const exec = (script: string, options: Partial<ExecOptions> = {}) =>
    shell.exec(script, {
      cwd,
      timeoutMs: 10_000,
      maxOutputBytes: 100_000,
      signal: new AbortController().signal,
      ...options,
    });
  const exited = (stdout: string, stderr = "", code = 0) => ({ kind: "exited", code, stdout, stderr, capped: false });

  test("captures both streams and the code of a script", async () => {
    expect(await exec("echo out; echo err >&2; exit 3")).toEqual(exited("out\n", "err\n", 3));
  });

  test("runs in the folder it is given, with the variables it is given", async () => {
    expect(await exec('pwd; echo "$GREETING"', { env: { GREETING: "hello" } })).toEqual(exited(`${cwd}\nhello\n`));
  });

  test("keeps nothing from one script to the next", async () => {
    await exec("cd /; greeting=hello");
    expect(await exec('pwd; echo "[$greeting]"')).toEqual(exited(`${cwd}\n[]\n`));
  });

  test("has empty standard input", async () => {
    expect(await exec("cat; read -r line || echo nothing")).toEqual(exited("nothing\n"));
  });

  test("answers 127 for a command that does not exist", async () => {
    expect(await exec("no-such-command-here")).toMatchObject({
      kind: "exited",
      code: 127,
      stderr: expect.stringContaining("not found"),
    });
  });

  test("runs pipelines, here-documents, functions and a comment without a newline at the end", async () => {
    const script = "f() {\n  tr a-z A-Z\n}\ncat <<EOF | f\nhello $((40 + 2))\nEOF\nfalse # done";
    expect(await exec(script)).toEqual(exited("HELLO 42\n", "", 1));
  });

  test("runs nothing of a script whose syntax is wrong further down", async () => {
    const result = await exec("echo ran > trace\nif true; then\necho never\n");
    expect(result).toMatchObject({ kind: "syntax-error", message: expect.stringContaining("unexpected end of file") });
    expect(await exec("cat trace")).toMatchObject({ code: 1 });
  });

  test("runs nothing of a single line whose syntax is wrong", async () => {
    expect(await exec("echo ran > trace; foo(")).toMatchObject({ kind: "syntax-error" });
    expect(await exec("cat trace")).toMatchObject({ code: 1 });
  });

  test("does not mistake a script that runs a wrong script for a wrong script", async () => {
    expect(await exec("eval 'foo('")).toMatchObject({ kind: "exited", stdout: "" });
  });

  test("reports each complete line as it comes and the last partial one at the end", async () => {
    const lines: string[] = [];
    await exec("echo one; printf 'two\\nthree'; echo four >&2", {
      onLine: (line, stream) => void lines.push(`${stream}: ${line}`),
    });
    expect(lines.filter((line) => line.startsWith("stdout"))).toEqual(["stdout: one", "stdout: two", "stdout: three"]);
    expect(lines).toContain("stderr: four");
  });

  test("lets a script open its output by name, again and again", async () => {
    for (let i = 0; i < 3; i++)
      expect(await exec("echo a >/dev/stderr; echo b | tee /dev/stdout; echo c >>/proc/self/fd/1")).toEqual(
        exited("b\nb\nc\n", "a\n", 0),
      );
  });

  test("stops a script that takes too long and keeps what it had written", async () => {
    expect(await exec("echo before; sleep 60; echo after", { timeoutMs: 100 })).toMatchObject({
      kind: "timeout",
      ms: 100,
      stdout: "before\n",
      stderr: "",
      capped: false,
    });
  });

  test("stops a script when it is cancelled", async () => {
    const stop = new AbortController();
    const result = exec("echo before; sleep 60", { signal: stop.signal, onLine: () => stop.abort() });
    expect(await result).toEqual({ kind: "cancelled", stdout: "before\n", stderr: "", capped: false });
  });

  test("runs nothing when it was cancelled before", async () => {
    const result = await exec("echo ran > trace", { signal: AbortSignal.abort() });
    expect(result).toEqual({ kind: "cancelled", stdout: "", stderr: "", capped: false });
    expect(await exec("cat trace")).toMatchObject({ code: 1 });
  });

  test("caps each stream by itself, between characters", async () => {
    expect(await exec("printf 'äöü'; echo fine >&2", { maxOutputBytes: 5 })).toEqual({
      kind: "exited",
      code: 0,
      stdout: "äö",
      stderr: "fine\n",
      capped: true,
    });
  });
});
