/** Colours by meaning. A tone is what a piece of text is; a theme says how that looks on this terminal. */
export type Tone =
  | "text"
  | "you"
  | "aura"
  | "faint"
  | "pending"
  | "error"
  | "warn"
  | "done"
  | "notice"
  | "match"
  | "accent"
  | "border"
  | "heading"
  | "code"
  | "link"
  | "added"
  | "removed"
  | "hunk"
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "name";

/** How many colours the terminal shows: none, the 16 named ones, or 256 and more. */
export type ColourDepth = 0 | 16 | 256;

export interface Theme {
  readonly depth: ColourDepth;
  /** The SGR parameters that switch a tone on, for example `1;38;5;39`; empty for plain text. */
  readonly sgr: Readonly<Record<Tone, string>>;
}

export function createTheme(depth: ColourDepth): Theme {
  const column = depth === 256 ? 0 : depth === 16 ? 1 : 2;
  const sgr = Object.fromEntries(Object.entries(TABLE).map(([tone, codes]) => [tone, codes[column]]));
  return { depth, sgr: sgr as Record<Tone, string> };
}

/** Reads NO_COLOR (no-color.org), COLORTERM and TERM. */
export function colourDepth(env: Readonly<Record<string, string | undefined>>): ColourDepth {
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb") return 0;
  if ((env["COLORTERM"] ?? "") !== "") return 256;
  return /256|direct|kitty|alacritty|ghostty/.test(env["TERM"] ?? "") ? 256 : 16;
}

/** Tone: 256 colours (numbers of aura 19.2), 16 colours, no colour. */
const TABLE: Readonly<Record<Tone, readonly [string, string, string]>> = {
  text: ["", "", ""],
  you: ["1;38;5;39", "1;94", "1"],
  aura: ["1;38;5;214", "1;33", "1"],
  faint: ["38;5;243", "90", "2"],
  pending: ["38;5;243", "90", "2"],
  error: ["38;5;196", "91", ""],
  warn: ["38;5;214", "33", ""],
  done: ["38;5;77", "32", ""],
  notice: ["38;5;67", "34", "2"],
  match: ["38;5;170", "35", "1"],
  accent: ["38;5;39", "94", "1"],
  border: ["38;5;240", "90", ""],
  heading: ["1;38;5;39", "1;94", "1"],
  code: ["38;5;180", "33", ""],
  link: ["4;38;5;75", "4;94", "4"],
  added: ["38;5;77", "32", ""],
  removed: ["38;5;203", "31", ""],
  hunk: ["38;5;73", "36", "2"],
  keyword: ["38;5;176", "35", "1"],
  string: ["38;5;114", "32", ""],
  number: ["38;5;215", "33", ""],
  comment: ["38;5;243", "90", "2"],
  name: ["38;5;75", "94", ""],
};
