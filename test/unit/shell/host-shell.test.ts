import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHostShell, type HostShell } from "../../../src/shell/host-shell.ts";
import type { ExecOptions } from "../../../src/shell/shell.ts";
import { isRunning, until, untilGone } from "../../helpers/processes.ts";

// The pinned Node, which reads TypeScript; the one that runs the tests may be older.
const NODE = join(import.meta.dirname, "../../../node_modules/.bin/node");
const OWNER = join(import.meta.dirname, "../../helpers/shell-owner.ts");

let cwd: string;
let shell: HostShell;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "aura-host-shell-"));
});
beforeEach(() => {
  shell = createHostShell({ env: process.env });
});
afterEach(() => shell.close());
afterAll(() => rm(cwd, { recursive: true }));

function exec(script: string, options: Partial<ExecOptions> = {}) {
  const signal = new AbortController().signal;
  return shell.exec(script, { cwd, timeoutMs: 15_000, maxOutputBytes: 1_048_576, signal, ...options });
}

/** The process ids a script printed, one a line. */
function pidsIn(result: { readonly stdout?: string }): number[] {
  return (result.stdout ?? "").split("\n").filter(Boolean).map(Number);
}

describe("what a command leaves running", () => {
  test("a background process holding the pipe does not block the call and lives on until close", async () => {
    const result = await exec("sleep 600 & echo $!");
    const [pid] = pidsIn(result as { stdout: string });
    expect(result).toMatchObject({ kind: "exited", code: 0 });
    expect(isRunning(pid!)).toBe(true);
    await shell.close();
    expect(isRunning(pid!)).toBe(false);
  });

  test("a background process may go on writing after the call", async () => {
    const result = await exec(
      "(until [ -e go ]; do sleep 0.02; done; seq 100000; echo $? > w; mv w wrote) & echo ready",
    );
    expect(result).toMatchObject({ stdout: "ready\n" });
    await writeFile(join(cwd, "go"), "");
    await until(() => existsSync(join(cwd, "wrote")), "the background process wrote everything");
    expect(await readFile(join(cwd, "wrote"), "utf8")).toBe("0\n");
  });

  test("a background process that never stops writing does not block the call", async () => {
    expect(await exec("yes & echo ready >&2", { maxOutputBytes: 1000 })).toMatchObject({
      kind: "exited",
      stderr: "ready\n",
    });
  });

  test("a timeout ends every process of a pipeline, its children, and those that left the group", async () => {
    const result = await exec("sleep 601 & echo $!; setsid sleep 602 & echo $!; sleep 603 | sleep 604", {
      timeoutMs: 300,
    });
    expect(result).toMatchObject({ kind: "timeout", ms: 300 });
    const pids = pidsIn(result as { stdout: string });
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test.runIf(process.platform === "linux")(
    "neither a timeout nor close misses who left the session with an empty environment",
    async () => {
      const result = await exec(`${DAEMON}; sleep 611`, { timeoutMs: 300 });
      expect(result).toMatchObject({ kind: "timeout" });
      const [first] = pidsIn(result as { stdout: string });
      expect(isRunning(first!)).toBe(false);

      const [second] = pidsIn((await exec(DAEMON)) as { stdout: string });
      expect(isRunning(second!)).toBe(true);
      await shell.close();
      expect(isRunning(second!)).toBe(false);
    },
  );

  test("a process that ignores SIGTERM is killed a second later, before the call ends", async () => {
    const result = await exec("(trap '' TERM; echo $BASHPID; sleep 605; sleep 606) & wait", { timeoutMs: 200 });
    expect(result).toMatchObject({ kind: "timeout" });
    expect(pidsIn(result as { stdout: string }).filter(isRunning)).toEqual([]);
  });

  test("a script has time to tidy up after SIGTERM, and what it says then is kept", async () => {
    const result = await exec("trap 'echo tidy; exit 9' TERM; echo ready; sleep 607 & wait", { timeoutMs: 300 });
    expect(result).toEqual({
      kind: "timeout",
      ms: 300,
      waits: "sleep sleeps",
      stdout: "ready\ntidy\n",
      stderr: "",
      capped: false,
    });
  });

  test("close ends a command under way and refuses new ones", async () => {
    const running = exec("echo $$; sleep 608", { onLine: () => void shell.close() });
    const result = await running;
    expect(result).toMatchObject({ kind: "cancelled" });
    expect(pidsIn(result as { stdout: string }).filter(isRunning)).toEqual([]);
    expect(await exec("echo hi")).toEqual({ kind: "cancelled", stdout: "", stderr: "", capped: false });
  });

  test.runIf(process.platform === "linux")("nothing survives when we are killed with SIGKILL", async () => {
    const victim = spawn(NODE, [OWNER, cwd], { stdio: ["ignore", "pipe", "inherit"] });
    const pids: number[] = [];
    for await (const line of createInterface({ input: victim.stdout })) {
      pids.push(Number(line));
      if (pids.length === 6) break;
    }
    expect(pids.filter(isRunning)).toHaveLength(6);
    victim.kill("SIGKILL");
    await once(victim, "exit");
    await untilGone(pids);
  });
});

/** Prints its id and stays: no child of the shell, no member of its session, without any of its variables. */
const DAEMON = "echo $(setsid -f env -i bash --norc -c 'echo $$; exec sleep 612 >/dev/null 2>&1')";

describe("output", () => {
  test("100 MB of it cost bounded memory", async () => {
    const collect = collectGarbage();
    const held = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = held();
    let peak = before;
    const sampling = setInterval(() => {
      peak = Math.max(peak, held());
    }, 10);
    const result = await exec("yes | head -c 100000000");
    clearInterval(sampling);
    expect(result).toMatchObject({ kind: "exited", code: 0, capped: true, stdout: "y\n".repeat(524_288) });
    expect(Math.max(peak, held()) - before).toBeLessThan(10_000_000);
  });

  test("everything a command wrote is there, however much was still in the pipe when it ended", async () => {
    for (let round = 0; round < 10; round++) {
      const result = await exec("seq 20000; seq 20000 >&2");
      expect(result).toMatchObject({ stdout: seq(20_000), stderr: seq(20_000) });
    }
  });

  test("bytes that are not UTF-8 are replaced, NUL and the rest are kept", async () => {
    expect(await exec("printf 'a\\xff\\0b\\xc3\\xa4\\n'")).toMatchObject({ stdout: "a\ufffd\0bä\n" });
  });

  test("of a progress line only the newest state is shown, and the result has all of it", async () => {
    const lines: string[] = [];
    const result = await exec("printf '10%%\\r50%%\\r100%%\\r\\n'", { onLine: (line) => void lines.push(line) });
    expect(lines.at(-1)).toBe("100%");
    expect(result).toMatchObject({ stdout: "10%\r50%\r100%\r\n" });
  });
});

describe("surroundings", () => {
  test("credentials of model providers reach no command unless they were given to it", async () => {
    const guarded = createHostShell({
      env: { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-1", AURA_PROVIDERS_X_TOKEN: "t", GITHUB_TOKEN: "gh" },
    });
    const script = 'echo "$OPENAI_API_KEY|$AURA_PROVIDERS_X_TOKEN|$GITHUB_TOKEN|$MY_API_KEY"';
    const signal = new AbortController().signal;
    const result = await guarded.exec(script, {
      cwd,
      timeoutMs: 5000,
      maxOutputBytes: 0,
      signal,
      env: { MY_API_KEY: "given" },
    });
    expect(result).toMatchObject({ stdout: "||gh|given\n" });
    await guarded.close();
  });

  test("start-up files, exported functions and shell options of ours do not take part", async () => {
    const rc = join(cwd, "rc.sh");
    await writeFile(rc, "echo started\n");
    const guarded = createHostShell({
      env: { PATH: process.env["PATH"], BASH_ENV: rc, ENV: rc, SHELLOPTS: "xtrace", "BASH_FUNC_echo%%": "() { :; }" },
    });
    const signal = new AbortController().signal;
    const result = await guarded.exec("echo hi\necho ho", { cwd, timeoutMs: 5000, maxOutputBytes: 0, signal });
    expect(result).toEqual({ kind: "exited", code: 0, stdout: "hi\nho\n", stderr: "", capped: false });
    await guarded.close();
  });

  test.each(["/", "/usr", "/usr/bin"])("a session in %s finds the system's bash", async (folder) => {
    expect(await exec("pwd", { cwd: folder })).toMatchObject({ kind: "exited", stdout: `${folder}\n` });
  });

  test("a bash inside the project is never the shell", async () => {
    const inside = await mkdtemp(join(cwd, "bin-"));
    await writeFile(join(inside, "bash"), "#!/bin/sh\necho hijacked\n", { mode: 0o755 });
    const hijacked = createHostShell({ env: { PATH: `${inside}:.:${process.env["PATH"]}` } });
    const signal = new AbortController().signal;
    const result = await hijacked.exec("echo $0", { cwd, timeoutMs: 15_000, maxOutputBytes: 1000, signal });
    await hijacked.close();
    expect(result).toMatchObject({ stdout: "bash\n" });
  });

  test("a machine without bash is named as the reason", async () => {
    const bare = createHostShell({ env: { PATH: cwd }, bash: join(cwd, "bash") });
    const signal = new AbortController().signal;
    const exec = bare.exec("echo hi", { cwd, timeoutMs: 5000, maxOutputBytes: 0, signal });
    await expect(exec).rejects.toThrow(`cannot run ${join(cwd, "bash")}: no such program`);
    await bare.close();
  });

  test("a working directory that is not there is named as the reason", async () => {
    await expect(exec("echo hi", { cwd: join(cwd, "gone") })).rejects.toThrow(
      `cannot run in ${join(cwd, "gone")}: no such directory`,
    );
  });
});

function seq(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}\n`).join("");
}

/** Garbage that waits to be collected says nothing about what the code holds on to. */
function collectGarbage(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
