/** What remembering an approval would let through from then on, in words. Pure. */
import type { Scope } from "../../src/protocol/verdict.ts";
import { reveal } from "../../src/text/neutralise.ts";

/**
 * How far a pattern of an approval (`Tool`, `Tool:folder/*`, `Tool:folder/**`, `Bash:words*`, `Bash:command`) reaches in a scope. For the
 * session a call must give the same pattern again; a saved one is a wildcard, so it also covers folders below, and so
 * does one that ends in `/**`.
 */
export function coverage(pattern: string, scope: Exclude<Scope, "once">): string {
  const colon = pattern.indexOf(":");
  if (colon < 0) return `every call of ${reveal(pattern)}, whatever it works on`;
  const tool = reveal(pattern.slice(0, colon));
  const argument = pattern.slice(colon + 1);
  const open = /(?<!\\)\*$/.test(argument);
  const deep = argument.endsWith("/**");
  const plain = reveal((open ? argument.replace(/\*\*?$/, "") : argument).replaceAll("\\*", "*"));
  if (tool === "Bash")
    return open
      ? `any command whose words begin with "${plain}", whatever follows; of several joined by ; && | and the like each one must be allowed`
      : "this very command and no other";
  if (!open) return `${tool} on ${plain} and nothing else`;
  const folder = plain === "/" ? "/" : plain.replace(/\/$/, "");
  return scope === "session" && !deep
    ? `${tool} on any file directly in ${folder}, not in folders below it`
    : `${tool} on any file in ${folder} and in all folders below it`;
}
