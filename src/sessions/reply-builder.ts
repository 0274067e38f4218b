import type { Message } from "../protocol/message.ts";

interface Growing {
  readonly at: string;
  readonly parts: { readonly type: "text" | "thinking"; readonly pieces: string[] }[];
}

/** Puts replies that never finished together from their deltas. */
export class ReplyBuilder {
  readonly #growing = new Map<string, Growing>();

  /** `at`: when the reply began, should this be its first delta. */
  grow(
    delta: { readonly messageId: string; readonly kind: "text" | "thinking"; readonly delta: string },
    at: string,
  ): void {
    const reply = this.#growing.get(delta.messageId) ?? { at, parts: [] };
    this.#growing.set(delta.messageId, reply);
    const last = reply.parts.at(-1);
    if (last?.type === delta.kind) last.pieces.push(delta.delta);
    else reply.parts.push({ type: delta.kind, pieces: [delta.delta] });
  }

  forget(messageId: string): void {
    this.#growing.delete(messageId);
  }

  /** What arrived of a reply, as the message it would have become. */
  build(messageId: string): Message | undefined {
    const reply = this.#growing.get(messageId);
    if (!reply) return undefined;
    const parts = reply.parts.map(({ type, pieces }) => ({ type, text: pieces.join("") }));
    return { id: messageId, role: "assistant", kind: "normal", parts, at: reply.at, interrupted: true };
  }
}
