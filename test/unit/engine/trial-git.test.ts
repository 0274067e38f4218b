import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitOutside } from "../../../src/engine/trial-git.ts";

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "aura-git-"));
  mkdirSync(join(top, "repo/sub"), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true }));

test("a repository in the folder is within reach, and so is none", () => {
  expect(gitOutside(join(top, "repo"))).toBeUndefined();
  mkdirSync(join(top, "repo/.git"));
  expect(gitOutside(join(top, "repo"))).toBeUndefined();
});

test("a repository that begins above the folder, or is kept elsewhere, is out of reach", () => {
  mkdirSync(join(top, "repo/.git"));
  expect(gitOutside(join(top, "repo/sub"))).toBe(
    "git keeps what it knows of this folder outside of it, which is out of reach there",
  );
  writeFileSync(join(top, "repo/sub/.git"), "gitdir: ../.git/worktrees/sub\n");
  expect(gitOutside(join(top, "repo/sub"))).toMatch(/outside of it/);
});
