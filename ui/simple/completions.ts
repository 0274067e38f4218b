import type { Suggestion } from "../../src/protocol/conversation.ts";

export interface Completion {
  /** What all suggestions go on with behind the line. */
  readonly rest: string;
  /** What is left to choose from when that is nothing. */
  readonly choices: readonly string[];
}

/** What Tab adds at the end of a line. Only suggestions that go on with what is typed count. Pure. */
export function completeLine(line: string, suggestions: readonly Suggestion[]): Completion {
  const fitting = suggestions.filter((one) => one.text.startsWith(line.slice(one.from)));
  const first = fitting[0];
  if (first === undefined) return { rest: "", choices: [] };
  const alike = fitting.filter((one) => one.from === first.from).map((one) => one.text);
  const rest = alike.reduce(commonStart).slice(line.length - first.from);
  return { rest, choices: rest === "" && alike.length > 1 ? alike : [] };
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
