import type { Because, Verdict } from "../protocol/verdict.ts";
import { matches } from "../text/wildcard.ts";
import { type CommandParts, commandParts } from "./command-parts.ts";
import { coversCommand, type ReadCommand, readCommand } from "./covers-command.ts";
import { derive } from "./derive.ts";
import {
  alwaysAsked,
  bindsParts,
  exemptParts,
  onlyReads,
  readingOf,
  runsUnknown,
  touchedByShell,
  touchesUnknown,
} from "./judge-parts.ts";
import { hasWildcard, literalOf, mayFit, readPattern } from "./pattern.ts";
import type { Grants, JudgedCall, Policy, Rule } from "./policy.ts";
import { secretReads } from "./secret-reads.ts";
import { whyGuarded } from "./shell/protected-paths.ts";
import type { ShellReading } from "./shell/reading.ts";
import { bindsPath, coversPath, type TouchedPath, touchedPaths } from "./touched-paths.ts";

/**
 * Whether a call may run (aura 6.1). Pure. With three empty lists everything may; a `deny` rule that matches stops
 * it; a `confirm` rule asks, unless an `auto` rule or an approval covers the call; what no rule names may run.
 *
 * `deny` and `confirm` match generously: any spelling of a command's parts, any form of any path it touches, also
 * through the shell. `auto` and approvals match strictly: one plain command or the identical text, absolute paths, every
 * path that was asked about; of a shell text that was read, every part. A command that only reads, and only inside the
 * workspace, is not asked about by a rule that names Bash alone. Writing what other programs run or trust is asked about
 * every time, unless a rule spells out exactly this call.
 */
export function judge(call: JudgedCall, policy: Policy, grants: Grants): Verdict {
  const auto = [...policy.auto, ...grants.saved];
  const subject = look(call);
  const guarded = whyAlways(subject);
  if (auto.length + policy.confirm.length + policy.deny.length === 0 && guarded === undefined)
    return allow("no policy is configured");

  const denied = policy.deny.find((rule) => whatItStops(rule, subject) !== undefined);
  if (denied) return deny(denied);

  if (guarded !== undefined) return judgeGuarded(guarded, auto, subject, grants);
  const reads = onlyReads(call, subject.reading);
  const asking = policy.confirm
    // A rule that names Bash alone is about commands that do something; `Bash:*` is about all of them.
    .filter((rule) => !(reads && rule.from !== "server" && readPattern(rule.pattern).argument === undefined))
    .map((rule) => ({ rule, paths: whatItStops(rule, subject) }))
    .filter((asked) => asked.paths !== undefined);
  const secrets = secretReads(call);
  if (secrets[0]) asking.push({ rule: secretRule(secrets[0]), paths: secrets });
  const unread = whyUnread(policy, subject);
  if (unread !== undefined) return confirm(asking[0] ? becauseOf(asking[0].rule) : unread, call);
  if (asking.length === 0)
    return allow(reads ? "it only reads, and only inside this folder" : "no rule asks about this call");

  const exempt = exemption(
    asking.flatMap(({ paths }) => paths ?? []),
    [...auto, ...sessionRules(grants).filter(isChosenPath)],
    subject,
  );
  if (exempt) return { kind: "auto", because: becauseOf(exempt) };
  const granted =
    subject.reading?.kind === "read" && exemptParts(subject.reading.parts, [...auto, ...sessionRules(grants)], call);
  if (granted) return { kind: "auto", because: becauseOf(granted) };
  const { pattern } = derive(call);
  if (pattern !== undefined && grants.session.has(pattern))
    return { kind: "auto", because: { rule: pattern, from: "session" } };
  return confirm(becauseOf(asking[0]!.rule), call);
}

/** Asks as a rule of ours would: what covers the path exempts from it. */
const secretRule = ({ path }: TouchedPath): Rule => ({
  pattern: `it reads ${path}, which may hold secrets`,
  from: "built-in",
});

/** A call with what rules are compared to. */
interface Subject {
  readonly call: JudgedCall;
  /** What a Bash call runs; undefined when there is nothing. */
  readonly command?: ReadCommand;
  readonly parts?: CommandParts;
  readonly reading?: ShellReading;
  readonly paths: readonly TouchedPath[];
}

function look(call: JudgedCall): Subject {
  if (call.tool !== "Bash") return { call, paths: touchedPaths(call) };
  const text = commandOf(call.input);
  if (text === undefined) return { call, paths: [] };
  const reading = readingOf(call);
  return {
    call,
    command: readCommand(text, call),
    parts: commandParts(text),
    ...(reading && { reading }),
    paths: reading?.kind === "read" ? touchedByShell(reading.parts) : [],
  };
}

