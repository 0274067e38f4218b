/**
 * A piece of a text that does not keep the rest of it in memory: V8's `slice` only points into the whole string, so a
 * few kept lines of every output would keep every output. Lone surrogates become U+FFFD.
 */
export function ownText(piece: string): string {
  return Buffer.from(piece, "utf8").toString("utf8");
}
