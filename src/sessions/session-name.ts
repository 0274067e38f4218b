import type { SessionSummary } from "./session-summary.ts";

export type NameCheck =
  | { readonly kind: "free"; readonly name: string }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * A name as it will be saved: words joined by `-`, no `/`, `\` or `..`, and not another session's (aura 14). `id` is
 * the session to be named; keeping one's own name is fine.
 */
export function checkName(wish: string, id: string, sessions: readonly SessionSummary[]): NameCheck {
  const name = wish.trim().split(/\s+/).join("-");
  if (name === "") return refused("a session name cannot be empty");
  if (name.length > 100) return refused("a session name has at most 100 characters");
  if (/[/\\]/.test(name) || name.includes(".."))
    return refused(`a session name cannot hold "/", "\\" or "..": ${name}`);
  if (/\p{Cc}/u.test(name)) return refused("a session name cannot hold control characters");
  const same = (other: string | undefined) => other?.toLowerCase() === name.toLowerCase();
  if (sessions.some((session) => session.id !== id && (same(session.name) || same(session.id))))
    return refused(`another session is named "${name}"`);
  return { kind: "free", name };
}

const refused = (reason: string): NameCheck => ({ kind: "refused", reason });
