import type { Answer } from "./request.ts";

/** What a person wants, however they said it: a key, a click, a line on standard input. */
export type Intent =
  /** A line that starts with `/` is sent as `command`. */
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "command"; readonly line: string }
  | { readonly type: "answer"; readonly requestId: string; readonly answer: Answer }
  /** A prompt is being written: what its request needs may be loaded meanwhile. */
  | { readonly type: "composing" }
  | { readonly type: "cycle"; readonly what: "agent" | "mode" | "think" }
  | { readonly type: "cancel" }
  /** Forget the newest queued prompt with this text, or all of them; what is left comes through `queue-changed`. */
  | { readonly type: "drop-queued"; readonly text?: string };
