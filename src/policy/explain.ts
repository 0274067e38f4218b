import type { Because } from "../protocol/verdict.ts";
import { commandParts } from "./command-parts.ts";
import { derive } from "./derive.ts";
import { commandOf, judge } from "./judge.ts";
import type { Grants, JudgedCall, Policy } from "./policy.ts";
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
  };
}

/** Judges with the function that enforces. Any tool name and any input will do. */
export function explain(call: JudgedCall, policy: Policy, grants: Grants): Explanation {
  const { kind, because } = judge(call, policy, grants);
  const command = call.tool === "Bash" ? commandOf(call.input) : undefined;
  return {
    tool: call.tool,
    verdict: kind,
    because,
    ...derive(call),
    ...(command !== undefined && { command: explainCommand(command) }),
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
    ...(command && command.parts.length > 1 ? [`  parts:   ${command.parts.join(" | ")}`] : []),
    ...(pattern === undefined ? [] : [`  offers:  ${pattern}${sessionOnly ? " (this session only)" : ""}`]),
    ...(noPattern === undefined ? [] : [`  nothing broader: ${noPattern}`]),
  ];
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
