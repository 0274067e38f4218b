import { shortId } from "./session-id.ts";
import type { SessionSummary } from "./session-summary.ts";

export type Found =
  | { readonly kind: "found"; readonly session: SessionSummary }
  /** Nothing or too much; the sentence for a person. */
  | { readonly kind: "not-found"; readonly message: string };

/** By whole id, by name, by its short id, then by unique beginning of id or name. */
export function findSession(wanted: string, sessions: readonly SessionSummary[]): Found {
  const wish = wanted.trim().toLowerCase();
  const exact =
    sessions.find(({ id }) => id.toLowerCase() === wish) ??
    sessions.find(({ name }) => name?.toLowerCase() === wish) ??
    only(sessions.filter(({ id }) => shortId(id).toLowerCase() === wish));
  if (exact && wish !== "") return { kind: "found", session: exact };
  const matches = wish === "" ? [] : sessions.filter((session) => startsWith(session, wish));
  if (matches.length === 1) return { kind: "found", session: matches[0]! };
  return {
    kind: "not-found",
    message:
      matches.length === 0
        ? `no session matching "${wanted}"`
        : `ambiguous prefix "${wanted}" matches ${matches.length} sessions`,
  };
}

/** The newest of this folder, else the newest of all. `sessions`: newest first. */
export function latestSession(sessions: readonly SessionSummary[], cwd: string): SessionSummary | undefined {
  return sessions.find((session) => session.cwd === cwd) ?? sessions[0];
}

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);

const startsWith = ({ id, name }: SessionSummary, wish: string) =>
  id.toLowerCase().startsWith(wish) || name?.toLowerCase().startsWith(wish) === true;
