import { expect, test } from "vitest";
import { checkerFor } from "../../../src/toolkit/check-foreign-input.ts";

const check = checkerFor({
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    where: { anyOf: [{ type: "string" }, { type: "object", properties: { line: { type: "integer" } } }] },
    count: { type: "integer", minimum: 1 },
    tags: { type: "array", items: { type: "string" } },
    kind: { enum: ["a", "b"] },
    word: { type: "string", pattern: "^(a+)+$" },
  },
  required: ["count"],
  additionalProperties: false,
});

test("input that fits the schema passes as it is, also where the schema says more than ours can", async () => {
  const input = { where: { line: 3 }, count: 2, tags: ["x"], kind: "b" };
  expect(await check(input)).toEqual({ ok: true, input });
});

test("what certainly means the right thing is read so", async () => {
  expect(await check({ count: "2", tags: '["x"]', where: "here", kind: "a" })).toEqual({
    ok: true,
    input: { count: 2, tags: ["x"], where: "here", kind: "a" },
  });
  expect(await check('{"count": 1, "tags": null}')).toEqual({ ok: true, input: { count: 1 } });
});

test("every problem is told at once, with the names there are", async () => {
  expect(await check({ tags: [1], kind: "c", other: 1 })).toEqual({
    ok: false,
    problems: [
      'missing required parameter "count"',
      'unknown parameter "other"',
      'parameter "tags.0": must be string',
      'parameter "kind": not one of a, b',
      "Valid parameters: count, kind, tags, where, word",
    ],
  });
  expect(await check([1])).toEqual({ ok: false, problems: ["arguments: expected object, got array"] });
});

test("a pattern from outside cannot hold us up", async () => {
  const input = { count: 1, word: `${"a".repeat(60)}!` };
  expect(await check(input)).toEqual({ ok: true, input });
});

test("a schema that cannot be read refuses nothing", async () => {
  const anything = checkerFor({ type: "object", properties: { a: { $ref: "http://elsewhere.example/x.json" } } });
  expect(await anything({ a: 1 })).toEqual({ ok: true, input: { a: 1 } });
});
