import type { Message, MessageKind } from "../protocol/message.ts";

/**
 * `model`: requests. `display`: screens. `save`: the session log. `export`: text and Markdown. `data`: JSON exports.
 * `compaction`: what a summary is made of.
 */
export type Audience = "model" | "display" | "save" | "export" | "data" | "compaction";

/** Who sees a message (aura 13.2). */
export function isVisible(message: Message, audience: Audience): boolean {
  return AUDIENCES[message.kind].has(audience);
}

const AUDIENCES: Readonly<Record<MessageKind, ReadonlySet<Audience>>> = {
  normal: new Set(["model", "display", "save", "export", "data", "compaction"]),
  synthetic: new Set(["model", "display", "save"]),
  /** To the model once; `history.ts` counts. */
  ephemeral: new Set(["model"]),
  display: new Set(["display", "save", "export", "data"]),
  bookmark: new Set(["display", "save", "export", "data"]),
  metadata: new Set(["save", "data"]),
};
