import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import { hasRipgrep } from "../../../src/system/ripgrep.ts";

const scratch = mkdtempSync(join(tmpdir(), "aura-rg-"));
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

test("ripgrep is there when it came with us, or is on the path, and else it is not", () => {
  expect(hasRipgrep("")).toBe(true);
  const elsewhere = pathToFileURL(join(scratch, "dist/chunks/a.js")).href;
  expect(hasRipgrep(undefined, elsewhere)).toBe(false);
  const bin = join(scratch, "bin");
  mkdirSync(bin, { recursive: true });
  expect(hasRipgrep(`/nowhere:${bin}`, elsewhere)).toBe(false);
  writeFileSync(join(bin, "rg"), "");
  expect(hasRipgrep(`/nowhere:${bin}`, elsewhere)).toBe(true);
});
