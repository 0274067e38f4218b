import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProjectRoot, isInside, personalFolders, shortenPath } from "../../../src/system/paths.ts";

let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "aura-paths-")));
});
afterEach(() => rm(home, { recursive: true }));

test("without anything set, folders are the usual ones", () => {
  expect(personalFolders({ HOME: home })).toEqual({
    user: home,
    config: join(home, ".aura"),
    state: join(home, ".local/state/aura"),
    cache: join(home, ".cache/aura"),
  });
});

test("absolute XDG variables are followed, relative ones are not", () => {
  const env = { HOME: home, XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "cache" };
  expect(personalFolders(env)).toEqual({
    user: home,
    config: "/c/aura",
    state: "/s/aura",
    cache: join(home, ".cache/aura"),
  });
});

test("an existing ~/.aura wins over XDG_CONFIG_HOME", async () => {
  await mkdir(join(home, ".aura"));
  expect(personalFolders({ HOME: home, XDG_CONFIG_HOME: "/c" }).config).toBe(join(home, ".aura"));
});

test("the project is the nearest folder with .git or .aura, and ~/.aura makes no project of the home", async () => {
  await mkdir(join(home, "work/app/.git"), { recursive: true });
  await mkdir(join(home, "work/app/pkg/.aura"), { recursive: true });
  await mkdir(join(home, "work/app/pkg/src"));
  await mkdir(join(home, "work/app/lib"));
  await mkdir(join(home, "loose/deep"), { recursive: true });
  await mkdir(join(home, ".aura"));
  const rootOf = (path: string) => findProjectRoot(join(home, path), home);
  expect(rootOf("work/app/pkg/src")).toBe(join(home, "work/app/pkg"));
  expect(rootOf("work/app/lib")).toBe(join(home, "work/app"));
  expect(rootOf("loose/deep")).toBe(join(home, "loose/deep"));
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b/c", true],
  ["/a", "/a/..b", true],
  ["/a", "/ab", false],
  ["/a/b", "/a", false],
  ["/", "/a", true],
])("isInside(%s, %s) is %s", (folder, path, inside) => {
  expect(isInside(folder, path)).toBe(inside);
});

test("a path is shortened only where it stays inside", () => {
  expect([shortenPath("/a", "/a/b"), shortenPath("/a", "/a"), shortenPath("/a", "/b")]).toEqual(["b", ".", "/b"]);
});
