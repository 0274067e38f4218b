/** Asks the engine for completions in the folder it is started in, as typing does, and prints how long each took in ms. */
import { openConversation } from "../../src/index.ts";

const opened = await openConversation({ cwd: process.cwd(), env: {}, shipped: process.cwd(), home: "", noop: true });
if (opened.kind === "refused") throw new Error(opened.problem);
const { conversation } = opened;
const word = "@src/folder-42/file-7";
const times: number[] = [];
const found: number[] = [];
await timed("@");
// The first one reads the folder; from then on a key must not be felt.
for (let end = 1; end <= word.length; end++) {
  const line = word.slice(0, end);
  times.push(await timed(line));
}
process.stdout.write(`${JSON.stringify({ times, found: found.at(-1) ?? 0 })}\n`);
await conversation.close();

async function timed(line: string): Promise<number> {
  const started = performance.now();
  found.push((await conversation.suggest(line, line.length)).length);
  return performance.now() - started;
}
