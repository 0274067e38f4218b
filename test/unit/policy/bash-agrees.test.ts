import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSimpleCommand } from "../../../src/policy/simple-command.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "aura-bash-agrees-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash gives a program for each of these texts, taken as its arguments. One bash runs them all. */
function wordsByBash(texts: readonly string[]): readonly (readonly string[])[] {
  const script = texts.map((text) => `printf '%s\\0' ${text}\nprintf 'END\\0\\0'\n`).join("");
  const output = execFileSync("bash", ["--norc", "--noprofile"], {
    input: script,
    cwd: folder,
    env: { LC_ALL: "C.UTF-8" },
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
  });
  return output
    .split("END\0\0")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}

test("what is read as one plain command is read by bash as the same words", () => {
  const unit = fc.constantFrom(..." \t\n'\"\\$`;&|<>(){}[]*?~#!=:,.-+@%^/ab1é");
  const texts = fc
    .sample(fc.string({ unit, minLength: 1, maxLength: 14 }), { numRuns: 40_000, seed: 7 })
    .map((text) => `x ${text}`)
    .filter((text) => readSimpleCommand(text).kind === "simple");
  const read = texts.map((text) => {
    const reading = readSimpleCommand(text);
    return reading.kind === "simple" ? reading.words : [];
  });
  expect(texts.length).toBeGreaterThan(500);
  expect(wordsByBash(texts)).toEqual(read);
});
