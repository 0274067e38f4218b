import type { Message, Part } from "../protocol/message.ts";

export type Estimate = (text: string) => number;

export interface ContextUsage {
  /** Tokens the next request would take. */
  readonly used: number;
  /** Tokens the model can hold, when known. */
  readonly window?: number;
  /** 0 to 100 and beyond, unrounded, when the window is known. */
  readonly percent?: number;
}

/** Measures messages; remembers what each one came to, so that a long history is measured once. */
export interface UsageMeter {
  /** Estimated tokens of one message. */
  message(message: Message): number;
  /**
   * How full the context is. The newest reply knows what its request took; what came since is estimated. Without such
   * a reply all is estimated, and `fixed` (system prompt and tool list) added.
   */
  measure(messages: readonly Message[], fixed: number, window: number | undefined): ContextUsage;
}

export function createUsageMeter(estimate: Estimate): UsageMeter {
  const known = new WeakMap<Message, number>();
  const message = (one: Message): number => {
    const before = known.get(one);
    if (before !== undefined) return before;
    const tokens = estimateMessage(one, estimate);
    known.set(one, tokens);
    return tokens;
  };
  return {
    message,
    measure(messages, fixed, window) {
      const at = messages.findLastIndex(({ usage }) => usage !== undefined && usage.input > 0);
      const since = messages.slice(Math.max(0, at)).reduce((sum, one) => sum + message(one), 0);
      const used = (at >= 0 ? messages[at]!.usage!.input : fixed) + since;
      if (window === undefined || window <= 0) return { used };
      return { used, window, percent: (used / window) * 100 };
    },
  };
}

/** A message's own frame: role and separators, about what chat templates add. */
const FRAME_TOKENS = 4;
/** Providers bill a picture by its size, from some 250 to 1,600 tokens; this is a common middle. */
const IMAGE_TOKENS = 1200;

export function estimateMessage(message: Message, estimate: Estimate): number {
  return message.parts.reduce((sum, part) => sum + estimatePart(part, estimate), FRAME_TOKENS);
}

function estimatePart(part: Part, estimate: Estimate): number {
  switch (part.type) {
    case "text":
    case "thinking":
      return estimate(part.text);
    case "image":
      return IMAGE_TOKENS;
    case "tool-call":
      return estimate(part.tool) + estimate(inputText(part.input));
    case "tool-result":
      return estimate(part.text) + (part.images?.length ?? 0) * IMAGE_TOKENS;
  }
}

/** A call's input as the model wrote it, nearly. */
export function inputText(input: unknown): string {
  return typeof input === "string" ? input : (JSON.stringify(input) ?? "");
}
