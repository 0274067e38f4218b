import type { Status } from "../protocol/status.ts";
import type { Shell } from "../shell/shell.ts";

/** A command that writes the status line: told the status when it changed, once it has calmed down. */
export interface StatusCommand {
  /** The first line it printed last. */
  readonly line: string | undefined;
  /** `onLine` when it said something else than before. */
  changed(status: Status, onLine: () => void): void;
  close(): void;
}

export interface StatusCommandOptions {
  readonly shell: Shell;
  readonly cwd: string;
  /** Empty: there is none. */
  command(): string;
  /** Told once for each way in which it goes wrong. */
  onProblem(text: string): void;
}

const CALM_MS = 300;
const TIMEOUT_MS = 1_000;
const MOST_BYTES = 64 * 1024;
const MOST_CHARACTERS = 1_000;

/** The status as JSON stands on the command's standard input. */
export function createStatusCommand({ shell, cwd, command, onProblem }: StatusCommandOptions): StatusCommand {
  const stop = new AbortController();
  const told = new Set<string>();
  let line: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** What it was told last, together with the command. */
  let shown = "";
  let running = false;
  let next: { readonly status: Status; readonly onLine: () => void } | undefined;

  async function ask(script: string, input: string): Promise<string | undefined> {
    const problem = (text: string) => {
      if (!told.has(text) && !stop.signal.aborted) onProblem(`ui.statusline: ${text}`);
      told.add(text);
      return undefined;
    };
    try {
      const result = await shell.exec(`exec <<<"$AURA_STATUS"\n${script}`, {
        cwd,
        env: { AURA_STATUS: input },
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: MOST_BYTES,
        signal: stop.signal,
      });
      if (result.kind === "syntax-error") return problem(result.message);
      if (result.kind === "timeout") return problem("ended after a second");
      if (result.kind === "exited" && result.code !== 0) return problem(`exit code ${result.code}`);
      const first = result.stdout.split("\n", 1)[0]?.trimEnd().slice(0, MOST_CHARACTERS);
      return first === "" ? undefined : first;
    } catch (error) {
      return problem(error instanceof Error ? error.message : String(error));
    }
  }

  async function run(): Promise<void> {
    timer = undefined;
    if (next === undefined || running) return;
    const { status, onLine } = next;
    next = undefined;
    const { statusLine: _, ...plain } = status;
    const script = command();
    const input = JSON.stringify(plain);
    if (shown === `${script}\n${input}`) return;
    shown = `${script}\n${input}`;
    running = true;
    const said = script === "" ? undefined : await ask(script, input);
    running = false;
    if (stop.signal.aborted) return;
    const isNew = said !== line;
    line = said;
    if (isNew) onLine();
    if (next !== undefined) timer ??= setTimeout(() => void run(), CALM_MS);
  }

  return {
    get line() {
      return line;
    },
    changed(status, onLine) {
      if (stop.signal.aborted || (command() === "" && line === undefined)) return;
      next = { status, onLine };
      clearTimeout(timer);
      timer = setTimeout(() => void run(), CALM_MS);
    },
    close() {
      stop.abort();
      clearTimeout(timer);
    },
  };
}
