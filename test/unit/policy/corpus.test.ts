// biome-ignore-all lint/suspicious/noTemplateCurlyInString: paths with variables as a model writes them
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge } from "../../../src/policy/judge.ts";
import type { Grants, JudgedCall, Policy, Rule } from "../../../src/policy/policy.ts";
import { HARMLESS, HOSTILE, INNOCENT, SPELLINGS, TAILS } from "./command-corpus.ts";

const saved: readonly Rule[] = [
  ...["git commit*", "git status*", "git diff*", "git log*", "npm test*", "npm run*", "ls*", "cat*", "echo*", "grep*"],
  ...[
    "find*",
    "python tools/build.py*",
    "npx eslint*",
    "make build*",
    "go test*",
    "cargo build*",
    "rg*",
    "node scripts/x.js*",
  ],
].map((text) => ({ pattern: `Bash:${text}`, from: "project" as const }));
const policy: Policy = {
  auto: [],
  confirm: ["Bash", "Write", "Patch", "Mkdir", "Read"].map((pattern) => ({ pattern, from: "features" })),
  deny: [],
};
const grants: Grants = {
  session: new Set(["Bash:git push*", "Bash:tsc*"]),
  saved: [
    ...saved,
    { pattern: "Write:/w/src/*", from: "project" },
    { pattern: "Patch:/w/src/*", from: "project" },
    { pattern: "Read:/w/*", from: "project" },
  ],
};
const place = { cwd: "/w", home: "/home/u" };
const bash = (command: string): JudgedCall => ({ tool: "Bash", input: { command }, ...place });
const verdictOf = (call: JudgedCall) => judge(call, policy, grants).kind;

const HEADS = ["git commit -m x", "npm test", "ls -la", "echo hi", "git push"] as const;

const OPENINGS = [...";&|\n><()`\r\0", "&&", "||", "$(", "$x", "<(", "${"];

test("no hostile tail is let through by an approval of its head", () => {
  const commands = HEADS.flatMap((head) => TAILS.map((tail) => head + tail));
  expect(commands.filter((command) => verdictOf(bash(command)) === "auto")).toEqual([]);
  expect(HEADS.length * TAILS.length).toBeGreaterThan(300);
});

test("no hostile neighbour is let through by an approval", () => {
  expect(HOSTILE.filter((command) => verdictOf(bash(command)) === "auto")).toEqual([]);
  expect(HOSTILE.length).toBeGreaterThan(90);
});

test("each head alone is let through, so the tails are what stops them", () => {
  expect(HEADS.map((head) => verdictOf(bash(head)))).toEqual(HEADS.map(() => "auto"));
});

test("harmless calls covered by an approval run unasked", () => {
  expect(HARMLESS.filter((command) => verdictOf(bash(command)) !== "auto")).toEqual([]);
  expect(HARMLESS.length).toBeGreaterThan(60);
});

test("nothing that begins with an operator, a line break or a substitution may follow an approved command", () => {
  const heads = fc.constantFrom(...HEADS, "git status --short", "npm run build", "grep -E 'a|b' file");
  const openings = fc.constantFrom(...OPENINGS);
  const gap = fc.constantFrom("", " ", "\t", "  ");
  const rest = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom("'", '"', " ", "\\", "$", "(", ")", "#", "\n", "a", ";") }),
  );
  fc.assert(
    fc.property(heads, gap, openings, rest, (head, between, opening, tail) => {
      expect(verdictOf(bash(head + between + opening + tail))).toBe("confirm");
    }),
    { numRuns: 500 },
  );
});

describe("path rules", () => {
  const write = (path: string, resolved?: string): JudgedCall => ({
    tool: "Write",
    input: { path, content: "" },
    ...(resolved !== undefined && { writes: [resolved] }),
    ...place,
  });
  const patch = (...writes: string[]): JudgedCall => ({ tool: "Patch", input: { patch: "…" }, writes, ...place });

  test("nothing outside an approved folder is covered, however it is spelled", () => {
    const hostile: JudgedCall[] = [
      ...[
        "/w/src/../../etc/passwd",
        "/w/src/../x",
        "/w/srcx/a",
        "/w/src",
        "/W/src/a",
        "/w/SRC/a",
        "../etc/x",
        "src/../../x",
      ].map((path) => write(path)),
      ...[
        "~/x",
        "~/../w2/src/a",
        "/etc/passwd",
        "/x/w/src/a",
        " /etc/w/src/a",
        "/w//../etc/src/a",
        "$HOME/x",
        "/w/src/$X/a",
        "${X}",
        "",
      ].map((path) => write(path)),
      write("/w/src/link/passwd", "/etc/passwd"),
      write("src/link", "/home/u/.ssh/id"),
      write("/w/src/a", "/w/srcx/a"),
      patch("/w/src/a", "/etc/passwd"),
      patch("/etc/passwd", "/w/src/a"),
      patch("/w/src/a", "/w/b"),
      patch(),
      { ...patch("/w/src/a"), tool: "Mkdir" },
      { tool: "Write", input: null, ...place },
      { tool: "Write", input: { path: 7 }, ...place },
    ];
    expect(hostile.filter((call) => verdictOf(call) === "auto")).toEqual([]);
  });

  test("what is inside is covered", () => {
    const inside: JudgedCall[] = [
      ...["/w/src/a.ts", "src/a.ts", "./src/deep/er/a.ts", "/w/./src/a", "/w/lib/../src/a", " src/a.ts "].map((path) =>
        write(path),
      ),
      write("/w/here/a", "/w/src/a"),
      write("src/routes/$id.tsx", "/w/src/routes/$id.tsx"),
      patch("/w/src/a"),
      patch("/w/src/a", "/w/src/b/c"),
      { tool: "Read", input: { path: "README.md" }, reads: ["/w/README.md"], ...place },
    ];
    expect(inside.filter((call) => verdictOf(call) !== "auto")).toEqual([]);
  });
});

describe("a denied command", () => {
  const denying: Policy = {
    auto: [{ pattern: "Bash", from: "agent" }],
    confirm: [],
    deny: [
      { pattern: "Bash:rm*", from: "agent" },
      { pattern: "Bash:git push*", from: "agent" },
    ],
  };
  const kindOf = (command: string) => judge(bash(command), denying, { session: new Set(), saved: [] }).kind;

  test("is denied in every spelling", () => {
    expect(SPELLINGS.filter((command) => kindOf(command) !== "deny")).toEqual([]);
    expect(SPELLINGS.length).toBeGreaterThan(130);
  });

  test("is not seen where it is only spoken of", () => {
    expect(INNOCENT.filter((command) => kindOf(command) === "deny")).toEqual([]);
  });
});
