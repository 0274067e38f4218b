import { describe, expect, test } from "vitest";
import { checkInput } from "../../../src/toolkit/check-input.ts";
import type { JsonSchema, ObjectSchema } from "../../../src/toolkit/json-schema.ts";

const schemaOf = (properties: Record<string, JsonSchema>, required: readonly string[] = []): ObjectSchema => ({
  type: "object",
  properties,
  required,
});
const problemsOf = (schema: ObjectSchema, input: unknown) => {
  const checked = checkInput(schema, input);
  return checked.ok ? "ok" : checked.problems;
};
/** The problem of one optional parameter `p` with this value. */
const problemWith = (property: JsonSchema, value: unknown) => {
  const problems = problemsOf(schemaOf({ p: property }), { p: value });
  return problems === "ok" ? "ok" : problems[0];
};
const inputOf = (schema: ObjectSchema, input: unknown) => {
  const checked = checkInput(schema, input);
  if (!checked.ok) throw new Error(checked.problems.join("; "));
  return checked.input;
};

describe("what is refused", () => {
  test("a parameter the tool does not have", () => {
    expect(problemsOf(schemaOf({ path: { type: "string" } }), { file: "a" })).toEqual([
      'unknown parameter "file"',
      "Valid parameters: path",
    ]);
  });

  test("a required parameter that is missing", () => {
    expect(problemsOf(schemaOf({ path: { type: "string" } }, ["path"]), {})).toEqual([
      'missing required parameter "path"',
      "Valid parameters: path",
    ]);
  });

  test("a required parameter that is null", () => {
    expect(problemsOf(schemaOf({ path: { type: "string" } }, ["path"]), { path: null })).toEqual([
      'parameter "path": expected string, got null',
      "Valid parameters: path",
    ]);
  });

  test.each([
    [{ type: "string" }, 3, 'parameter "p": expected string, got number'],
    [{ type: "string" }, ["a"], 'parameter "p": expected string, got array'],
    [{ type: "boolean" }, "maybe", 'parameter "p": expected boolean, got string'],
    [{ type: "boolean" }, 1, 'parameter "p": expected boolean, got number'],
    [{ type: "integer" }, 1.5, 'parameter "p": expected integer, got number'],
    [{ type: "integer" }, "1.5", 'parameter "p": expected integer, got string'],
    [{ type: "integer" }, "many", 'parameter "p": expected integer, got string'],
    [{ type: "number" }, true, 'parameter "p": expected number, got boolean'],
    [{ type: "number" }, "", 'parameter "p": expected number, got string'],
    [{ type: "array", items: { type: "string" } }, "a, b", 'parameter "p": expected array, got string'],
    [{ type: "array", items: { type: "string" } }, { a: 1 }, 'parameter "p": expected array, got object'],
    [{ type: "array", items: { type: "string" } }, "[not json", 'parameter "p": expected array, got string'],
    [{ type: "object", properties: {} }, "text", 'parameter "p": expected object, got string'],
    [{ type: "object", properties: {} }, [], 'parameter "p": expected object, got array'],
  ] as const)("the wrong type: %j given %j", (property, value, problem) => {
    expect(problemWith(property, value)).toBe(problem);
  });

  test.each([
    [{ type: "string", minLength: 1 }, "", 'parameter "p": must not be empty'],
    [{ type: "string", enum: ["a", "b"] }, "c", 'parameter "p": "c" is not one of a, b'],
    [{ type: "integer", minimum: 1 }, 0, 'parameter "p": must be at least 1'],
    [{ type: "integer", maximum: 5 }, 6, 'parameter "p": must be at most 5'],
    [{ type: "array", items: { type: "string" }, minItems: 1 }, [], 'parameter "p": needs at least 1 item(s)'],
    [
      { type: "array", items: { type: "string" }, maxItems: 1 },
      ["a", "b"],
      'parameter "p": takes at most 1 items, got 2',
    ],
  ] as const)("a value out of bounds: %j given %j", (property, value, problem) => {
    expect(problemWith(property, value)).toBe(problem);
  });

  test.each([["text"], [7], [[1]], ["[1]"]])("arguments that are no object: %j", (input) => {
    const got = Array.isArray(input) ? "array" : typeof input;
    expect(problemsOf(schemaOf({ path: { type: "string" } }), input)).toEqual([
      `arguments: expected object, got ${got}`,
      "Valid parameters: path",
    ]);
  });

  test("several things at once, all of them named, the valid parameters sorted and last", () => {
    const schema = schemaOf({ path: { type: "string" }, depth: { type: "integer" }, count: { type: "boolean" } }, [
      "path",
    ]);
    expect(problemsOf(schema, { depth: "deep", count: 3, other: 1 })).toEqual([
      'parameter "depth": expected integer, got string',
      'parameter "count": expected boolean, got number',
      'unknown parameter "other"',
      'missing required parameter "path"',
      "Valid parameters: count, depth, path",
    ]);
  });

  test("any argument of a tool that takes none", () => {
    expect(problemsOf(schemaOf({}), { a: 1 })).toEqual(['unknown parameter "a"', "Valid parameters: none"]);
  });
});

