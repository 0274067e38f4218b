import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lookAhead } from "../../../../ui/cli/look-ahead.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "aura-look-ahead-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const look = (more: { home?: string; config?: readonly string[] } = {}) =>
  lookAhead({ cwd: join(folder, "project"), env: { HOME: join(folder, "me") }, ...more });

test("the usual ways to write it are understood", () => {
  put(
    "me/.aura/config/features/a.yaml",
    "tools:\n  mode: tokens\nui:\n  theme: light # bright\n\n  # quiet\n  notify: false\n",
  );
  put("me/.aura/config/features/b.yml", 'ui: {fullscreen: true, mouse: "false"}\ntools: {theme: dark}\n');
  expect(look()).toEqual({ theme: "light", notify: false, fullscreen: true, mouse: false });
});

test("the project's word counts more than one's own, and named homes instead of the usual ones", () => {
  put("me/.aura/config/features/a.yaml", "ui: {theme: light}\n");
  put("project/.aura/config/features/a.yaml", "ui: {theme: dark}\n");
  put("other/config/features/a.yaml", "ui: {theme: high-contrast}\n");
  expect(look()).toEqual({ theme: "dark" });
  expect(look({ home: "", config: [] })).toEqual({});
  expect(look({ home: "~/../other", config: [] })).toEqual({ theme: "high-contrast" });
});

test("what is not plain is left for those who read configuration", () => {
  put("me/.aura/config/features/a.yaml", "ui:\n  theme: purple\n  notify: maybe\n  fullscreen:\n    really: true\n");
  put("me/.aura/config/features/b.yaml", "gui: {theme: dark}\nui: &anchor [theme, dark]\n");
  expect(look()).toEqual({});
});
