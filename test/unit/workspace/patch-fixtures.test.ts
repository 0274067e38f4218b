import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { patch } from "../../../src/tools/patch.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/patch");

describe("every folder of test/fixtures/patch", () => {
  test.each(readdirSync(FIXTURES).filter((name) => /^\d/.test(name)))("%s", async (name) => {
    const folder = join(FIXTURES, name);
    const input = filesIn(join(folder, "input"));
    const project = memoryProject(input);
    project.access.reads.policy.write = false;
    const called = await project.call(patch, { patch: readFileSync(join(folder, "patch.txt"), "utf8") });

    const error = readdirSync(folder).includes("error.txt")
      ? readFileSync(join(folder, "error.txt"), "utf8").trimEnd()
      : undefined;
    if (error === undefined) {
      expect(called).toMatchObject({ status: "done" });
      expect(hexOf(project.disk.all())).toEqual(hexOf(absolute(filesIn(join(folder, "expected")))));
    } else {
      const said = called.status === "done" ? "" : called.status === "failed" ? called.message : called.reason;
      expect(said.slice(0, error.length)).toBe(error);
      expect(hexOf(project.disk.all())).toEqual(hexOf(absolute(input)));
    }
  });
});

function filesIn(folder: string): Record<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== ".keep")
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.map((path) => [relative(folder, path), readFileSync(path)]));
}

const absolute = (files: Record<string, Buffer>) =>
  Object.entries(files).map(([path, bytes]): [string, Uint8Array] => [`/project/${path}`, bytes]);

/** Readable where it is text, exact where it is not. */
const hexOf = (files: Iterable<readonly [string, Uint8Array]>) =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, JSON.stringify(Buffer.from(bytes).toString("latin1"))]));
