/**
 * Why a prompt is refused before it is sent (aura 8.4); undefined when it fits. The caller may compact and ask again.
 * Pure.
 *
 * @param estimate tokens of the prompt with all that was attached to it
 * @param maxPercent of the window; 0 switches the guard off
 */
export function inputObjection(
  estimate: number,
  context: { readonly used: number; readonly window?: number },
  maxPercent: number,
): string | undefined {
  const { used, window } = context;
  if (maxPercent <= 0 || window === undefined || window <= 0) return undefined;
  if (((used + estimate) / window) * 100 <= maxPercent) return undefined;
  const budget = Math.floor((window * maxPercent) / 100) - used;
  if (budget <= 0)
    return `Context is ${Math.round((used / window) * 100)}% full (limit: ${maxPercent}%). Run /compact to free space.`;
  return `Message too large (${estimate} estimated tokens, budget ${budget}). Try a shorter message.`;
}