describe("what is inside lists and objects", () => {
  const calls = schemaOf({
    calls: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string", minLength: 1 }, tags: { type: "array", items: { type: "integer" } } },
        required: ["name"],
      },
    },
  });

  test("is checked, and named by where it is", () => {
    const input = { calls: [{ name: "a" }, { tags: [1, "x"] }, { name: "", color: "red" }, 5] };
    expect(problemsOf(calls, input)).toEqual([
      'parameter "calls[1].tags[1]": expected integer, got string',
      'missing required parameter "calls[1].name"',
      'parameter "calls[2].name": must not be empty',
      'unknown parameter "calls[2].color"',
      'parameter "calls[3]": expected object, got number',
      "Valid parameters: calls",
    ]);
  });

  test("is read with the same leniency", () => {
    expect(inputOf(calls, { calls: '[{"name":"a","tags":["1",2]}]' })).toEqual({
      calls: [{ name: "a", tags: [1, 2] }],
    });
  });
});

describe("what is read as it was meant", () => {
  test.each([
    [{ type: "integer" }, "3", 3],
    [{ type: "integer" }, "-2", -2],
    [{ type: "integer" }, 4.0, 4],
    [{ type: "number" }, "1.5", 1.5],
    [{ type: "boolean" }, "true", true],
    [{ type: "boolean" }, "false", false],
    [{ type: "array", items: { type: "string" } }, ' ["a"]', ["a"]],
    [{ type: "object", properties: { x: { type: "integer" } } }, '{"x":1}', { x: 1 }],
  ] as const)("%j given %j", (property, value, meant) => {
    expect(inputOf(schemaOf({ p: property }), { p: value })).toEqual({ p: meant });
  });

  test("text stays text, even when it looks like something else", () => {
    const schema = schemaOf({ p: { type: "string" } });
    expect(inputOf(schema, { p: "[1, 2]" })).toEqual({ p: "[1, 2]" });
    expect(inputOf(schema, { p: "true" })).toEqual({ p: "true" });
  });

  test("null for an optional parameter means that it is left out", () => {
    expect(inputOf(schemaOf({ p: { type: "integer" } }), { p: null })).toEqual({});
  });

  test("no arguments at all are an empty object", () => {
    expect(inputOf(schemaOf({}), undefined)).toEqual({});
    expect(inputOf(schemaOf({}), null)).toEqual({});
  });

  test("all arguments as one JSON text are that object", () => {
    expect(inputOf(schemaOf({ p: { type: "integer" } }), '{"p": 1}')).toEqual({ p: 1 });
  });
});

describe("names every object has", () => {
  const open: ObjectSchema = { type: "object", properties: {}, additionalProperties: true };

  test.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
    "%s is an unknown parameter like any other",
    (name) => {
      const input: unknown = JSON.parse(`{"${name}": "x"}`);
      expect(problemsOf(schemaOf({ path: { type: "string" } }), input)).toEqual([
        `unknown parameter "${name}"`,
        "Valid parameters: path",
      ]);
    },
  );

  test("a required parameter called constructor is missed when it is missing", () => {
    const properties = Object.fromEntries([["constructor", { type: "string" } as const]]);
    expect(problemsOf(schemaOf(properties, ["constructor"]), {})).toEqual([
      'missing required parameter "constructor"',
      "Valid parameters: constructor",
    ]);
  });

  test("__proto__ in free arguments stays a plain key and changes nothing else", () => {
    const checked = inputOf(open, JSON.parse('{"__proto__": {"path": "/etc"}, "a": 1}'));
    expect(JSON.stringify(checked)).toBe('{"__proto__":{"path":"/etc"},"a":1}');
    expect(checked["path"]).toBeUndefined();
    expect(Object.getPrototypeOf(checked)).toBe(Object.prototype);
  });

  test("free arguments are kept as they are", () => {
    expect(inputOf(open, { a: [1, { b: null }], c: null })).toEqual({ a: [1, { b: null }], c: null });
  });
});
