import { StringDecoder } from "node:string_decoder";

/** What "no cap" means: a string cannot hold much more. */
export const MOST_BYTES = 256 * 1024 * 1024;
/** A line longer than this many characters is shown by its end only. */
const LONGEST_SHOWN_LINE = 4096;

/** One output stream of a process: at most `maxBytes` kept, the rest counted as lost; memory stays bounded. */
export interface OutputCapture {
  push(chunk: Buffer): void;
  /** No more will come: shows the last, unfinished line. Harmless when repeated. */
  end(): void;
  /** What was kept, decoded leniently; never ends in half a character because of the cap. */
  text(): string;
  readonly capped: boolean;
}

/** `maxBytes` 0 = no cap. `onLine` hears complete lines until the cap is hit. */
export function captureOutput(maxBytes: number, onLine?: (line: string) => void): OutputCapture {
  const limit = maxBytes > 0 ? Math.min(maxBytes, MOST_BYTES) : MOST_BYTES;
  const chunks: Buffer[] = [];
  const lines = onLine && splitLines(onLine);
  let kept = 0;
  let capped = false;
  return {
    push(chunk) {
      if (capped || chunk.length === 0) return;
      const part = chunk.subarray(0, limit - kept);
      capped = part.length < chunk.length;
      kept += part.length;
      if (part.length > 0) chunks.push(part);
      lines?.push(part);
    },
    end() {
      lines?.end();
    },
    text() {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      // In streaming mode the decoder keeps an unfinished character to itself, which drops the broken tail.
      return capped ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true }) : bytes.toString();
    },
    get capped() {
      return capped;
    },
  };
}

interface LineSplitter {
  push(chunk: Buffer): void;
  end(): void;
}

/** A carriage return redraws a line, so of a progress line only the newest complete state is shown. */
function splitLines(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const show = (line: string) => {
    const state = newestState(line);
    if (state !== undefined) onLine(state);
  };
  return {
    push(chunk) {
      rest += decoder.write(chunk);
      let from = 0;
      for (let at = rest.indexOf("\n"); at >= 0; at = rest.indexOf("\n", from)) {
        show(rest.slice(from, at));
        from = at + 1;
      }
      // Shown states go, their last CR stays: with a newline behind it, it is an end already shown.
      const redrawn = rest.lastIndexOf("\r");
      if (redrawn > from) {
        show(rest.slice(from, redrawn + 1));
        from = redrawn;
      }
      rest = rest.slice(from);
      if (rest.length > 2 * LONGEST_SHOWN_LINE) rest = rest.slice(-LONGEST_SHOWN_LINE);
    },
    end() {
      rest += decoder.end();
      if (rest !== "") show(rest);
      rest = "";
    },
  };
}

/** The last part of `line` that shows anything; undefined for a line that only returned the carriage. */
function newestState(line: string): string | undefined {
  if (!line.includes("\r")) return line.slice(-LONGEST_SHOWN_LINE);
  return line
    .split("\r")
    .findLast((part) => part !== "")
    ?.slice(-LONGEST_SHOWN_LINE);
}
