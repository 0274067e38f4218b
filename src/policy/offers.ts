import { dirname } from "node:path";
import type { Offered } from "../protocol/verdict.ts";
import { isInside } from "../system/paths.ts";
import { derive, prefixesOf } from "./derive.ts";
import { commandOf, judge } from "./judge.ts";
import { leftOver, readingOf } from "./judge-parts.ts";
import { exactly } from "./pattern.ts";
import type { Grants, JudgedCall, Policy } from "./policy.ts";
import { touchedPaths } from "./touched-paths.ts";

/**
 * What a person may choose to have remembered, at most three patterns, the narrowest first, each with what else it
 * would let through. `others` are calls of this session and ordinary ones, read by the same reader. A pattern that would
 * not let this very call through is no offer.
 */
export function offersFor(
  call: JudgedCall,
  policy: Policy,
  grants: Grants,
  others: readonly JudgedCall[],
): readonly Offered[] {
  const candidates = call.tool === "Bash" ? ofCommand(call, policy, grants) : ofPaths(call);
  const offers = candidates.filter((candidate) => judge(call, policy, withGrant(grants, candidate)).kind === "auto");
  return offers
    .slice(-MAX_OFFERS)
    .map((offer) => ({ ...offer, allows: newlyAllowed(offer, call, policy, grants, others) }));
}

const MAX_OFFERS = 3;
const MAX_ALLOWED = 8;

type Candidate = Omit<Offered, "allows">;

function ofCommand(call: JudgedCall, policy: Policy, grants: Grants): readonly Candidate[] {
  const command = commandOf(call.input);
  if (command === undefined || command.trim() === "") return [];
  const exact: Candidate = { pattern: `Bash:${exactly(command)}`, sessionOnly: true };
  const reading = readingOf(call);
  if (reading?.kind !== "read") return [exact];
  const auto = [...policy.auto, ...grants.saved];
  const prefixes = leftOver(reading.parts, auto, call).map(({ words }) => (words ? prefixesOf(words) : []));
  // Several commands at once would need several rules: then only this text is offered.
  const [first, ...rest] = prefixes;
  const shared = (first ?? []).filter((prefix) => rest.every((other) => other.includes(prefix)));
  return [exact, ...shared.map((prefix) => ({ pattern: `Bash:${prefix}*` }))];
}

function ofPaths(call: JudgedCall): readonly Candidate[] {
  const { pattern, sessionOnly } = derive(call);
  if (pattern === undefined) return [];
  const derived: Candidate = { pattern, ...(sessionOnly && { sessionOnly }) };
  const touched = touchedPaths(call).filter(({ isAlias, isGuess }) => !isAlias && !isGuess);
  const [only] = touched;
  const exact: readonly Candidate[] =
    touched.length === 1 && only?.path !== undefined ? [{ pattern: `${call.tool}:${exactly(only.path)}` }] : [];
  const folder = only?.path === undefined ? undefined : dirname(only.path);
  const isDeeper = folder !== undefined && folder !== call.cwd && isInside(call.cwd, folder);
  return [...exact, derived, ...(isDeeper ? [{ pattern: `${call.tool}:${exactly(call.cwd)}/**` }] : [])];
}

function withGrant(grants: Grants, { pattern, sessionOnly }: Candidate): Grants {
  return sessionOnly
    ? { ...grants, session: new Set([...grants.session, pattern]) }
    : { session: grants.session, saved: [...grants.saved, { pattern, from: "project" }] };
}

function newlyAllowed(
  offer: Candidate,
  call: JudgedCall,
  policy: Policy,
  grants: Grants,
  others: readonly JudgedCall[],
): readonly string[] {
  const granted = withGrant(grants, offer);
  const own = nameOf(call);
  const names = others
    .filter((other) => judge(other, policy, grants).kind === "confirm" && judge(other, policy, granted).kind === "auto")
    .map(nameOf);
  return [...new Set(names)].filter((name) => name !== own).slice(0, MAX_ALLOWED);
}

const nameOf = (call: JudgedCall): string => commandOf(call.input) ?? `${call.tool} ${(call.writes ?? []).join(", ")}`;
