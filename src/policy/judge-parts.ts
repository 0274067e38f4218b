import { matches } from "../text/wildcard.ts";
import { spellingsOf } from "./command-parts.ts";
import { coversCommand, readWords } from "./covers-command.ts";
import { mayFit, readPattern } from "./pattern.ts";
import type { JudgedCall, Rule } from "./policy.ts";
import { allParts, type Effect, effectsOf, isHarmless, type Part, type ShellReading } from "./shell/reading.ts";
import { coversPath, type TouchedPath } from "./touched-paths.ts";

/** What reading a Bash call's command found; undefined when nobody read it. */
export function readingOf({ tool, input, shell }: JudgedCall): ShellReading | undefined {
  const command = (input as { readonly command?: unknown } | null)?.command;
  return tool === "Bash" && shell !== undefined && shell.command === command ? shell.reading : undefined;
}

/** True when every part of the command is known and only reads what nobody minds. */
export const onlyReads = (call: JudgedCall, reading: ShellReading | undefined): boolean =>
  call.isRewritten !== true && reading?.kind === "read" && reading.parts.every(isHarmless);

/** True when a stopping rule's argument names one of the commands found. */
export const bindsParts = (argument: string, parts: readonly Part[]): boolean =>
  allParts(parts).some(({ words, text }) =>
    [text, ...(words ? spellingsOf(words) : [])].some((form) => mayFit(argument, form)),
  );

/** The files a command reads, writes or deletes, for rules about paths. */
export function touchedByShell(parts: readonly Part[]): readonly TouchedPath[] {
  return effectsOf(parts).flatMap(({ kind, path, given, deep }): readonly TouchedPath[] => {
    if (path === undefined || !(kind in ACCESS)) return [];
    // Only names are looked at: what a rule about reading protects stays unread.
    if (kind === "list" && deep) return [];
    const forms = given === undefined ? [path] : [path, given];
    return [{ path, forms, access: ACCESS[kind as keyof typeof ACCESS], ...(deep && { deep }) }];
  });
}

const ACCESS = { read: "read", list: "read", write: "write", delete: "write" } as const;

/** What always needs a person's word. */
export const alwaysAsked = (reading: ShellReading | undefined): Effect | undefined =>
  reading?.kind === "read" ? effectsOf(reading.parts).find(({ always }) => always) : undefined;

/** A file it touches can only be told by running it. */
export const touchesUnknown = (reading: ShellReading, access: "read" | "write"): boolean =>
  reading.kind === "read" &&
  effectsOf(reading.parts).some(
    ({ kind, path, concern }) =>
      path === undefined &&
      concern !== undefined &&
      (kind === "unknown" || (kind in ACCESS && ACCESS[kind as keyof typeof ACCESS] === access)),
  );

/** Some command cannot be told by its name. */
export const runsUnknown = (reading: ShellReading): boolean =>
  reading.kind === "unreadable" ||
  allParts(reading.parts).some(
    ({ effects, words }) =>
      words === undefined && effects.some(({ concern }) => concern === "which program it runs is not known"),
  );

/**
 * The rule that exempts a command of several parts: every part is harmless or named by a rule, and no file is written
 * around them that no rule names. Undefined when one part is left over.
 */
export function exemptParts(parts: readonly Part[], auto: readonly Rule[], call: JudgedCall): Rule | undefined {
  const used: Rule[] = [];
  const isCovered = (part: Part): boolean => {
    if (!part.around.every((effect) => effect.concern === undefined || coversWrite(effect, auto, call))) return false;
    const own = part.effects.every(({ concern }) => concern === undefined);
    if (own && part.inner.every(isCovered)) return true;
    const rule = part.words && auto.find((each) => coversPart(each, part.words!));
    if (rule) used.push(rule);
    return rule !== undefined;
  };
  return parts.every(isCovered) ? used[0] : undefined;
}

/** The parts that neither are harmless nor named by a rule, and so need a person. */
export function leftOver(parts: readonly Part[], auto: readonly Rule[], call: JudgedCall): readonly Part[] {
  return parts.flatMap((part): readonly Part[] => {
    if (exemptParts([part], auto, call) || isHarmless(part)) return [];
    const own = [...part.effects, ...part.around].every(({ concern }) => concern === undefined);
    return own ? leftOver(part.inner, auto, call) : [part];
  });
}

function coversPart(rule: Rule, words: readonly string[]): boolean {
  const { tool, argument } = readPattern(rule.pattern);
  return argument !== undefined && matches(tool, "Bash") && coversCommand(rule, argument, readWords(words));
}

const coversWrite = (effect: Effect, auto: readonly Rule[], call: JudgedCall): boolean =>
  effect.kind === "write" &&
  effect.always !== true &&
  auto.some(({ pattern }) => {
    const { tool, argument } = readPattern(pattern);
    return (
      matches(tool, "Write") &&
      (argument === undefined || (effect.path !== undefined && coversPath(argument, effect.path, call)))
    );
  });
