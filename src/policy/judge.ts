import type { Because, Verdict } from "../protocol/verdict.ts";
import { matches } from "../text/wildcard.ts";
import { type CommandParts, commandParts } from "./command-parts.ts";
import { coversCommand, type ReadCommand, readCommand } from "./covers-command.ts";
import { derive } from "./derive.ts";
import { mayFit, readPattern } from "./pattern.ts";
import type { Grants, JudgedCall, Policy, Rule } from "./policy.ts";
import { bindsPath, coversPath, type TouchedPath, touchedPaths } from "./touched-paths.ts";

/**
 * Whether a call may run (aura 6.1). Pure. With three empty lists everything may; a `deny` rule that matches stops
 * it; a `confirm` rule asks, unless an `auto` rule or an approval covers the call; what no rule names may run.
 *
 * `deny` and `confirm` match generously: any spelling of a command's parts, any form of any path it touches. `auto` and
 * approvals match strictly: one plain command or the identical text, absolute paths, every path that was asked about.
 */
export function judge(call: JudgedCall, policy: Policy, grants: Grants): Verdict {
  const auto = [...policy.auto, ...grants.saved];
  if (auto.length + policy.confirm.length + policy.deny.length === 0) return allow("no policy is configured");
  const subject = look(call);

  const denied = policy.deny.find((rule) => whatItStops(rule, subject) !== undefined);
  if (denied) return deny(denied);

  const asking = policy.confirm
    .map((rule) => ({ rule, paths: whatItStops(rule, subject) }))
    .filter((asked) => asked.paths !== undefined);
  if (isUnread(policy, subject)) return confirm(asking[0] ? becauseOf(asking[0].rule) : TOO_LONG, call);
  if (asking.length === 0) return allow("no rule asks about this call");

  const exempt = exemption(
    asking.flatMap(({ paths }) => paths ?? []),
    auto,
    subject,
  );
  if (exempt) return { kind: "auto", because: becauseOf(exempt) };
  const { pattern } = derive(call);
  if (pattern !== undefined && grants.session.has(pattern))
    return { kind: "auto", because: { rule: pattern, from: "session" } };
  return confirm(becauseOf(asking[0]!.rule), call);
}

/** A call with what rules are compared to. */
interface Subject {
  readonly call: JudgedCall;
  /** What a Bash call runs; undefined when there is nothing. */
  readonly command?: ReadCommand;
  readonly parts?: CommandParts;
  readonly paths: readonly TouchedPath[];
}

function look(call: JudgedCall): Subject {
  if (call.tool !== "Bash") return { call, paths: touchedPaths(call) };
  const text = commandOf(call.input);
  if (text === undefined) return { call, paths: [] };
  return { call, command: readCommand(text, call), parts: commandParts(text), paths: [] };
}

/** The text a Bash call runs. */
export function commandOf(input: unknown): string | undefined {
  const command = (input as { readonly command?: unknown } | null)?.command;
  return typeof command === "string" ? command : undefined;
}

/** The paths a stopping rule matches, empty when it matches the call as a whole; undefined when it does not match. */
function whatItStops(rule: Rule, subject: Subject): readonly TouchedPath[] | undefined {
  const { tool, argument } = readPattern(rule.pattern);
  const isNamed = matches(tool, subject.call.tool);
  if (argument === undefined) return isNamed ? subject.paths : undefined;
  if (subject.command !== undefined) return isNamed && bindsCommand(argument, subject) ? [] : undefined;
  const stopped = subject.paths.filter(
    (touched) => (isNamed || isPathRule(tool, touched)) && bindsPath(argument, touched, subject.call),
  );
  return stopped.length > 0 ? stopped : undefined;
}

/** `Write:…` is about writing that path, by whatever tool says it does; `Read:…` about reading it. */
const isPathRule = (tool: string, { access }: TouchedPath): boolean =>
  (tool === "Write" && access === "write") || (tool === "Read" && access === "read");

function bindsCommand(argument: string, { command, parts }: Subject): boolean {
  const text = command?.text ?? "";
  return [text, text.trim(), ...(parts?.texts ?? [])].some((form) => mayFit(argument, form));
}

/** The rule that lets a call through which others ask about; with several paths, the one for the first of them. */
function exemption(asked: readonly TouchedPath[], auto: readonly Rule[], subject: Subject): Rule | undefined {
  const whole = auto.find((rule) => coversWhole(rule, subject));
  if (whole || subject.command !== undefined || asked.length === 0) return whole;
  // Which declared path an alias belongs to is not known, so then all of them must be covered.
  const wanted = asked.some(({ isAlias }) => isAlias) ? subject.paths.filter(({ isAlias }) => !isAlias) : asked;
  const rules = wanted.map(({ path }) =>
    path === undefined ? undefined : auto.find((rule) => coversOne(rule, path, subject.call)),
  );
  return rules.every((rule) => rule !== undefined) ? rules[0] : undefined;
}

function coversWhole(rule: Rule, { call, command }: Subject): boolean {
  const { tool, argument } = readPattern(rule.pattern);
  if (!matches(tool, call.tool)) return false;
  return argument === undefined || (command !== undefined && coversCommand(rule, argument, command));
}

function coversOne(rule: Rule, path: string, call: JudgedCall): boolean {
  const { tool, argument } = readPattern(rule.pattern);
  return argument !== undefined && matches(tool, call.tool) && coversPath(argument, path, call);
}

/** A command too long to be searched may hold anything; a policy with rules about commands then asks. */
const isUnread = (policy: Policy, { parts }: Subject): boolean =>
  parts?.complete === false &&
  [...policy.deny, ...policy.confirm]
    .map(({ pattern }) => readPattern(pattern))
    .some(({ tool, argument }) => argument !== undefined && matches(tool, "Bash"));

const TOO_LONG: Because = { rule: "the command is too long or too deeply nested to be checked", from: "built-in" };

const allow = (rule: string): Verdict => ({ kind: "auto", because: { rule, from: "default" } });

const deny = (rule: Rule): Verdict => ({
  kind: "deny",
  because: becauseOf(rule),
});

const confirm = (because: Because, call: JudgedCall): Verdict => ({ kind: "confirm", because, ...derive(call) });

const becauseOf = ({ pattern, from, file, line }: Rule): Because => ({
  rule: pattern,
  from,
  ...(file !== undefined && { file }),
  ...(line !== undefined && { line }),
});
