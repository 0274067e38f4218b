import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serversOf } from "../../../src/config/servers/servers-of.ts";
import { type ImportRequest, importServers } from "../../../src/engine/mcp-import.ts";
import type { OpenOptions } from "../../../src/engine/open-options.ts";
import { loadTrusted, trustHome } from "../../../src/engine/resolve-config.ts";
import { trustedServers } from "../../../src/engine/server-trust.ts";
import { revokeTrust } from "../../../src/engine/trust-tools.ts";
import { personalFolders } from "../../../src/system/paths.ts";

let root: string;
let options: OpenOptions;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "aura-trust-")));
  const put = (file: string, text: string) => {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  put("home/.aura/config/mcp/a.yaml", "own: { command: x }\n");
  put("p/.aura/config/mcp/b.yaml", "project: { command: x }\n");
  put("p/.aura/config/mcp/c.yaml", "imported: { command: x }\n");
  put("p/mcp.json", '{"servers": {"aether": {"command": "x"}}}');
  options = { cwd: join(root, "p"), env: { HOME: join(root, "home") }, shipped: "" };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function allowed(more: Partial<OpenOptions> = {}) {
  const all = { ...options, ...more };
  const trusted = await loadTrusted(all, personalFolders(all.env));
  const { servers } = await serversOf(trusted.config, { cwd: all.cwd });
  const { allowed, held } = await trustedServers(servers, trusted, all);
  expect([...allowed, ...held].length).toBe(servers.length);
  return allowed.map(({ name }) => name);
}

test("in a project nobody trusts only a person's own servers may start", async () => {
  expect(await allowed()).toEqual(["own"]);
});

describe("what a person imported", () => {
  const file = () => join(root, "p/.aura/config/mcp/claude.yaml");
  beforeEach(async () => {
    writeFileSync(file(), "# mine\ncame: { command: with-the-clone }\n");
    writeFileSync(join(root, "p/.mcp.json"), '{"mcpServers": {"asked": {"command": "x"}}}');
    const request = { from: "claude", file: undefined, scope: "project", dryRun: false, force: false, strict: false };
    const { errors, written } = await importServers(options, request as ImportRequest);
    expect({ errors, written }).toEqual({ errors: [], written: [file()] });
  });

  test("may start, and nothing else of the file it was written into", async () => {
    expect(readFileSync(file(), "utf8")).toContain("came:");
    expect(await allowed()).toEqual(["asked", "own"]);
  });

  test("counts while it is unchanged, whatever else in the file is", async () => {
    const text = readFileSync(file(), "utf8");
    writeFileSync(file(), `${text}more: { command: x }\n`);
    expect(await allowed()).toEqual(["asked", "own"]);
    writeFileSync(file(), text.replace("command: x", "command: worse"));
    expect(await allowed()).toEqual(["own"]);
  });

  test("is trusted until that is taken back", async () => {
    await revokeTrust(options, join(root, "p"));
    expect(await allowed()).toEqual(["own"]);
  });
});

test.each([".", ".aura", ".aether"])("with %s trusted, or on the command line, all may", async (folder) => {
  mkdirSync(join(root, "p/.aether"), { recursive: true });
  await trustHome(options, join(root, "p", folder));
  expect(await allowed()).toEqual(["aether", "imported", "own", "project"]);
});

test("--trust is for this time", async () => {
  expect(await allowed({ trust: true })).toEqual(["aether", "imported", "own", "project"]);
  expect(await allowed()).toEqual(["own"]);
});

test("a home named on the command line is trusted, what lies beside it is not", async () => {
  expect(await allowed({ config: [join(root, "p/.aura")] })).toEqual(["imported", "own", "project"]);
});
