import { expect, test } from "vitest";
import type { RequestOf } from "../../../../src/protocol/request.ts";
import { explainApproval, patternText } from "../../../../ui/view/approval-words.ts";
import { coverage } from "../../../../ui/view/pattern-words.ts";
import { toolsTable } from "../../../../ui/view/tools-table.ts";

const request: RequestOf<"approval"> = {
  id: "r",
  kind: "approval",
  callId: "c",
  tool: "Bash",
  about: "",
  detail: "git push",
  pattern: "Bash:git push*",
  because: { rule: "Bash", from: "project", file: "rules/a.yaml", line: 3 },
};
const told = (changes: Partial<typeof request>) =>
  explainApproval({ ...request, ...changes }).map(({ topic, text }) => `${topic}: ${text}`);

test("an approval is explained by its rule, the file and line of it, and what every answer would cover", () => {
  expect(told({})).toEqual([
    "why: rule Bash (project, rules/a.yaml:3): a rule of this project asks before Bash may do this",
    "a: allow this call; nothing is remembered",
    's: allow Bash:git push* until this session ends. It covers: any single command that begins with "git push", whatever follows; not two commands joined by ; && | and the like.',
    "p: always allow Bash:git push* in this project. It covers the same.",
    "g: always allow Bash:git push* everywhere. It covers the same.",
    "d: deny this call; the model is told and goes on without it",
    "e: deny it and tell the model what to do instead",
  ]);
});

test("without a pattern, or with one for the session only, the answers that are none are left out and it is said why", () => {
  const { pattern: _pattern, ...bare } = request;
  const topics = (changes: Partial<typeof request>) =>
    explainApproval({ ...bare, ...changes }).map(({ topic }) => topic);
  expect(topics({ noPattern: "two commands" })).toEqual(["why", "a", "not", "d", "e"]);
  expect(topics({ pattern: "Bash:a; b", sessionOnly: true, noPattern: "two commands" })).toEqual([
    "why",
    "a",
    "s",
    "not",
    "d",
    "e",
  ]);
});

test("what a pattern covers is told for each of its forms and scopes", () => {
  expect([
    coverage("mcp__x__y", "global"),
    coverage("Bash:cd a; b", "session"),
    coverage("Bash:ls \\*", "session"),
    coverage("Write:/a/b/*", "session"),
    coverage("Write:/a/b/*", "project"),
    coverage("Write:/*", "session"),
  ]).toEqual([
    "every call of mcp__x__y, whatever it works on",
    "this very command and no other",
    "this very command and no other",
    "Write on any file directly in /a/b, not in folders below it",
    "Write on any file in /a/b and in all folders below it",
    "Write on any file directly in /, not in folders below it",
  ]);
});

test("a pattern is shown on one line with every control character in it", () => {
  expect(patternText("Bash:a\nb\tc\x1b[2J")).toBe("Bash:a␊b␉c␛[2J");
});

test("the tools are a table with a reason for each that is out; other data is none", () => {
  const data = [
    { name: "Bash", source: "built-in", inclusion: { included: true } },
    { name: "mcp__files__list", source: "mcp", inclusion: { included: false, reason: "opt-in" } },
  ];
  expect(toolsTable(data)?.split("\n")).toEqual([
    "TOOL              FROM      IN/OUT  WHY",
    "Bash              built-in  in",
    "mcp__files__list  mcp       out     opt-in",
  ]);
  expect([toolsTable(undefined), toolsTable([]), toolsTable([{ name: "x" }])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
