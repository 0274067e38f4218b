/** Which theme a person wants, and what the terminal says about its background. */
import { type Background, colourDepth, createTheme, type Theme } from "./theme.ts";

export const THEMES = ["auto", "dark", "light", "high-contrast"] as const;
export type ThemeName = (typeof THEMES)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** AURA_THEME; anything else follows the terminal. */
function themeName(env: Environment): ThemeName {
  return THEMES.find((name) => name === env["AURA_THEME"]) ?? "auto";
}

/** `background` is what the terminal answered; before it did, COLORFGBG (set by rxvt, Konsole and others) may tell. */
export function chooseTheme(env: Environment, background: Background | undefined): Theme {
  const name = themeName(env);
  const behind = name === "dark" || name === "light" ? name : (background ?? backgroundHint(env) ?? "dark");
  return createTheme(colourDepth(env), behind, name === "high-contrast");
}

/** Whether the terminal's answer could change the theme. */
export function followsBackground(env: Environment): boolean {
  const name = themeName(env);
  return name !== "dark" && name !== "light" && colourDepth(env) > 0 && env["TERM"] !== "linux";
}

/** Asks for the background colour (xterm, OSC 11). */
export const ASK_BACKGROUND = "\x1b]11;?\x1b\\";

/** Reads the answer, for example `11;rgb:1e1e/1e1e/1e1e`; undefined when it is not one. */
export function readBackground(answer: string): Background | undefined {
  const match = /^11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(answer);
  if (match === null) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  // Perceived brightness (ITU-R BT.601 luma).
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark";
}

/** The last field of `15;0` is the background's number among the 16 colours. */
function backgroundHint(env: Environment): Background | undefined {
  const number = /;(\d+)$/.exec(env["COLORFGBG"] ?? "")?.[1];
  if (number === undefined) return undefined;
  return number === "7" || number === "15" ? "light" : "dark";
}
