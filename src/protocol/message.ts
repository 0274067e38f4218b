/** Who sees a message is one table, `src/context/visibility.ts`, indexed by this. */
export type MessageKind = "normal" | "synthetic" | "ephemeral" | "display" | "bookmark" | "metadata";

export type Role = "user" | "assistant" | "tool";

/** Opaque data a provider wants back with the part it came on (signatures, item ids), by provider name. */
export type ProviderData = Readonly<Record<string, unknown>>;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly provider?: ProviderData;
}
export interface ThinkingPart {
  readonly type: "thinking";
  readonly text: string;
  readonly provider?: ProviderData;
}
export interface ImagePart {
  readonly type: "image";
  /** For example `image/png`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  readonly name?: string;
}
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly callId: string;
  readonly tool: string;
  /** Parsed JSON, or the raw text when the model wrote something that is not JSON. */
  readonly input: unknown;
  readonly malformed?: string;
  readonly provider?: ProviderData;
}
export interface ToolResultPart {
  readonly type: "tool-result";
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly failed: boolean;
  readonly images?: readonly ImagePart[];
}
export type Part = TextPart | ThinkingPart | ImagePart | ToolCallPart | ToolResultPart;

export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly kind: MessageKind;
  readonly parts: readonly Part[];
  /** ISO 8601. */
  readonly at: string;
  readonly usage?: Usage;
  /** The reply was cut off (cancelled, lost connection, killed); what is here is what arrived. */
  readonly interrupted?: boolean;
}

/** Tokens of one model request. `input` includes `cached` and `cacheWritten`; `output` includes `reasoning`. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly cacheWritten?: number;
  readonly reasoning?: number;
}

export function textOf(message: Message): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
