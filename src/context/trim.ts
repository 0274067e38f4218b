import { type Message, textOf } from "../protocol/message.ts";
import type { ContextUsage } from "./usage.ts";

export interface TrimSettings {
  /** Percent of the window; 0 = never by percent. */
  readonly trimThreshold: number;
  /** Tokens, instead of the percentage; 0 = use `trimThreshold`. */
  readonly trimMaxTokens: number;
}

export const TRIM_DEFAULTS: TrimSettings = { trimThreshold: 50, trimMaxTokens: 0 };

export function needsTrim(usage: ContextUsage, settings: TrimSettings): boolean {
  if (settings.trimMaxTokens > 0) return usage.used >= settings.trimMaxTokens;
  return settings.trimThreshold > 0 && usage.percent !== undefined && usage.percent >= settings.trimThreshold;
}

/** Injected messages that a later one repeats word for word (aura 13.2); the latest stays. For `History.remove`. Pure. */
export function repeatedInjections(messages: readonly Message[]): ReadonlySet<string> {
  const said = new Set<string>();
  const repeated = new Set<string>();
  for (const message of messages.toReversed()) {
    if (message.kind !== "synthetic") continue;
    const words = `${message.role}\n${textOf(message)}`;
    if (said.has(words)) repeated.add(message.id);
    said.add(words);
  }
  return repeated;
}
