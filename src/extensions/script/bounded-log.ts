import { cutBytes } from "../../text/truncate.ts";

/** What a script logs, up to a size; `tell` hears each line that is kept. */
export interface BoundedLog {
  readonly text: string;
  add(line: string): void;
}

export function boundedLog(maxBytes: number, tell: (line: string) => void): BoundedLog {
  let text = "";
  let bytes = 0;
  let left = 0;
  return {
    get text() {
      return left > 0 ? `${text}[${left} more lines]\n` : text;
    },
    add(line) {
      if (bytes >= maxBytes) left++;
      else {
        const kept = cutBytes(line, maxBytes - bytes);
        text += `${kept}\n`;
        bytes += Buffer.byteLength(kept) + 1;
        tell(kept);
      }
    },
  };
}
