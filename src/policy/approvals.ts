import { join } from "node:path";
import type { Scope } from "../protocol/verdict.ts";
import { type ApprovalsProblem, addApproval, readApprovals } from "./approvals-file.ts";
import { isSessionOnly } from "./derive.ts";
import type { Grants, Rule } from "./policy.ts";

/** Absolute paths of the two approvals files; one that is absent has no home to be in. */
export interface ApprovalPlaces {
  readonly project?: string;
  readonly global?: string;
}

/** What people allowed so far. An approval counts from the moment `remember` is called. */
export interface Approvals extends Grants {
  /**
   * Remembers a pattern `derive` offered. A returned sentence says why it was not kept as wished; the call itself stays
   * allowed. Never throws.
   */
  remember(scope: Exclude<Scope, "once">, pattern: string): Promise<string | undefined>;
  /** Takes what the files say now, as after a change of configuration; session approvals stay. */
  replaceSaved(rules: readonly Rule[]): void;
}

/** Where a home keeps its approvals. */
export const approvalsFile = (home: string): string => join(home, "config", "rules", "approvals.yaml");

/** Session approvals start empty and end with the process; `saved` is what was read at the start. */
export function openApprovals(places: ApprovalPlaces, saved: readonly Rule[]): Approvals {
  const session = new Set<string>();
  let kept = [...saved];
  return {
    session,
    get saved() {
      return kept;
    },
    replaceSaved(rules) {
      kept = [...rules];
    },
    async remember(scope, pattern) {
      if (scope === "session" || isSessionOnly(pattern)) {
        session.add(pattern);
        return scope === "session" ? undefined : `"${pattern}" is kept for this session only: saved, it is not safe`;
      }
      const file = places[scope];
      if (file === undefined) return `the approval was not saved: there is no ${scope} home, "aura init" makes one`;
      try {
        const reading = await addApproval(file, scope, pattern);
        if (reading.kind === "broken") return `the approval was not saved: ${describeProblem(reading.problems[0]!)}`;
        kept = [...kept.filter((rule) => rule.file !== file), ...reading.rules];
        return undefined;
      } catch (error) {
        return `the approval was not saved in ${file}: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
  };
}

/** Reads both files, for callers that load no configuration. A broken file grants nothing and is named. */
export async function loadApprovals(
  places: ApprovalPlaces,
): Promise<{ readonly rules: readonly Rule[]; readonly problems: readonly ApprovalsProblem[] }> {
  const rules: Rule[] = [];
  const problems: ApprovalsProblem[] = [];
  for (const scope of ["project", "global"] as const) {
    const file = places[scope];
    if (file === undefined) continue;
    try {
      const reading = await readApprovals(file, scope);
      if (reading.kind === "broken") problems.push(...reading.problems);
      else rules.push(...reading.rules);
    } catch (error) {
      problems.push({ file, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { rules, problems };
}

const describeProblem = ({ file, line, message }: ApprovalsProblem): string =>
  `${file}${line === undefined ? "" : `:${line}`}: ${message}`;
