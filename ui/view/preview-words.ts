/** What is known beforehand of a command: what it would change, what it printed, and how far to rely on that. Pure. */
import type { Preview, PreviewedChange } from "../../src/protocol/request.ts";
import { reveal } from "../../src/text/neutralise.ts";

export interface PreviewLine {
  readonly tone: "head" | "added" | "removed" | "plain" | "note";
  readonly text: string;
}

/** Nothing for a preview that is only a diff. */
export function previewLines({ kind, title, changes = [], notes = [], output = "" }: Preview): readonly PreviewLine[] {
  if (kind === undefined) return [];
  const printed = reveal(output).trimEnd();
  const shown = changes.slice(0, MOST_CHANGES);
  const more = changes.length - shown.length;
  return [
    { tone: "head", text: reveal(title) },
    ...shown.map((change): PreviewLine => ({ tone: TONES[change.what], text: `  ${changeText(change, kind)}` })),
    ...(more > 0 ? [{ tone: "note", text: `  and ${more} more` } as const] : []),
    ...notes.map((note): PreviewLine => ({ tone: "note", text: `  ${reveal(note)}` })),
    ...(printed === "" ? [] : [{ tone: "head", text: "It printed:" } as const, ...outputLines(printed)]),
  ];
}

const MOST_CHANGES = 50;
const MOST_OUTPUT = 40;

/** `changed src/a.ts  +3 -1`; what was only read may come out otherwise. */
function changeText({ path, what, from, added, removed }: PreviewedChange, kind: Preview["kind"]): string {
  const counts = added === undefined ? "" : `  +${added} -${removed ?? 0}`;
  const word = kind === "judged" ? (what === "deleted" ? "may delete" : "may write") : WORDS[what];
  return `${word} ${from === undefined ? "" : `${reveal(from)} → `}${reveal(path)}${counts}`;
}

/** The first and the last lines: results tend to stand at either end. */
function outputLines(printed: string): readonly PreviewLine[] {
  const lines = printed.split("\n");
  const half = MOST_OUTPUT / 2;
  const kept =
    lines.length <= MOST_OUTPUT
      ? lines
      : [...lines.slice(0, half), `… ${lines.length - MOST_OUTPUT} more lines …`, ...lines.slice(-half)];
  return kept.map((text) => ({ tone: "plain", text: `  ${text}` }));
}

const WORDS = { added: "new", modified: "changed", deleted: "deleted", renamed: "renamed", mode: "mode" } as const;
const TONES = { added: "added", modified: "plain", deleted: "removed", renamed: "plain", mode: "plain" } as const;
