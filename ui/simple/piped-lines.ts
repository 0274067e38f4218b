/** Lines from a pipe or file, one at a time: each is read only when one is waited for. */
import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import type { LineInput, LineListener } from "./line-input.ts";

export function createPipedLines(stdin: Readable, write: (text: string) => void): LineInput {
  const lines: string[] = [];
  let reader: Interface | undefined;
  let listener: LineListener | undefined;
  let wanted = false;
  let ended = false;
  const serve = () => {
    if (!wanted || listener === undefined) return;
    const next = lines.shift();
    if (next === undefined && !ended) return;
    wanted = false;
    // Later, so that whoever asks is done asking.
    queueMicrotask(() => (next === undefined ? listener?.end() : listener?.line(next)));
  };
  return {
    isTerminal: false,
    typing: undefined,
    start(given) {
      listener = given;
      reader = createInterface({ input: stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
      reader.on("line", (line) => {
        lines.push(line);
        serve();
      });
      reader.on("close", () => {
        ended = true;
        serve();
      });
    },
    ask() {
      wanted = true;
      serve();
    },
    rest() {
      wanted = false;
    },
    print: write,
    remember: () => undefined,
    close() {
      listener = undefined;
      reader?.close();
    },
  };
}
