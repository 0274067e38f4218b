/**
 * Asks the engine for completions in the folder it is started in, as typing does, and prints for each key how many ms it
 * took until there was a list to show, and until the list was whole.
 */
import { openConversation } from "../../src/index.ts";

const opened = await openConversation({ cwd: process.cwd(), env: {}, shipped: process.cwd(), home: "", noop: true });
if (opened.kind === "refused") throw new Error(opened.problem);
const { conversation } = opened;
const word = "@src/folder-42/file-7";
const times: number[] = [];
const wholes: number[] = [];
// While the folder is still being read.
const cold = await timed("@");
let found = 0;
for (let end = 1; end <= word.length; end++) {
  const key = await timed(word.slice(0, end));
  times.push(key.first);
  wholes.push(key.whole);
  found = key.found;
}
process.stdout.write(`${JSON.stringify({ cold, times, wholes, found })}\n`);
await conversation.close();

async function timed(line: string) {
  const started = performance.now();
  let first: number | undefined;
  const seen = () => {
    first ??= performance.now() - started;
  };
  const found = await conversation.suggest(line, line.length, seen);
  const whole = performance.now() - started;
  return { first: first ?? whole, whole, found: found.length };
}
