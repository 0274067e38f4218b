import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswer } from "../../../src/mcp/call-output.ts";

test("text parts are joined by newlines, and an error is a failed call", () => {
  const content = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ];
  expect(readAnswer({ content, isError: true })).toEqual({ failed: true, output: { text: "a\nb" } });
});

test("structured content that a text part repeats is not told twice", () => {
  const structuredContent = { a: [1, { b: 2 }] };
  const content = [{ type: "text", text: '{ "a": [1, {"b": 2}] }' }];
  expect(readAnswer({ content, structuredContent }).output.text).toBe('{ "a": [1, {"b": 2}] }');
  expect(readAnswer({ content: [{ type: "text", text: "Found it." }], structuredContent }).output.text).toBe(
    'Found it.\n{"a":[1,{"b":2}]}',
  );
});

test("resources and links are told by their addresses; what cannot be shown is named", () => {
  const content = [
    { type: "resource", resource: { uri: "x://1", text: "hello" } },
    { type: "resource", resource: { uri: "x://2", mimeType: "image/png", blob: "AAAA" } },
    { type: "resource", resource: { uri: "x://3", mimeType: "application/zip", blob: "AAAA" } },
    { type: "resource_link", uri: "x://4", name: "four", description: "the fourth" },
    { type: "audio", mimeType: "audio/wav", data: "AAAA" },
    { type: "image", mimeType: "image/svg+xml", data: "AAAA" },
  ];
  expect(readAnswer({ content }).output).toEqual({
    text: [
      "[resource x://1]\nhello",
      "[resource x://3 (application/zip) left out]",
      "[resource four: x://4 — the fourth]",
      "[audio (audio/wav) left out]",
      "[image (image/svg+xml) left out]",
    ].join("\n"),
    images: [{ type: "image", mediaType: "image/png", data: "AAAA" }],
  });
});

test("a text that is no text is shown as it came", () => {
  const { output } = readAnswer({ content: [{ type: "text", text: { toString: {} } }] });
  expect(output.text).toBe('{"toString":{}}');
});

test("whatever a server answers is read without a throw", () => {
  const part = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom("text", "image", "audio", "resource", "resource_link", "x"),
      text: fc.jsonValue(),
      data: fc.jsonValue(),
      mimeType: fc.jsonValue(),
      resource: fc.jsonValue(),
    }),
  );
  fc.assert(
    fc.property(
      fc.record({ content: fc.oneof(fc.array(part), fc.jsonValue()), structuredContent: fc.jsonValue() }),
      (result) => {
        expect(typeof readAnswer(result).output.text).toBe("string");
      },
    ),
  );
});
