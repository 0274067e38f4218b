import { expect, test } from "vitest";
import { judge } from "../../../src/policy/judge.ts";
import { describePolicy, gatherPolicy, SHIPPED_TIER } from "../../../src/policy/rules.ts";

const none = { session: new Set<string>(), saved: [] };

test("tiers add up, sorted, each rule once and from where it was first written", () => {
  expect(
    gatherPolicy([
      { from: "features", confirm: [{ value: "b", file: "f.yaml", line: 3 }, { value: "a" }], deny: [{ value: "x" }] },
      { from: "agent", confirm: [{ value: "B" }, { value: "b", file: "a.md", line: 1 }] },
      { from: "mode", auto: [{ value: "m" }] },
    ]),
  ).toEqual({
    auto: [{ pattern: "m", from: "mode" }],
    confirm: [
      { pattern: "B", from: "agent" },
      { pattern: "a", from: "features" },
      { pattern: "b", from: "features", file: "f.yaml", line: 3 },
    ],
    deny: [{ pattern: "x", from: "features" }],
  });
});

test("the shipped policy asks before what changes things and lets reads through", () => {
  const policy = gatherPolicy([SHIPPED_TIER]);
  const kindOf = (tool: string) => judge({ tool, input: {}, cwd: "/w", home: "/h" }, policy, none).kind;
  expect(["Bash", "Write", "Patch", "Mkdir", "Read", "Rg", "Glob", "Ls"].map(kindOf)).toEqual([
    ...["confirm", "confirm", "confirm", "confirm"],
    ...["auto", "auto", "auto", "auto"],
  ]);
});

test("/policy shows every section with places and the precedence", () => {
  const policy = gatherPolicy([
    { from: "agent", auto: [{ value: "Bash:ls*" }], confirm: [{ value: "Bash", file: "/h/a.md", line: 4 }] },
  ]);
  const saved = [
    { pattern: "Bash:git log*", from: "project" as const, file: "/p/approvals.yaml", line: 2 },
    { pattern: "Rg", from: "global" as const },
  ];
  expect(describePolicy(policy, { session: new Set(["Ls"]), saved }, { agent: "main", mode: "plan" })).toBe(
    `Tool Policy (agent: main, mode: plan):

auto:
  Bash:ls*  agent

confirm:
  Bash  agent, /h/a.md:4

approval rules (project):
  Bash:git log*  project, /p/approvals.yaml:2

approval rules (global):
  Rg  global

approved for this session:
  Ls  session

Precedence: deny always wins; confirm asks unless auto or an approval covers the call; everything else runs.`,
  );
});

test("/policy says when there is nothing", () => {
  expect(describePolicy(gatherPolicy([]), none, { agent: "main" })).toBe(
    "No tool policy configured (all tool calls auto-approved).",
  );
});
