// One answer of the model server, said without regard to the wire format.

export interface ModelTurn {
  /** `sign` comes back with the thinking: a signature, encrypted content or a thought signature. */
  readonly thinking?: { readonly pieces: readonly string[]; readonly sign: string };
  readonly text?: readonly string[];
  /** `json` is what the model writes, sent in three pieces; it may be broken. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly usage?: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
    readonly reasoning: number;
  };
  /** An HTTP failure instead of a stream. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** After this many frames the socket is destroyed, the body ends, an error event ends it, or nothing more ever comes. */
  readonly cutAfter?: number;
  readonly endAfter?: number;
  readonly failAfter?: number;
  readonly hangAfter?: number;
}

export type Wire = "anthropic" | "responses" | "chat" | "openrouter" | "gemini";

/** In thirds, so that a token never arrives whole. */
export function inPieces(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 3));
  const out: string[] = [];
  for (let i = 0; i < text.length; i += size) out.push(text.slice(i, i + size));
  return out;
}
