import { type OpenOptions, openConversation } from "../../src/index.ts";
import { createTui } from "../tui/tui.tsx";
import { ExpectedStop } from "./expected-stop.ts";
import type { ProcessEdge } from "./run-headless.ts";

/** The interactive screen. */
export async function runScreen(options: OpenOptions, edge: ProcessEdge): Promise<number> {
  edge.signals.release();
  const opened = await openConversation({ ...options, setUp: true });
  if (opened.kind === "refused") throw new ExpectedStop(opened.problem, 1);
  const { conversation } = opened;
  const tui = createTui({
    stdin: process.stdin,
    stdout: process.stdout,
    env: options.env,
    historyFile: opened.historyFile,
    welcome: opened.notes,
    farewell: () => (opened.isSaved() ? `Go on with: aura --resume ${conversation.id}` : undefined),
  });
  const { exitCode } = await tui.run(conversation).finally(() => conversation.close());
  return opened.wantsDemo() ? (await import("./demo.ts")).runDemo(options, edge) : exitCode;
}
