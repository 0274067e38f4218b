import { inputHistoryFile, type OpenOptions, openConversation } from "../../src/index.ts";
import type { Conversation } from "../../src/protocol/conversation.ts";
import type { Manner } from "../simple/line.ts";
import { createSimple, type SimpleOptions } from "../simple/simple.ts";
import { isOnTerminal } from "./choose-manner.ts";
import { ExpectedStop } from "./expected-stop.ts";
import type { RootValues } from "./root-options.ts";
import type { ProcessEdge } from "./run-headless.ts";

/** `aura --accessible` and `aura --simple`. */
export async function runSimple(
  manner: Manner,
  options: OpenOptions,
  edge: ProcessEdge,
  root: RootValues,
): Promise<number> {
  const onTerminal = isOnTerminal();
  const opened = await openConversation({ ...options, ...(onTerminal && { setUp: true, canAsk: true }) });
  if (opened.kind === "refused") throw new ExpectedStop(opened.problem, 1);
  const { conversation } = opened;
  const exitCode = await playSimple(manner, conversation, options, edge, {
    historyFile: inputHistoryFile(options),
    welcome: opened.notes,
    ...(opened.picksSession && { firstPrompt: "/resume" }),
    farewell: () => (opened.isSaved() ? `Go on with: aura --resume ${conversation.id}` : undefined),
  }).finally(() => conversation.close());
  return opened.wantsDemo() ? (await import("./demo.ts")).runDemo(options, edge, root) : exitCode;
}

type Surroundings = Pick<SimpleOptions, "historyFile" | "welcome" | "farewell" | "firstPrompt">;

/** Runs an open conversation on this process's standard streams. */
export async function playSimple(
  manner: Manner,
  conversation: Conversation,
  { env }: OpenOptions,
  { out, signals }: ProcessEdge,
  surroundings: Surroundings,
): Promise<number> {
  const frontEnd = createSimple({
    ...surroundings,
    manner,
    input: await openInput(manner, out.data),
    coloured: manner === "simple" && isOnTerminal() && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
    stop: signals.stop,
  });
  const { exitCode } = await frontEnd.run(conversation);
  return signals.exitCode ?? exitCode;
}

async function openInput(manner: Manner, write: (text: string) => void): Promise<SimpleOptions["input"]> {
  if (!isOnTerminal()) return (await import("../simple/piped-lines.ts")).createPipedLines(process.stdin, write);
  if (manner === "accessible")
    return (await import("../simple/typewriter-lines.ts")).createTypewriterLines(process.stdin, write);
  return (await import("../simple/readline-lines.ts")).createReadlineLines(process.stdin, process.stdout, write);
}
