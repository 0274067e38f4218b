/** One line of the transcript that only grows, and how loud it is. */
export interface Line {
  readonly text: string;
  readonly tone: Tone;
}

export type Tone = "plain" | "strong" | "faint" | "warn" | "error";

/** `accessible` is read aloud: words instead of signs, every change told. `simple` is read on a plain terminal. */
export type Manner = "accessible" | "simple";

export function line(text: string, tone: Tone = "plain"): Line {
  return { text, tone };
}

/** A text of several lines, with `label` before the first. */
export function linesOf(text: string, tone: Tone = "plain", label = ""): Line[] {
  return `${label}${text}`.split("\n").map((part) => line(part, tone));
}

const SGR: Readonly<Record<Tone, string>> = { plain: "", strong: "1", faint: "2", warn: "33", error: "31" };

/** The bytes of some lines, each with its newline. */
export function paintLines(lines: readonly Line[], coloured: boolean): string {
  return lines.map(({ text, tone }) => `${coloured ? paint(text, SGR[tone]) : text}\n`).join("");
}

function paint(text: string, sgr: string): string {
  return sgr === "" || text === "" ? text : `\x1b[${sgr}m${text}\x1b[m`;
}
