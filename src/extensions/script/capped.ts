import { cutBytes } from "../../text/truncate.ts";

/** `text` in at most `maxBytes` of UTF-8, ending between characters and saying so when something is missing. */
export function capped(text: string, maxBytes: number): { readonly text: string; readonly cut: boolean } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { text, cut: false };
  const mark = `\n[cut: ${bytes} bytes in all]`;
  // Where not even the mark would fit it stands outside: a text that was cut always says so.
  const room = mark.length * 2 < maxBytes ? maxBytes - mark.length : maxBytes;
  return { text: cutBytes(text, room) + mark, cut: true };
}
