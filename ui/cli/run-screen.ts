import { inputHistoryFile, type OpenOptions, openConversation } from "../../src/index.ts";
import { createTui } from "../tui/tui.tsx";
import { ExpectedStop } from "./expected-stop.ts";
import type { ProcessEdge } from "./run-headless.ts";

/** The interactive screen. It is painted, and takes keys, before the conversation is open. */
export async function runScreen(options: OpenOptions, edge: ProcessEdge): Promise<number> {
  edge.signals.release();
  let welcome: readonly string[] = [];
  let farewell: () => string | undefined = () => undefined;
  const tui = createTui({
    stdin: process.stdin,
    stdout: process.stdout,
    env: options.env,
    historyFile: inputHistoryFile(options),
    welcome: () => welcome,
    farewell: () => farewell(),
  });
  tui.open();
  const opened = await openConversation({ ...options, setUp: true });
  if (opened.kind === "refused") {
    tui.abandon();
    throw new ExpectedStop(opened.problem, 1);
  }
  const { conversation } = opened;
  welcome = opened.notes;
  farewell = () => (opened.isSaved() ? `Go on with: aura --resume ${conversation.id}` : undefined);
  const { exitCode } = await tui.run(conversation).finally(() => conversation.close());
  return opened.wantsDemo() ? (await import("./demo.ts")).runDemo(options, edge) : exitCode;
}
