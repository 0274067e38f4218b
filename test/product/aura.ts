// bin/aura as a person starts it: a child process on a throwaway machine, with nothing of ours in its environment.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createStage, type Stage } from "../helpers/scenario-project.ts";

export const ROOT = new URL("../..", import.meta.url).pathname;
/** The launcher of the build under test; `build.ts` names it. */
export const AURA = process.env["AURA_UNDER_TEST"] ?? join(ROOT, "bin/aura");
/** The pinned Node, whatever runs the tests. */
export const NODE = join(ROOT, "node_modules/node/bin/node");
const CACHE = join(ROOT, "node_modules/.cache/aura-tests");

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Resolves once standard output and error together hold `text`; fails with what they hold when it ends without. */
  shows(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface Start {
  /** Written to standard input, which is then closed; `"open"` leaves it open, undefined closes it at once. */
  readonly input?: string;
  readonly openInput?: true;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What runs the launcher. */
  readonly node?: string;
}

export interface Machine extends Stage {
  readonly env: Readonly<Record<string, string>>;
  start(args: readonly string[], how?: Start): Running;
  run(args: readonly string[], how?: Start): Promise<Ended>;
  /** Writes a model script and gives the flags that play it. */
  script(turns: readonly object[], more?: object): readonly string[];
}

export function createMachine(): Machine {
  const stage = createStage("aura-product-");
  const env = { PATH: process.env["PATH"] ?? "", HOME: stage.home, XDG_CACHE_HOME: CACHE, LANG: "C.UTF-8" };
  let scripts = 0;
  const start = (args: readonly string[], how: Start = {}): Running =>
    watch(
      spawn(how.node ?? NODE, [AURA, ...args], {
        cwd: how.cwd ?? stage.project,
        env: { ...env, ...how.env },
        stdio: ["pipe", "pipe", "pipe"],
      }),
      how,
    );
  return {
    ...stage,
    env,
    start,
    run: (args, how) => start(args, how).ended,
    script(turns, more = {}) {
      const file = join(stage.root, `script-${++scripts}.json`);
      writeFileSync(file, JSON.stringify({ model: { name: "story", context: 64_000 }, turns, ...more }));
      return ["--script", file];
    },
  };
}

function watch(child: ChildProcess, how: Start): Running {
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  const told = () => {
    for (const watcher of [...watchers]) watcher();
  };
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    told();
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    told();
  });
  child.stdin!.on("error", () => undefined); // it may leave without reading
  if (how.input !== undefined) child.stdin!.end(how.input);
  else if (!how.openInput) child.stdin!.end();
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    shows: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!(stdout + stderr).includes(text)) return;
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
        ended.then(() => reject(new Error(`it ended without showing ${text}:\n${stdout}\n${stderr}`)), reject);
      }),
  };
}

/** Every line of JSON lines, parsed; a line that is none throws. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into many shapes
export function jsonLines(text: string): any[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Escape sequences, and control characters other than line ends and tabs. */
export const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/;