/** What is asked about whatever was allowed before, in a sentence. */
function whyAlways({ call, reading }: Subject): string | undefined {
  if (call.tool === "Bash") return alwaysAsked(reading)?.concern;
  for (const path of call.writes ?? []) {
    const reason = whyGuarded(path, call.home, call.ours ?? []);
    if (reason !== undefined) return `it writes ${path}: ${reason}`;
  }
  return undefined;
}

/** Only a rule that spells out exactly this call lets it through. */
function judgeGuarded(reason: string, auto: readonly Rule[], subject: Subject, grants: Grants): Verdict {
  const { call, command } = subject;
  const exact = auto.find(({ pattern }) => {
    const { tool, argument } = readPattern(pattern);
    if (argument === undefined || hasWildcard(argument) || !matches(tool, call.tool)) return false;
    return command
      ? literalOf(argument) === command.text
      : (call.writes ?? []).every((path) => coversPath(argument, path, call));
  });
  if (exact) return { kind: "auto", because: becauseOf(exact) };
  const offer = derive(call);
  if (
    command &&
    offer.pattern !== undefined &&
    !hasWildcard(readPattern(offer.pattern).argument ?? "*") &&
    grants.session.has(offer.pattern)
  )
    return { kind: "auto", because: { rule: offer.pattern, from: "session" } };
  return { kind: "confirm", because: { rule: reason, from: "built-in" }, noPattern: "this is asked about every time" };
}

const sessionRules = ({ session }: Grants): readonly Rule[] =>
  [...session].map((pattern) => ({ pattern, from: "session" }));

/**
 * A file by itself or all below a folder, as a person may choose; a folder (`/w/*`) is remembered for calls that derive
 * the identical pattern (aura 6.5).
 */
function isChosenPath({ pattern }: Rule): boolean {
  const { tool, argument } = readPattern(pattern);
  return tool !== "Bash" && argument !== undefined && (!hasWildcard(argument) || argument.endsWith("/**"));
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
  if (argument === undefined) return isNamed ? subject.paths.filter(({ isGuess }) => !isGuess) : undefined;
  if (subject.command !== undefined && isNamed && bindsCommand(argument, subject)) return [];
  if (subject.command !== undefined && tool !== "Read" && tool !== "Write") return undefined;
  const stopped = subject.paths.filter(
    (touched) =>
      ((isNamed && subject.command === undefined) || isPathRule(tool, touched)) &&
      bindsPath(argument, touched, subject.call),
  );
  return stopped.length > 0 ? stopped : undefined;
}

/** `Write:…` is about writing that path, by whatever tool says it does; `Read:…` about reading it. */
const isPathRule = (tool: string, { access, isGuess }: TouchedPath): boolean =>
  (tool === "Write" && (access === "write" || isGuess === true)) ||
  (tool === "Read" && (access === "read" || isGuess === true));

function bindsCommand(argument: string, { command, parts, reading }: Subject): boolean {
  const text = command?.text ?? "";
  if ([text, text.trim(), ...(parts?.texts ?? [])].some((form) => mayFit(argument, form))) return true;
  return reading?.kind === "read" && bindsParts(argument, reading.parts);
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

/**
 * Why a call is asked about although no rule names it: it could not be read to its end, or does something with a file
 * that only running it tells, and there are rules it may be about.
 */
function whyUnread(policy: Policy, { parts, reading }: Subject): Because | undefined {
  const rules = [...policy.deny, ...policy.confirm]
    .map(({ pattern }) => readPattern(pattern))
    .filter(({ argument }) => argument !== undefined);
  const isAbout = (name: string) => rules.some(({ tool }) => matches(tool, name));
  if (parts?.complete === false && isAbout("Bash")) return TOO_LONG;
  if (reading === undefined) return undefined;
  if (reading.kind === "unreadable")
    return ["Bash", "Read", "Write"].some(isAbout)
      ? { ...UNREAD, rule: `${UNREAD.rule}: ${reading.reason}` }
      : undefined;
  if (runsUnknown(reading) && isAbout("Bash")) return UNREAD;
  if ((touchesUnknown(reading, "write") && isAbout("Write")) || (touchesUnknown(reading, "read") && isAbout("Read")))
    return UNKNOWN_FILE;
  return undefined;
}

const UNREAD: Because = { rule: "what it runs cannot be told beforehand", from: "built-in" };
const UNKNOWN_FILE: Because = { rule: "which file it touches cannot be told beforehand", from: "built-in" };

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
