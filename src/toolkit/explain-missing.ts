import { nearest } from "../text/nearest.ts";
import { matches } from "../text/wildcard.ts";
import type { ToolStatus } from "./tool-set.ts";

const MOST_SUGGESTED = 3;
/** Names are told whole up to here: a model that knows a few hundred needs no list of them in every answer. */
const MOST_LISTED = 40;

/** For the model: why the tool it called cannot be called, and what it could call instead (aura 4.4). */
export function explainMissing(name: string, statuses: readonly ToolStatus[]): string {
  const known = statuses.find((one) => one.name === name && one.inclusion.included) ?? byName(name, statuses);
  if (known?.name === name) return refusal(known);
  const absent = statuses.find((one) => one.name.endsWith("__*") && matches(one.name, name));
  if (absent) return refusal({ ...absent, name });
  const callable = statuses.filter(({ inclusion }) => inclusion.included);
  // By another of its names it is certain which one is meant.
  const near = known?.inclusion.included ? [`"${known.name}"`] : nearestNames(name, callable);
  const missing = `tool not found: "${name}".${near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : ""}`;
  const direct = callable.filter(({ visibility }) => visibility === "eager" || visibility === "loaded");
  if (direct.length === 0) return `${missing} No tools are enabled`;
  const more = direct.length > MOST_LISTED ? ` and ${direct.length - MOST_LISTED} more` : "";
  return `${missing} Available: ${direct
    .slice(0, MOST_LISTED)
    .map((tool) => tool.name)
    .join(", ")}${more}`;
}

function byName(name: string, statuses: readonly ToolStatus[]): ToolStatus | undefined {
  return statuses.find((one) => one.name === name || one.aliases?.includes(name) || one.name === `mcp__${name}`);
}

function refusal({ name, visibility, inclusion }: ToolStatus): string {
  if (visibility === "deferred")
    return `tool "${name}" is deferred: call LoadTools with {"tools": ["${name}"]} first, then call it again`;
  if (visibility === "proxied")
    return `tool "${name}" is not called directly: read its schema and call it through mcp__proxy__call_tool`;
  const why = inclusion.included ? "it was just taken away" : inclusion.reason.replace(/^unavailable: /, "");
  return `tool "${name}" is not available: ${why}`;
}

function nearestNames(name: string, callable: readonly ToolStatus[]): readonly string[] {
  const left = new Set(callable.map((tool) => tool.name));
  const found: string[] = [];
  for (
    let near = nearest(name, left);
    near !== undefined && found.length < MOST_SUGGESTED;
    near = nearest(name, left)
  ) {
    found.push(`"${near}"`);
    left.delete(near);
  }
  return found;
}
