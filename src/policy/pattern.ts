import { matches } from "../text/wildcard.ts";

/** A rule's text, read: `Name` or `Name:argument`, split at the first colon (aura 6.2). */
export interface Pattern {
  /** Fits tool names; `*` stands for any run of characters. */
  readonly tool: string;
  /**
   * Fits the call's detail; absent = the whole tool. `*` stands for any run of characters and `\*` for a star itself,
   * so that a command that holds one can be written down exactly. Every other backslash is a backslash.
   */
  readonly argument?: string;
}

export function readPattern(text: string): Pattern {
  const colon = text.indexOf(":");
  return colon < 0 ? { tool: text } : { tool: text.slice(0, colon), argument: text.slice(colon + 1) };
}

/** The pattern argument that fits `text` and nothing else. */
export const exactly = (text: string): string => text.replaceAll("*", "\\*");

/** The text an argument without wildcards fits. */
export const literalOf = (argument: string): string => argument.replaceAll("\\*", "*");

export const hasWildcard = (argument: string): boolean => argument.replaceAll("\\*", "").includes("*");

/** What stands before the first wildcard. */
export function headOf(argument: string): string {
  const star = /(?<!\\)\*/.exec(argument);
  return literalOf(star ? argument.slice(0, star.index) : argument);
}

/** Strict: for rules that let a call through. */
export function fits(argument: string, text: string): boolean {
  if (!argument.includes("\\*")) return matches(argument, text);
  if (text.includes(STAR)) return false;
  return matches(argument.replaceAll("\\*", STAR), text.replaceAll("*", STAR));
}

/** Generous: for rules that stop a call. `\*` also means what it did before it could be escaped. */
export const mayFit = (argument: string, text: string): boolean => matches(argument, text) || fits(argument, text);

// A code point that is no character: a text that holds it is never let through by an escaped rule.
const STAR = "\uffff";
