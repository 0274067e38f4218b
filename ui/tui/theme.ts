/** Colours by meaning. A tone is what a piece of text is; a theme says how that looks on this terminal. */
import { PALETTES } from "./palettes.ts";

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
  /** The words that differ within a changed line. */
  | "added-word"
  | "removed-word"
  | "hunk"
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "name"
  /** A place where a search matches, and the one it stands at. */
  | "found"
  | "found-here";

/** How many colours the terminal shows: none, the 16 named ones, or 256 and more. */
export type ColourDepth = 0 | 16 | 256;

/** What is behind the text. */
export type Background = "dark" | "light";

export interface Theme {
  readonly depth: ColourDepth;
  /** The SGR parameters that switch a tone on, for example `1;38;5;39`; empty for plain text. */
  readonly sgr: Readonly<Record<Tone, string>>;
}

export function createTheme(depth: ColourDepth, background: Background = "dark", highContrast = false): Theme {
  if (depth === 0) return { depth, sgr: PALETTES.none };
  const plain = depth === 16 ? PALETTES[`16-${background}`] : PALETTES[background];
  const strong = highContrast ? PALETTES[`contrast-${depth}-${background}`] : {};
  return { depth, sgr: { ...plain, ...strong } };
}

/** Reads NO_COLOR (no-color.org), COLORTERM and TERM. */
export function colourDepth(env: Readonly<Record<string, string | undefined>>): ColourDepth {
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb") return 0;
  if ((env["COLORTERM"] ?? "") !== "") return 256;
  return /256|direct|kitty|alacritty|ghostty/.test(env["TERM"] ?? "") ? 256 : 16;
}
