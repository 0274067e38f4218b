import type { Because } from "../protocol/verdict.ts";
import { commandParts } from "./command-parts.ts";
import { derive } from "./derive.ts";
import { commandOf, judge } from "./judge.ts";
import { readingOf } from "./judge-parts.ts";
import type { Grants, JudgedCall, Policy } from "./policy.ts";
import type { Effect, Part, ShellReading } from "./shell/reading.ts";
import { readSimpleCommand } from "./simple-command.ts";

/** The verdict on a call with everything that led to it: what `aura policy test` prints. Plain JSON data. */
export interface Explanation {
  readonly tool: string;
  readonly verdict: "auto" | "confirm" | "deny";
  readonly because: Because;
  /** What saying yes could remember, whether or not anybody would be asked. */
  readonly pattern?: string;
  readonly noPattern?: string;
  readonly sessionOnly?: true;
  /** For Bash: how the command was read, and the commands found in it that deny and confirm rules are compared to. */
  readonly command?: {
    readonly reading: "simple" | "compound";
    readonly reason?: string;
    readonly parts: readonly string[];
    /** What reading it found: every command and what it does; absent when nobody read it. */
    readonly found?: readonly ExplainedPart[];
    /** Why it could not be read for certain. */
    readonly unreadable?: string;
  };
}

/** One command of a shell text with its effects, and the commands it runs. */
export interface ExplainedPart {
  readonly command: string;
  readonly effects: readonly Effect[];
  readonly runs?: readonly ExplainedPart[];
}

/** Judges with the function that enforces. Any tool name and any input will do. */
export function explain(call: JudgedCall, policy: Policy, grants: Grants): Explanation {
  const verdict = judge(call, policy, grants);
  const { kind, because } = verdict;
  const command = call.tool === "Bash" ? commandOf(call.input) : undefined;
  return {
    tool: call.tool,
    verdict: kind,
    because,
    // What is asked about every time offers nothing, whatever could be derived.
    ...(kind === "confirm" && verdict.pattern === undefined ? { noPattern: verdict.noPattern ?? "" } : derive(call)),
    ...(command !== undefined && { command: { ...explainCommand(command), ...explainReading(readingOf(call)) } }),
  };
}

/** The same for a person, one fact a line. */
export function explanationLines(explained: Explanation): readonly string[] {
  const { tool, verdict, because, pattern, noPattern, sessionOnly, command } = explained;
  const place =
    because.file === undefined ? "" : ` ${because.file}${because.line === undefined ? "" : `:${because.line}`}`;
  return [
    `${tool}: ${verdict}`,
    `  because: ${because.rule} (${because.from}${place})`,
    ...(command ? [`  read as: ${command.reason === undefined ? "one plain command" : command.reason}`] : []),
    ...(command?.unreadable === undefined ? [] : [`  not read for certain: ${command.unreadable}`]),
    ...(command?.found ? ["  does:", ...command.found.flatMap((part) => partLines(part, "    "))] : []),
    ...(command && !command.found && command.parts.length > 1 ? [`  parts:   ${command.parts.join(" | ")}`] : []),
    ...(pattern === undefined ? [] : [`  offers:  ${pattern}${sessionOnly ? " (this session only)" : ""}`]),
    ...(noPattern === undefined ? [] : [`  nothing broader: ${noPattern}`]),
  ];
}

/** One command and, indented, what it does and runs. */
function partLines({ command, effects, runs = [] }: ExplainedPart, indent: string): readonly string[] {
  const said = effects.map(
    ({ kind, path, concern }) =>
      concern ?? (kind === "list" ? `looks at ${path ?? "nothing"}` : `${kind}s ${path ?? "nothing else"}`),
  );
  return [
    `${indent}${command}`,
    ...[...new Set(said)].map((line) => `${indent}  - ${line}`),
    ...runs.flatMap((part) => partLines(part, `${indent}  `)),
  ];
}

function explainReading(reading: ShellReading | undefined): Partial<NonNullable<Explanation["command"]>> {
  if (reading === undefined) return {};
  return reading.kind === "read" ? { found: reading.parts.map(explainPart) } : { unreadable: reading.reason };
}

const explainPart = ({ text, effects, around, inner }: Part): ExplainedPart => ({
  command: text,
  effects: [...effects, ...around],
  ...(inner.length > 0 && { runs: inner.map(explainPart) }),
});

/** The lines about a shell command alone, for the record of a session. */
export function readingLines(reading: ShellReading): readonly string[] {
  const { found = [], unreadable } = explainReading(reading);
  return unreadable === undefined
    ? found.flatMap((part) => partLines(part, ""))
    : [`not read for certain: ${unreadable}`];
}

function explainCommand(command: string): NonNullable<Explanation["command"]> {
  const reading = readSimpleCommand(command);
  const { texts } = commandParts(command);
  return {
    reading: reading.kind,
    ...(reading.kind === "compound" && { reason: reading.reason }),
    parts: texts,
  };
}
