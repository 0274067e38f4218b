import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameTool } from "../../../src/mcp/mcp-names.ts";

test("a plain name is kept, with the short form as alias", () => {
  expect(nameTool("github", "search_issues")).toEqual({
    canonical: "mcp__github__search_issues",
    aliases: ["github__search_issues"],
  });
});

test("every name fits every provider, and two tools of a server never share one", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 90 }), { maxLength: 20 }), (tools) => {
      const names = tools.map((tool) => nameTool("server-1", tool).canonical);
      expect(names.every((name) => /^mcp__server-1__[a-zA-Z0-9_-]*$/.test(name) && name.length <= 64)).toBe(true);
      expect(new Set(names).size).toBe(tools.length);
    }),
  );
});
