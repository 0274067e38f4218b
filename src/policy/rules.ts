import type { Grants, Policy, Rule } from "./policy.ts";

/** The policy one place writes down: the features files, an agent, a mode. */
export interface Tier {
  readonly from: Rule["from"];
  readonly auto?: readonly RuleText[];
  readonly confirm?: readonly RuleText[];
  readonly deny?: readonly RuleText[];
}

/** A pattern, with the place it is written when a file holds it. */
export interface RuleText {
  readonly value: string;
  readonly file?: string;
  readonly line?: number;
}

/**
 * What the shipped agent goes by when nobody configured a policy: what changes files or runs programs asks, reading
 * does not.
 */
export const SHIPPED_TIER: Tier = {
  from: "built-in",
  confirm: ["Bash", "Mkdir", "Patch", "Write"].map((value) => ({ value })),
};

/**
 * The policy in force: all tiers together (aura 6.3), each list sorted by byte value. A pattern that several tiers
 * hold is said to come from the first of them.
 */
export function gatherPolicy(tiers: readonly Tier[]): Policy {
  return { auto: gather("auto", tiers), confirm: gather("confirm", tiers), deny: gather("deny", tiers) };
}

/** The text of `/policy` (aura 12). */
export function describePolicy(
  policy: Policy,
  grants: Grants,
  who: { readonly agent?: string; readonly mode?: string },
): string {
  const approved = (from: Rule["from"]) => grants.saved.filter((rule) => rule.from === from);
  const session = [...grants.session].sort(byBytes).map((pattern): Rule => ({ pattern, from: "session" }));
  const sections = [
    section("auto", policy.auto),
    section("confirm", policy.confirm),
    section("deny", policy.deny),
    section("approval rules (project)", approved("project")),
    section("approval rules (global)", approved("global")),
    section("approved for this session", session),
  ].filter((text) => text !== "");
  if (sections.length === 0) return "No tool policy configured (all tool calls auto-approved).";
  const names = [who.agent && `agent: ${who.agent}`, who.mode && `mode: ${who.mode}`].filter(Boolean).join(", ");
  return [`Tool Policy${names && ` (${names})`}:`, ...sections, PRECEDENCE].join("\n\n");
}

const PRECEDENCE =
  "Precedence: deny always wins; confirm asks unless auto or an approval covers the call; everything else runs.";

function gather(list: "auto" | "confirm" | "deny", tiers: readonly Tier[]): readonly Rule[] {
  const rules = new Map<string, Rule>();
  for (const tier of tiers)
    for (const { value, file, line } of tier[list] ?? [])
      if (!rules.has(value))
        rules.set(value, {
          pattern: value,
          from: tier.from,
          ...(file !== undefined && { file }),
          ...(line !== undefined && { line }),
        });
  return [...rules.values()].sort((a, b) => byBytes(a.pattern, b.pattern));
}

function section(title: string, rules: readonly Rule[]): string {
  const width = Math.max(0, ...rules.map(({ pattern }) => pattern.length));
  const lines = rules.map((rule) => `  ${rule.pattern.padEnd(width)}  ${placeOf(rule)}`.trimEnd());
  return rules.length === 0 ? "" : [`${title}:`, ...lines].join("\n");
}

function placeOf({ from, file, line }: Rule): string {
  if (file === undefined) return from;
  return line === undefined ? `${from}, ${file}` : `${from}, ${file}:${line}`;
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
