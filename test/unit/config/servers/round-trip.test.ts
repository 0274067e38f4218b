// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what this is about
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { McpServerEntry } from "../../../../src/config/config.ts";
import type { ServerDef } from "../../../../src/config/mcp-server.ts";
import { neutralForm, respelt } from "../../../../src/config/servers/neutral-form.ts";
import { planExport } from "../../../../src/config/servers/plan-export.ts";
import { serverDef } from "../../../../src/config/servers/read-entry.ts";
import { readTarget } from "../../../../src/config/servers/read-target.ts";
import { dataText } from "../../../../src/config/servers/same-data.ts";
import { TARGETS } from "../../../../src/config/servers/targets/index.ts";

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("x", "--flag", "a b", 'é"\\\n', "/bin/x") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "$A",
      "${A}",
      "Bearer ${T}",
      "${A:-d}",
      "pre-${A}-${B}",
      "$$5",
      "5$",
      "$${A}",
      "{env:A}",
      "${env:A}",
      "${input:x}",
      "${userHome}",
    ),
  },
  fc.string({
    unit: fc.constantFrom("a", "$", "{", "}", ":", "-", "A", '"', "'", "#", "\n"),
    minLength: 1,
    maxLength: 6,
  }),
);
const word = fc.constantFrom("x", "npx", "$HOME/x", "${X:-y}");
const keyed = (value: fc.Arbitrary<string>) =>
  fc.dictionary(fc.constantFrom("A", "T", "KEY", "Authorization", "X-Key"), value, { maxKeys: 3 });
const filter = fc.oneof(
  fc.constant({}),
  fc.array(fc.constantFrom("read", "write_*"), { maxLength: 2 }).map((enabledTools) => ({ enabledTools })),
  fc.array(fc.constantFrom("read", "write_*"), { maxLength: 2 }).map((disabledTools) => ({ disabledTools })),
);
const common = fc.record(
  {
    disabled: fc.boolean(),
    deferred: fc.boolean(),
    timeout: fc.constantFrom(500, 2500, 10_000, 30_000),
    callTimeout: fc.constantFrom(60_000, 1_200_000),
    description: fc.constantFrom("about it"),
  },
  { requiredKeys: [] },
);
const stdio = fc.record(
  { command: word, args: fc.array(text, { maxLength: 3 }), env: keyed(text) },
  { requiredKeys: ["command"] },
);
const remote = fc.record(
  {
    transport: fc.constantFrom("http" as const, "sse" as const),
    url: fc.constantFrom("https://x/mcp", "https://$H/mcp"),
    headers: keyed(text),
  },
  { requiredKeys: ["transport", "url"] },
);
const definition: fc.Arbitrary<McpServerEntry> = fc
  .tuple(fc.oneof(stdio, remote), filter, common)
  .map(([shape, lists, more]) => ({ ...shape, ...lists, ...more }));
const servers = fc
  .dictionary(fc.constantFrom("a", "b-c", "d_e"), definition, { maxKeys: 3 })
  .map((all) => Object.entries(all).map(([name, entry]) => serverDef(name, entry)));

describe.each(TARGETS.map((target) => [target.name, target] as const))("through %s", (_, target) => {
  test("nothing is lost that no warning names", async () => {
    await fc.assert(
      fc.asyncProperty(servers, async (before) => {
        const request = { target, servers: before, file: "f", known: {}, force: false };
        const plan = await planExport({ ...request, text: "" });
        expect(plan.errors).toEqual([]);
        const { servers: after, errors, warnings } = await readTarget(target, plan.content, "f", "project");
        expect(errors).toEqual([]);
        const said = [...plan.warnings, ...warnings];
        for (const server of before) {
          const named = said.filter((warning) => warning.server === server.name).map(({ message }) => message);
          const found = after.find(({ name }) => name === server.name);
          for (const field of differences(server, found))
            expect(named, `${field} of ${server.name} is lost silently`).toContainEqual(
              expect.stringMatching(new RegExp(`, (${fieldWords(field)})[.:]`)),
            );
        }
        // And writing the same again changes nothing.
        const second = await planExport({ ...request, text: plan.content });
        expect(second.content).toBe(plan.content);
      }),
      { numRuns: 150 },
    );
  });
});

/** The fields that are not the same in both, references in one spelling. */
function differences(server: ServerDef, found: ServerDef | undefined): readonly string[] {
  if (!found) return ["disabled"];
  const [a, b] = [neutralForm(respelt(server)), neutralForm(respelt(found))];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => dataText(a[key]) !== dataText(b[key]));
}

/** A target's own words for a field, in warnings of the way back. */
function fieldWords(field: string): string {
  return { env: "env|environment", headers: "headers|http_headers", args: "args|command" }[field] ?? field;
}
