import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openManifests } from "../../../src/mcp/manifest.ts";
import { stdioDef } from "../../helpers/mcp.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "aura-manifest-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const NOW = Date.parse("2026-01-02T00:00:00Z");
const manifests = (version = "1") => openManifests(dir, version, () => NOW);
const file = () => join(dir, readdirSync(dir).find((name) => name.endsWith(".json"))!);

test("what was learned of a server is read back as it was", async () => {
  const tool = fc.record({
    name: fc.string(),
    description: fc.string(),
    inputSchema: fc.constantFrom({ type: "object" }, { type: "object", properties: { a: { type: "string" } } }),
  });
  const def = stdioDef("a", []);
  await fc.assert(
    fc.asyncProperty(fc.array(tool, { maxLength: 5 }), fc.string(), async (tools, instructions) => {
      await manifests().write(def, { tools, instructions });
      expect((await manifests().read(def))?.manifest).toEqual({ tools, instructions });
    }),
    { numRuns: 20 },
  );
});

test("its age is that of its file", async () => {
  const def = stdioDef("a", []);
  await manifests().write(def, { tools: [] });
  utimesSync(file(), NOW / 1000 - 60, NOW / 1000 - 60);
  expect(await manifests().read(def)).toEqual({ manifest: { tools: [] }, ageMs: 60_000 });
});

test("a damaged file is as good as none", async () => {
  const def = stdioDef("a", []);
  await manifests().write(def, { tools: [] });
  for (const text of ["", "{", "[]", '{"format":99,"tools":[]}', '{"format":1,"tools":3}', "null"]) {
    writeFileSync(file(), text);
    expect(await manifests().read(def)).toBeUndefined();
  }
});

test("another definition is another server, filters and limits are not; ours change with our version", async () => {
  const def = stdioDef("a", ["x"]);
  await manifests().write(def, { tools: [] });
  const isKnown = async (other: typeof def, version?: string) => (await manifests(version).read(other)) !== undefined;
  expect(await isKnown({ ...def, args: ["y"] })).toBe(false);
  expect(await isKnown({ ...def, env: { A: "1" } })).toBe(false);
  expect(await isKnown({ ...def, enabledTools: ["b"], timeout: 5, deferred: true }, "2")).toBe(true);
  const ours = { ...def, transport: "in-memory" } as const;
  await manifests().write(ours, { tools: [] });
  expect(await isKnown(ours)).toBe(true);
  expect(await isKnown(ours, "2")).toBe(false);
});
