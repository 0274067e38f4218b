export interface ResultLimits {
  /** `percentage` looks at how full the context would be, `tokens` at the result alone. */
  readonly mode: "percentage" | "tokens";
  /** 0 = no limit. */
  readonly maxPercentage: number;
  /** 0 = no limit. */
  readonly maxTokens: number;
  /** For `tokens`: `%d` stands for the estimate, a second one for the limit. */
  readonly rejectionMessage: string;
}

export const REJECTION_MESSAGE =
  "Error: Tool result too large (%d tokens, limit %d). Ask for less: a narrower search, a line range, fewer files.";

/** What replaces a tool result that would not fit (aura 8.1); undefined when it fits. Pure. */
export function resultObjection(
  estimate: number,
  context: { readonly used: number; readonly window?: number },
  limits: ResultLimits,
): string | undefined {
  if (limits.mode === "tokens") {
    if (limits.maxTokens <= 0 || estimate <= limits.maxTokens) return undefined;
    return fill(limits.rejectionMessage || REJECTION_MESSAGE, [estimate, limits.maxTokens]);
  }
  const { used, window } = context;
  const limit = limits.maxPercentage;
  if (window === undefined || window <= 0 || limit <= 0) return undefined;
  const percent = (tokens: number) => (tokens / window) * 100;
  const after = percent(used + estimate);
  if (after <= limit) return undefined;
  const remaining = Math.max(0, Math.floor((window * limit) / 100) - used);
  const round = Math.round;
  return (
    `Error: Tool result too large (${estimate} tokens). Adding it would push context to ${round(after)}% ` +
    `(limit ${round(limit)}%). Remaining budget: ${remaining} tokens (${round(percent(remaining))}%). ` +
    `Current context: ${round(percent(used))}%.`
  );
}

function fill(template: string, numbers: readonly number[]): string {
  let next = 0;
  return template.replaceAll(/%[d%]/g, (verb) => (verb === "%%" ? "%" : String(numbers[next++] ?? verb)));
}
