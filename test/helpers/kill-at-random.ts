import { spawn } from "node:child_process";

export interface KillOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Written to the child's standard input, which is then closed. */
  readonly input?: string;
  /** The moment: SIGKILL follows the n-th line of standard output at once. */
  readonly afterLines: number;
}

export interface Killed {
  /** Every whole line the child wrote before it died. */
  readonly lines: readonly string[];
  readonly stderr: string;
  /** False when the child ended by itself before its moment came. */
  readonly killed: boolean;
}

/**
 * Starts a program and kills it, as a power cut would, after it has shown some number of lines. What it showed is
 * what it owes: a test compares `lines` with what is found on disk.
 */
export function killAfterLines(options: KillOptions): Promise<Killed> {
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(options.input ?? "");
  const lines: string[] = [];
  let stderr = "";
  // What follows the last line break was torn by the kill: nobody has read it as a line.
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const pieces = (rest + text).split("\n");
    rest = pieces.pop() ?? "";
    if (lines.length < options.afterLines && lines.length + pieces.length >= options.afterLines) child.kill("SIGKILL");
    lines.push(...pieces);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (_code, signal) => resolve({ lines, stderr, killed: signal === "SIGKILL" }));
  });
}

/** How often to try: `AURA_SOAK` when it is set, else `usual`. */
export function rounds(usual: number): number {
  return Number(process.env["AURA_SOAK"] ?? usual) || usual;
}

/** Numbers from 0 up to 1 that look random and repeat with their seed: a linear congruential generator. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Multiplier and increment as in Knuth, The Art of Computer Programming, volume 2, 3.3.4.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
