import { derive } from "../policy/derive.ts";
import { judge } from "../policy/judge.ts";
import { exactly } from "../policy/pattern.ts";
import type { Grants, JudgedCall, Policy } from "../policy/policy.ts";
import type { Verdict } from "../protocol/verdict.ts";
import type { Tool } from "../toolkit/tool.ts";

/**
 * The verdict on a call under every name it goes by (other-systems 5.4): its own, and that of the built-in it amounts
 * to. A rule that stops it under either name stops it, and an approval for either counts for both. What the tool itself
 * wants asked (`asks`) is asked like what a confirm rule names. A tool that only passes a call on is not asked about:
 * that call will be.
 */
export function judgeNames(call: JudgedCall, tool: Tool | undefined, policy: Policy, grants: Grants): Verdict {
  const same = tool?.sameAs?.(call.input);
  const names = same ? [call, { ...call, ...same }] : [call];
  const verdicts = names.map((name) => judge(name, policy, grants));
  const denied = verdicts.find(({ kind }) => kind === "deny");
  if (denied) return denied;
  const reason = tool?.asks?.(call.input);
  const asking = verdicts.find(({ kind }) => kind === "confirm");
  if (!asking && reason === undefined) return verdicts[0]!;
  if (tool?.passesOn) return PASSED_ON;
  if (names.length === 1 && asking) return asking;
  for (const name of names) {
    const exempt = judge(name, askedAbout(name.tool, reason === undefined ? [] : policy.auto), grants);
    if (exempt.kind === "auto") return exempt;
  }
  const because = asking?.because ?? { rule: reason!, from: "server" };
  return { kind: "confirm", because, ...derive(names.at(-1)!) };
}

const PASSED_ON: Verdict = {
  kind: "auto",
  because: { rule: "the call it makes is judged by itself", from: "default" },
};

/** A policy whose only question is whether anything exempts this tool. */
const askedAbout = (tool: string, auto: Policy["auto"]): Policy => ({
  auto,
  confirm: [{ pattern: exactly(tool), from: "server" }],
  deny: [],
});
