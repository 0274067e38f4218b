import { type OpenOptions, openConversation, parseDuration } from "../../src/index.ts";
import { createHeadless } from "../headless/headless.ts";
import {
  createJsonWriter,
  createStreamJsonWriter,
  createTextWriter,
  type Outputs,
  type Writer,
} from "../headless/writers.ts";
import type { RunFlags } from "./arguments.ts";
import { ExpectedStop } from "./expected-stop.ts";
import type { Signals } from "./signals.ts";

export interface HeadlessRun {
  readonly prompts: readonly string[];
  readonly flags: RunFlags;
}
export interface ProcessEdge {
  readonly out: Outputs;
  readonly signals: Signals;
}

/** `aura run`: prompts from arguments and standard input, the answer on standard output. */
export async function runHeadless(
  run: HeadlessRun,
  options: OpenOptions,
  { out, signals }: ProcessEdge,
): Promise<number> {
  const timeoutMs = timeout(run.flags.timeout);
  const input = await readStandardInput({ hasPrompt: run.prompts.length > 0, out, stop: signals.stop });
  if (signals.exitCode !== undefined) return signals.exitCode;
  const prompts = withStandardInput(run.prompts, input);
  const writer = writerFor(run.flags, out, options.verbose ?? false);
  const opened = await openConversation({
    ...options,
    ...(run.flags.withMcp && { withMcp: true }),
    ignoreApprovals: run.flags.approve === "none",
  });
  if (opened.kind === "refused") throw new ExpectedStop(opened.problem, 1);
  const { conversation } = opened;
  for (const note of opened.notes) out.talk(`aura: ${note}\n`);
  try {
    const frontEnd = createHeadless({
      prompts,
      approve: run.flags.approve === "all" ? "all" : "none",
      writer,
      stop: signals.stop,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const { exitCode } = await frontEnd.run(conversation);
    return signals.exitCode ?? exitCode;
  } finally {
    await conversation.close();
  }
}

function timeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  if (ms === undefined) throw new ExpectedStop(`--timeout: "${text}" is no duration: write 90s or 5m`);
  return ms;
}

/** With an argument, standard input is context for the first prompt; without one it is the prompt (aura 20). */
function withStandardInput(prompts: readonly string[], input: string): readonly string[] {
  const given = prompts.filter((prompt) => prompt.trim() !== "");
  if (given.length === 0) {
    if (input === "") throw new ExpectedStop('no prompt: pass one (aura run "…") or pipe it to standard input');
    return [input];
  }
  const [first = "", ...rest] = given;
  return input === "" || first.startsWith("/") ? given : [`${first}\n\n<stdin>\n${input}\n</stdin>`, ...rest];
}

/** Some callers leave a pipe open that nobody ever writes to: with a prompt in hand that must not stop us. */
const SILENCE_MS = 3_000;

interface InputWait {
  readonly hasPrompt: boolean;
  readonly out: Outputs;
  /** Ends the waiting. */
  readonly stop: AbortSignal;
}

async function readStandardInput({ hasPrompt, out, stop }: InputWait): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return "";
  const leave = () => stdin.destroy();
  stop.addEventListener("abort", leave, { once: true });
  const chunks: Buffer[] = [];
  let silence: NodeJS.Timeout | undefined;
  if (hasPrompt)
    silence = setTimeout(() => {
      out.talk("aura: nothing came on standard input for 3 s: going on without it (use </dev/null to say so)\n");
      stdin.destroy();
    }, SILENCE_MS);
  try {
    for await (const chunk of stdin) {
      clearTimeout(silence);
      chunks.push(chunk as Buffer);
    }
  } catch {
    // A standard input that cannot be read (closed, a directory) holds no more of a prompt than what came.
  } finally {
    clearTimeout(silence);
    stop.removeEventListener("abort", leave);
  }
  return Buffer.concat(chunks).toString("utf8").trim();
}

function writerFor(flags: RunFlags, out: Outputs, verbose: boolean): Writer {
  switch (flags.outputFormat) {
    case "json":
      return createJsonWriter(out);
    case "stream-json":
      return createStreamJsonWriter(out);
    case "text":
      return createTextWriter(out, { live: process.stdout.isTTY === true, verbose });
  }
}
