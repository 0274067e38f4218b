import { existsSync } from "node:fs";
import type { GateCall } from "../loop/turn.ts";
import { judge } from "../policy/judge.ts";
import type { JudgedCall, Policy } from "../policy/policy.ts";
import type { Scope, Verdict } from "../protocol/verdict.ts";
import { isInside } from "../system/paths.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { Engine } from "./engine.ts";

/** The verdict on one call under what is in force right now; recorded. */
export function judgeCall(engine: Engine, { callId, ...call }: GateCall): Verdict {
  const verdict = judge({ ...call, ...placeOf(engine) }, policyInForce(engine), engine.services.approvals);
  engine.session.log.append({ type: "verdict", callId, verdict });
  return verdict;
}

/** A call nobody makes, in the form the judge takes; the tool may be unknown and the input anything. */
export async function judgedCall(
  engine: Engine,
  tool: Tool | undefined,
  name: string,
  input: unknown,
): Promise<JudgedCall> {
  const { files } = engine.services;
  const resolve = async (path: string) => files.realPath(await files.resolve(path, engine.cwd));
  const declared = declaredPaths(tool, input);
  return {
    tool: name,
    input,
    reads: await Promise.all((declared.read ?? []).map(resolve)),
    writes: await Promise.all((declared.write ?? []).map(resolve)),
    given: [...(declared.read ?? []), ...(declared.write ?? [])],
    ...placeOf(engine),
  };
}

/**
 * Keeps a person's yes. What is written on it counts as theirs, also in a project that is not trusted; a file that
 * came with such a project is not written to, because then we would vouch for all that is in it.
 */
export async function rememberApproval(
  engine: Engine,
  scope: Exclude<Scope, "once">,
  pattern: string,
): Promise<string | undefined> {
  const { approvals, approvalsFile } = engine.services;
  const { trust, untrusted } = engine.trusted;
  if (scope !== "project") return approvals.remember(scope, pattern);
  const isForeign = untrusted.some((home) => isInside(home, approvalsFile));
  if (isForeign && existsSync(approvalsFile) && !(await trust.trustsFile(approvalsFile))) {
    await approvals.remember("session", pattern);
    return `${approvalsFile} is not trusted yet: the approval is kept for this session. Trust this project with /trust.`;
  }
  const warning = await approvals.remember("project", pattern);
  if (warning === undefined) await trust.vouchFor(approvalsFile);
  return warning;
}

/** With `--approve none` nothing exempts a call from being asked about, and so from being refused. */
export function policyInForce(engine: Engine): Policy {
  const { policy } = engine.settings;
  return engine.options.ignoreApprovals ? { ...policy, auto: [] } : policy;
}

const placeOf = (engine: Engine) => ({
  cwd: engine.cwd,
  home: engine.folders.user,
  ignoreCase: process.platform !== "linux",
});

function declaredPaths(tool: Tool | undefined, input: unknown): ReturnType<NonNullable<Tool["paths"]>> {
  try {
    return tool?.paths?.(input) ?? {};
  } catch {
    return {}; // an input that does not fit the tool declares nothing
  }
}
