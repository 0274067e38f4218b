import { expect, test } from "vitest";
import type { RequestOf } from "../../../../src/protocol/request.ts";
import { explainApproval } from "../../../../ui/view/approval-words.ts";
import { patternText } from "../../../../ui/view/offer-words.ts";
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
    's: allow Bash:git push* until this session ends. It covers: any command whose words begin with "git push", whatever follows; of several joined by ; && | and the like each one must be allowed.',
    "p: always allow Bash:git push* in this project. It covers the same.",
    "g: always allow Bash:git push* everywhere. It covers the same.",
    "d: deny this call; the model is told and goes on without it",
    "e: deny it and tell the model what to do instead",
  ]);
});

test("of several patterns each is told with all that it would let through, and the chosen one with its answers", () => {
  const patterns = [
    { pattern: "Bash:git push -v", sessionOnly: true as const, allows: [] },
    { pattern: "Bash:git push*", allows: ["git push", "git push --force\nx"] },
  ];
  const explained = ["git push -v", "  - changes what another machine has"];
  const because = { rule: "what it runs cannot be told beforehand: x", from: "built-in" as const };
  expect(told({ patterns, explained, because })).toEqual([
    "why: what it runs cannot be told beforehand: x (built-in): a rule of Aura itself asks before Bash may do this",
    "read as: git push -v",
    ":   - changes what another machine has",
    "a: allow this call; nothing is remembered",
    "1: Bash:git push -v (chosen): this very command and no other",
    '2: Bash:git push*: any command whose words begin with "git push", whatever follows; of several joined by ; && | and the like each one must be allowed. It also allows git push, git push --force␊x',
    "s: allow Bash:git push -v until this session ends",
    "note: kept for this session only: a rule for one exact command is not saved, but a broader one may be",
    "d: deny this call; the model is told and goes on without it",
    "e: deny it and tell the model what to do instead",
  ]);
  const chosen = explainApproval({ ...request, patterns }, 1).map(({ topic, text }) => `${topic}: ${text}`);
  expect(chosen.slice(4, 7)).toEqual([
    "s: allow Bash:git push* until this session ends",
    "p: always allow Bash:git push* in this project",
    "g: always allow Bash:git push* everywhere",
  ]);
});

test("without a pattern, or with one for the session only, the answers that are none are left out and it is said why", () => {
  const { pattern: _pattern, ...bare } = request;
  const topics = (changes: Partial<typeof request>) =>
    explainApproval({ ...bare, ...changes }).map(({ topic }) => topic);
  expect(topics({ noPattern: "two commands" })).toEqual(["why", "a", "note", "d", "e"]);
  expect(topics({ pattern: "Bash:a; b", sessionOnly: true, noPattern: "two commands" })).toEqual([
    "why",
    "a",
    "s",
    "note",
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
    coverage("Write:/a/**", "session"),
    coverage("Write:/a/b.ts", "session"),
  ]).toEqual([
    "every call of mcp__x__y, whatever it works on",
    "this very command and no other",
    "this very command and no other",
    "Write on any file directly in /a/b, not in folders below it",
    "Write on any file in /a/b and in all folders below it",
    "Write on any file directly in /, not in folders below it",
    "Write on any file in /a and in all folders below it",
    "Write on /a/b.ts and nothing else",
  ]);
});

test("a pattern is shown on one line with every control character in it", () => {
  expect(patternText("Bash:a\nb\tc\x1b[2J")).toBe("Bash:a␊b␉c␛[2J");
});

test("the tools are a table with a reason for each that is out; other data is none", () => {
  const data = [
    { name: "Bash", source: "built-in", visibility: "eager", decisions: [{ stage: "visibility", words: "eager" }] },
    {
      name: "mcp__files__list",
      source: "mcp",
      visibility: "excluded",
      decisions: [
        { stage: "agent", outcome: "passed", words: "agent:a restricts nothing here" },
        {
          stage: "mode",
          outcome: "excluded",
          words: "disabled by mode:m",
          entry: "mcp__*",
          file: "/home/x/.aura/config/modes/m.md",
          line: 3,
        },
      ],
    },
    {
      name: "Rg",
      source: "built-in",
      visibility: "deferred",
      decisions: [
        { stage: "condition", outcome: "undecided", words: "condition: auto" },
        { stage: "visibility", outcome: "passed", words: "deferred by features", entry: "R*" },
      ],
    },
  ];
  expect(toolsTable(data)?.split("\n")).toEqual([
    "TOOL              FROM      STATE     WHY",
    "Bash              built-in  eager",
    "mcp__files__list  mcp       excluded  disabled by mode:m: mcp__* (modes/m.md:3)",
    "Rg                built-in  deferred  condition: auto; deferred by features: R*",
  ]);
  expect([toolsTable(undefined), toolsTable([]), toolsTable([{ name: "x" }])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
