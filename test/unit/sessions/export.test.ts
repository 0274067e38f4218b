import { expect, test } from "vitest";
import { type ExportedSession, exportFormat, exportSession, isExportFormat } from "../../../src/sessions/export.ts";
import { prompt, reply, result } from "../../helpers/messages.ts";

const session: ExportedSession = {
  id: "s1",
  title: "Work",
  cwd: "/project",
  created: "2026-01-02T03:04:05.000Z",
  messages: [
    prompt("u1", "read it"),
    reply("a1", "I will.", ["c1"]),
    result("r1", "c1", "```js\ncode\n```\n"),
    prompt("b1", "Context compacted", "bookmark"),
    reply("a2", "It sa", [], { interrupted: true }),
  ],
  calls: [],
};

test("As text: who said what, calls on a line, results as they are", () => {
  expect(exportSession(session, "text")).toBe(
    [
      "Work",
      "You:\nread it",
      'Aura:\nI will.\n[Read] {"path":"c1.txt"}',
      "Result:\n```js\ncode\n```",
      "--- Context compacted ---",
      "Aura (interrupted):\nIt sa\n",
    ].join("\n\n"),
  );
});

test("As Markdown: results in a fence that their own fences cannot end", () => {
  expect(exportSession(session, "markdown")).toBe(
    [
      "# Work",
      "/project, 2026-01-02T03:04:05.000Z",
      "## You\n\nread it",
      '## Aura\n\nI will.\n\n**Read**\n\n```json\n{"path":"c1.txt"}\n```',
      "````\n```js\ncode\n```\n````",
      "---\n\n*Context compacted*",
      "## Aura (interrupted)\n\nIt sa\n",
    ].join("\n\n"),
  );
});

test("As JSON the whole session; as JSON lines a head and one message each", () => {
  expect(JSON.parse(exportSession(session, "json"))).toEqual(session);
  const { messages, calls: _, ...head } = session;
  const lines = exportSession(session, "jsonl").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([head, ...messages]);
});

test("The format comes from its keyword, else from the extension, else it is text", () => {
  expect(exportFormat("md")).toBe("markdown");
  expect(exportFormat("JSON", "x.md")).toBe("json");
  expect(exportFormat(undefined, "out/x.jsonl")).toBe("jsonl");
  expect(exportFormat("notes.markdown")).toBe("markdown");
  expect(exportFormat(undefined)).toBe("text");
  expect(exportFormat("constructor", "x.toString")).toBe("text");
  expect([isExportFormat("md"), isExportFormat("notes.md")]).toEqual([true, false]);
});
