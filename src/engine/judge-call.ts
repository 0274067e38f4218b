import { existsSync } from "node:fs";
import type { GateCall } from "../loop/turn.ts";
import { readingLines } from "../policy/explain.ts";
import type { JudgedCall, Policy } from "../policy/policy.ts";
import type { Offered, Scope, Verdict } from "../protocol/verdict.ts";
import { isInside } from "../system/paths.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { Engine } from "./engine.ts";
import { judgeNames } from "./judge-names.ts";
import { ourFolders, withReading } from "./read-command.ts";

/** The verdict on one call under what is in force right now; recorded. */
export async function judgeCall(engine: Engine, { callId, ...call }: GateCall): Promise<Verdict> {
  const tool = engine.tools.reach(call.tool);
  const judged = await withReading(engine, tool, { ...call, ...placeOf(engine) });
  const { approvals } = engine.services;
  const verdict = judgeNames(judged, tool, policyInForce(engine), approvals);
  const explained = judged.shell && readingLines(judged.shell.reading);
  engine.session.log.append({ type: "verdict", callId, verdict, ...(explained && { explained }) });
  if (verdict.kind !== "confirm") return verdict;
  const asked = explained ? { ...verdict, explained } : verdict;
  if (verdict.pattern === undefined) return asked;
  const patterns = await offeredFor(engine, judged, verdict.pattern);
  return patterns.length > 0 ? { ...asked, patterns } : asked;
}

/** The patterns a person may choose from, with what else they would allow of this session and of ordinary calls. */
async function offeredFor(engine: Engine, call: JudgedCall, derived: string): Promise<readonly Offered[]> {
  const { offersFor } = await import("../policy/offers.ts");
  const { STOCK_COMMANDS } = await import("../policy/stock-commands.ts");
  const earlier = engine.calls.all().flatMap(({ tool, input }) => {
    const { command } = (tool === "Bash" ? input : {}) as { readonly command?: unknown };
    return typeof command === "string" ? [command] : [];
  });
  const commands = call.tool === "Bash" ? [...new Set([...earlier.slice(-MAX_EARLIER), ...STOCK_COMMANDS])] : [];
  const others = await Promise.all(
    commands.map((command) => withReading(engine, undefined, { tool: "Bash", input: { command }, ...placeOf(engine) })),
  );
  const offers = offersFor(call, policyInForce(engine), engine.services.approvals, others);
  return offers.some(({ pattern }) => pattern === derived) ? offers : [];
}

const MAX_EARLIER = 100;

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
  return withReading(engine, tool, {
    tool: name,
    input,
    reads: await Promise.all((declared.read ?? []).map(resolve)),
    writes: await Promise.all((declared.write ?? []).map(resolve)),
    given: [...(declared.read ?? []), ...(declared.write ?? [])],
    ...placeOf(engine),
  });
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
  const { trust, untrusted, held } = engine.trusted;
  if (scope !== "project") return approvals.remember(scope, pattern);
  const isForeign =
    untrusted.some((home) => isInside(home, approvalsFile)) ||
    held.some(({ kind, file }) => kind === "approvals" && file === approvalsFile);
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
  ours: ourFolders(engine),
  isRewritten: engine.settings.toolSettings.bash.rewrite !== "",
});

function declaredPaths(tool: Tool | undefined, input: unknown): ReturnType<NonNullable<Tool["paths"]>> {
  try {
    return tool?.paths?.(input) ?? {};
  } catch {
    return {}; // an input that does not fit the tool declares nothing
  }
}
