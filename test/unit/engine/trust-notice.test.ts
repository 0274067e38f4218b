import { expect, test } from "vitest";
import { trustNotice } from "../../../src/engine/resolve-config.ts";

type Trusted = Parameters<typeof trustNotice>[0];
const untrusted = { untrusted: ["/p/.aura"] } as unknown as Trusted;
const policy = { kind: "policy", name: "aura", text: "confirm: [Bash]" } as const;
const server = { kind: "MCP server", name: "notes", text: "npx notes" } as const;

test("what an untrusted project loses is named, each once, and nothing is said when nothing is lost", () => {
  expect(trustNotice(untrusted, ["auto rules"], [policy, server])).toBe(
    '/p/.aura is not trusted yet, so this of it is left out: auto rules, MCP server notes. Trust it with /trust or "aura trust".',
  );
  // A policy that asks no less than what holds anyway loses nothing.
  expect(trustNotice(untrusted, [], [policy])).toBeUndefined();
  expect(trustNotice(untrusted, [], [])).toBeUndefined();
});
