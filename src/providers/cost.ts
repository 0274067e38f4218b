import type { Usage } from "../protocol/message.ts";
import type { ModelInfo } from "./provider.ts";

/** US dollars of one request, or undefined when the price is not known. */
export function costOf(usage: Usage, price: ModelInfo["price"]): number | undefined {
  if (price === undefined) return undefined;
  const cached = usage.cached ?? 0;
  const written = usage.cacheWritten ?? 0;
  const fresh = Math.max(0, usage.input - cached - written);
  const millions =
    fresh * price.input +
    cached * (price.cacheRead ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    usage.output * price.output;
  return millions / 1e6;
}
