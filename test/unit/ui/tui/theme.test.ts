import { describe, expect, test } from "vitest";
import { PALETTES } from "../../../../ui/tui/palettes.ts";
import { type Background, createTheme, type Tone } from "../../../../ui/tui/theme.ts";
import { chooseTheme, followsBackground, readBackground } from "../../../../ui/tui/theme-choice.ts";

type Colour = readonly [number, number, number];

/** xterm's 256 colours: a 6x6x6 cube from 16 on, then 24 greys. */
function xterm(number: number): Colour {
  if (number >= 232) return [8 + 10 * (number - 232), 8 + 10 * (number - 232), 8 + 10 * (number - 232)];
  const level = (at: number) => [0, 95, 135, 175, 215, 255][at] ?? 0;
  const cube = number - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: Colour, other: Colour): number {
  const light = (colour: Colour) => {
    const [red = 0, green = 0, blue = 0] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [high = 0, low = 0] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function contrastOf(sgr: string, behind: Colour): number {
  const text = /(?:^|;)38;5;(\d+)/.exec(sgr)?.[1];
  const back = /(?:^|;)48;5;(\d+)/.exec(sgr)?.[1];
  return text === undefined
    ? Infinity
    : contrast(xterm(Number(text)), back === undefined ? behind : xterm(Number(back)));
}

const BEHIND: Readonly<Record<Background, readonly Colour[]>> = {
  dark: [
    [0, 0, 0],
    [30, 30, 30],
  ],
  light: [
    [255, 255, 255],
    [250, 250, 250],
  ],
};
/** Lines around things need less than words (WCAG 1.4.11). */
const least = (tone: string, words: number) => (tone === "border" ? 3 : words);

describe.each(["dark", "light"] as const)("on a %s background", (background) => {
  test.each([
    ["plain", false, 4],
    ["high contrast", true, 7],
  ])("every tone of the %s theme can be read", (_name, highContrast, words) => {
    const { sgr } = createTheme(256, background, highContrast);
    const weak = Object.entries(sgr).flatMap(([tone, codes]) =>
      BEHIND[background]
        .map((behind) => contrastOf(codes, behind))
        .filter((ratio) => ratio < least(tone, words))
        .map((ratio) => `${tone} ${ratio.toFixed(1)}`),
    );
    expect(weak).toEqual([]);
  });

  test("what was added and removed can be told apart, and changed words from their lines", () => {
    const { sgr } = createTheme(256, background);
    expect(new Set([sgr.added, sgr.removed, sgr["added-word"], sgr["removed-word"]]).size).toBe(4);
  });
});

test("16 colours use named colours only, and no colours none at all", () => {
  const colours = (palette: Readonly<Record<string, string>>) =>
    Object.values(palette).flatMap((codes) => codes.split(";").filter((code) => Number(code) >= 30));
  for (const name of ["16-dark", "16-light"] as const)
    expect(colours(PALETTES[name]).filter((code) => !/^(3[0-7]|4[0-7]|9[0-7])$/.test(code))).toEqual([]);
  expect(colours(createTheme(0).sgr)).toEqual([]);
  expect(colours(createTheme(0, "light", true).sgr)).toEqual([]);
});

test("the theme is the wish, else what the terminal answers, else what COLORFGBG hints at", () => {
  const you = (env: Record<string, string>, background?: Background) =>
    chooseTheme({ TERM: "xterm-256color", ...env }, background).sgr.you;
  const [dark, light] = [createTheme(256, "dark").sgr.you, createTheme(256, "light").sgr.you];
  expect([
    you({}),
    you({}, "light"),
    you({ AURA_THEME: "dark" }, "light"),
    you({ AURA_THEME: "light" }),
    you({ COLORFGBG: "0;15" }),
    you({ COLORFGBG: "0;15" }, "dark"),
    you({ AURA_THEME: "high-contrast" }, "light"),
  ]).toEqual([dark, light, dark, light, light, dark, createTheme(256, "light", true).sgr.you]);
});

test("the terminal is asked only when its answer could matter", () => {
  const asks = (env: Record<string, string>) => followsBackground({ TERM: "xterm-256color", ...env });
  expect([
    asks({}),
    asks({ AURA_THEME: "high-contrast" }),
    asks({ AURA_THEME: "dark" }),
    asks({ NO_COLOR: "1" }),
    asks({ TERM: "linux" }),
  ]).toEqual([true, true, false, false, false]);
});

test("the background is read from answers of two and four digits", () => {
  expect(
    ["11;rgb:1e1e/1e1e/1e1e", "11;rgb:ff/ff/ff", "11;rgba:fdfd/f6f6/e3e3/ffff", "10;rgb:0/0/0", "11;red"].map(
      readBackground,
    ),
  ).toEqual(["dark", "light", "light", undefined, undefined]);
});

test("every palette names every tone", () => {
  const tones = Object.keys(createTheme(256).sgr) as Tone[];
  for (const name of ["light", "16-dark", "16-light", "none"] as const)
    expect(Object.keys(PALETTES[name]).sort()).toEqual([...tones].sort());
});
