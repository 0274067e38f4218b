import { runProgram } from "../system/process.ts";
import { findRipgrep } from "../system/ripgrep.ts";

const TIMEOUT_MS = 30_000;

/** Files below `cwd` that no ignore file names, sorted by path, as they are found. @throws Error without ripgrep */
export async function listFiles(
  cwd: string,
  onFile: (path: string) => void,
  signal: AbortSignal,
  guardProcess: (pid: number) => () => void,
): Promise<void> {
  let ended: (() => void) | undefined;
  await runProgram(
    await findRipgrep(),
    ["--no-config", "--files", "--hidden", "--glob", "!.git", "--no-require-git", "--sort", "path"],
    {
      cwd,
      env: {},
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: 0,
      signal,
      onStart(pid) {
        ended = guardProcess(pid);
      },
      onLine: (line, stream) => {
        if (stream === "stdout") onFile(line);
      },
    },
  ).finally(() => ended?.());
}
