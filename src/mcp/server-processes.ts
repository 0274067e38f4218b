import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { startWatchdog, type Watchdog } from "../shell/watchdog.ts";
import { limitMarks, underLimit } from "../system/limit-mark.ts";
import { endFamily, groupExists, type ProcessFamily } from "../system/process-tree.ts";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
}

export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** The processes of a conversation's servers. None outlives `close`, nor a SIGKILL of ours. */
export interface ServerProcesses {
  start(command: ServerCommand): ServerProcess;
  /** Closes its standard input, as MCP wants it, then SIGTERM, then SIGKILL. Resolves when it and its family are gone. */
  end(child: ServerProcess): Promise<void>;
  close(): Promise<void>;
}

/** Carried by all of them, so that they are found wherever they move to. */
const MARK = "STARTED_BY_AURA_FOR_MCP";
/** From the end of its input to SIGTERM: a server that is asked politely leaves by itself. */
const POLITE_MS = 300;
/** From SIGTERM to SIGKILL (other-systems 1.7). */
const GRACE_MS = 5_000;

export function createServerProcesses(path: string | undefined, graceMs = GRACE_MS): ServerProcesses {
  const family = randomUUID().slice(0, 8);
  const running = new Set<ServerProcess>();
  let watchdog: Watchdog | undefined;
  let count = 0;
  const marks = new WeakMap<ServerProcess, Pick<ProcessFamily, "mark" | "limit">>();
  const limits = limitMarks();

  async function end(child: ServerProcess): Promise<void> {
    const { pid } = child;
    running.delete(child);
    if (pid === undefined) return;
    child.stdin.end();
    await exitWithin(child, POLITE_MS);
    await endFamily({ groups: [pid], ...marks.get(child) }, graceMs);
    if (!groupExists(pid)) watchdog?.forget(pid);
  }

  return {
    start({ command, args, cwd, env }) {
      watchdog ??= startWatchdog(`${MARK}=${family}.`, path, limits?.prefix);
      const mark = `${family}.${++count}.`;
      // A command that is not there is to be reported as that, which only happens when it is started itself.
      const limit = isThere(command, cwd, env["PATH"]) ? limits?.next() : undefined;
      const program = limit === undefined ? { file: command, args } : underLimit(limit, command, args);
      const child = spawn(program.file, [...program.args], {
        cwd,
        env: { ...env, [MARK]: mark },
        // A group of its own: Ctrl+C in our terminal is ours, and its children are ended with it.
        detached: true,
        stdio: ["pipe", "pipe", "pipe"],
      });
      marks.set(child, { mark: `${MARK}=${mark}`, ...(limit !== undefined && { limit }) });
      if (child.pid !== undefined) {
        running.add(child);
        watchdog.watch(child.pid);
      }
      return child;
    },
    end,
    async close() {
      await Promise.all([...running].map(end));
      watchdog?.dismiss();
      watchdog = undefined;
    },
  };
}

/** Whether a program would be found the way execvp(3) looks for it. */
function isThere(command: string, cwd: string, path = ""): boolean {
  const places = command.includes("/")
    ? [command]
    : path.split(delimiter).map((folder) => join(folder || ".", command));
  return places.some((place) => isExecutable(resolve(cwd, place)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function exitWithin(child: ServerProcess, ms: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
