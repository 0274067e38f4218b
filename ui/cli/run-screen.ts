import { type OpenOptions, openConversation } from "../../src/index.ts";
import { createTui } from "../tui/tui.tsx";
import { ExpectedStop } from "./expected-stop.ts";
import type { Signals } from "./signals.ts";

/** The interactive screen. */
export async function runScreen(options: OpenOptions, signals: Signals): Promise<number> {
  signals.release();
  const opened = await openConversation(options);
  if (opened.kind === "refused") throw new ExpectedStop(opened.problem, 1);
  const { conversation } = opened;
  let used = false;
  const tui = createTui({
    stdin: process.stdin,
    stdout: process.stdout,
    env: options.env,
    welcome: opened.notes,
    farewell: () => (used ? `Go on with: aura --resume ${conversation.id}` : undefined),
  });
  try {
    const { exitCode } = await tui.run(conversation);
    used = true;
    return exitCode;
  } finally {
    await conversation.close();
  }
}
