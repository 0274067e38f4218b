/**
 * What the configuration says of the screen's looks, before configuration is read: the first frame is to be right, and
 * reading configuration would make it late. Only the plain ways to write `ui:` are understood, in the files and folders
 * that usually hold it; whatever is missed or misread is put right when the configuration has been read.
 */
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { OpenOptions, UiSettings } from "../../src/index.ts";
import { personalFolders } from "../../src/system/paths.ts";
import { THEMES } from "../tui/theme-choice.ts";

/** A file larger than this is not looked into. */
const MOST_CHARS = 64_000;

/** The later home wins, and in a home the later file. */
export function lookAhead({ home, config, cwd, env }: Pick<OpenOptions, "home" | "config" | "cwd" | "env">) {
  const homes = [home ?? personalFolders(env).config, ...(config ?? [join(cwd, ".aura")])];
  const absolute = (path: string) => resolve(cwd, path.replace(/^~(?=$|\/)/, env["HOME"] || homedir()));
  const files = homes.filter((path) => path !== "").flatMap((path) => featureFiles(absolute(path)));
  return Object.assign({}, ...files.map(uiOf)) as Partial<UiSettings>;
}

function featureFiles(home: string): string[] {
  const folder = join(home, "config", "features");
  try {
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
    return names.sort().map((name) => readFileSync(join(folder, name), "utf8"));
  } catch {
    return [];
  }
}

/** `ui: {theme: dark, notify: false}`, or the same on indented lines. */
function uiOf(text: string): Partial<UiSettings> {
  if (text.length > MOST_CHARS) return {};
  const block = /^ui:[ \t]*(?:\{([^{}]*)\}[ \t]*(?:#.*)?$|(?:#.*)?((?:\r?\n(?:[ \t]+.*|[ \t]*(?:#.*)?))*))/m.exec(text);
  const fields = (block?.[1]?.split(",") ?? block?.[2]?.split("\n") ?? []).map((field) =>
    /^\s*(\w+):\s*["']?([\w-]+)["']?\s*(?:#.*)?$/.exec(field),
  );
  const of = (name: string) => fields.find((field) => field?.[1] === name)?.[2];
  const flag = (name: "fullscreen" | "mouse" | "notify") =>
    /^(true|false)$/.test(of(name) ?? "") ? { [name]: of(name) === "true" } : {};
  const theme = THEMES.find((known) => known === of("theme"));
  return { ...flag("fullscreen"), ...flag("mouse"), ...flag("notify"), ...(theme && { theme }) };
}
