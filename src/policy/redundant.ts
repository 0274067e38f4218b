import { readPattern } from "./pattern.ts";
import { whatItRuns } from "./runs-others.ts";

/** True when everything a saved pattern lets through is let through by another one as well. */
export function isRedundant(pattern: string, beside: string): boolean {
  if (pattern === beside) return false;
  const [one, other] = [readPattern(pattern), readPattern(beside)];
  if (one.tool !== other.tool || one.tool.includes("*")) return false;
  if (other.argument === undefined) return one.argument !== undefined;
  if (one.argument === undefined || !/[^\s*\\]\*\*?$/.test(other.argument)) return false;
  const head = other.argument.replace(/\*\*?$/, "");
  if (head.includes("*")) return false;
  if (one.tool !== "Bash") return head.endsWith("/") && one.argument.startsWith(head);
  // A saved star begins a new word; and what runs other programs is covered only by the rule that names them.
  return one.argument.startsWith(`${head} `) && whatItRuns(one.argument.replace(/\*$/, "").split(" ")) === undefined;
}
