import type { GateCall } from "../loop/turn.ts";
import { readPattern } from "../policy/pattern.ts";
import type { Verdict } from "../protocol/verdict.ts";
import { isVirtual } from "./command-access.ts";
import type { Engine } from "./engine.ts";
import { policyInForce } from "./judge-call.ts";

/**
 * A verdict, where it matters in what the command would run: one that can only read the project needs no yes for being
 * a command; one that nothing confines, though it should be, needs one.
 */
export function underSandbox(engine: Engine, call: GateCall, verdict: Verdict): Verdict {
  if (verdict.kind === "deny" || !runsCommands(engine, call)) return verdict;
  if (isVirtual(engine)) return verdict.kind === "confirm" && isAboutRunning(engine, verdict) ? READS_ONLY : verdict;
  if (verdict.kind !== "auto" || !engine.sandbox.isHelpless) return verdict;
  return {
    kind: "confirm",
    because: { rule: "the sandbox is on, but nothing on this machine enforces it on commands", from: "built-in" },
    noPattern: "this is asked about every time",
  };
}

const READS_ONLY: Verdict = {
  kind: "auto",
  because: { rule: "the virtual shell only reads this folder and starts no program", from: "built-in" },
};

/** Asked because it is a command; not because of a file it reads, which this shell reads as well. */
function isAboutRunning(engine: Engine, { because }: Verdict): boolean {
  if (/^Bash(?::|$)/.test(because.rule)) return true;
  const { confirm, deny } = policyInForce(engine);
  const bindsReading = [...confirm, ...deny].some(({ pattern }) => {
    const { tool, argument } = readPattern(pattern);
    return argument !== undefined && !/^(?:Bash|Write|Patch|Mkdir)$/.test(tool);
  });
  return because.from === "built-in" && !bindsReading;
}

function runsCommands(engine: Engine, { tool, input }: GateCall): boolean {
  if (tool === "Bash") return true;
  try {
    return engine.tools.reach(tool)?.sameAs?.(input)?.tool === "Bash";
  } catch {
    return true; // what cannot be told is taken for a command
  }
}
