import { describe, expect, test } from "vitest";
import { derive, isSessionOnly } from "../../../src/policy/derive.ts";
import { judge } from "../../../src/policy/judge.ts";
import type { JudgedCall } from "../../../src/policy/policy.ts";

const place = { cwd: "/w", home: "/home/u" };
const bash = (command: unknown, more: object = {}): JudgedCall => ({
  tool: "Bash",
  input: { command, ...more },
  ...place,
});
const path = (tool: string, given: string, more: Partial<JudgedCall> = {}): JudgedCall => ({
  tool,
  input: { path: given },
  ...place,
  ...more,
});

const PLAIN: readonly (readonly [JudgedCall, string])[] = [
  [bash("git commit -m 'x'"), "Bash:git commit*"],
  [bash("  git   push  origin"), "Bash:git push*"],
  [bash("npm install express"), "Bash:npm install*"],
  [bash("yarn test:unit"), "Bash:yarn test:unit*"],
  [bash("rm -rf node_modules"), "Bash:rm*"],
  [bash("git"), "Bash:git*"],
  [bash("git -C x status"), "Bash:git -C*"],
  [bash("/usr/bin/git status"), "Bash:/usr/bin/git status*"],
  [bash("ls 'a b' '*'"), "Bash:ls*"],
  [bash("npx eslint --fix"), "Bash:npx eslint*"],
  [bash("python tools/x.py --fast"), "Bash:python tools/x.py*"],
  [bash("python3.12 -u x.py"), "Bash:python3.12 -u x.py*"],
  [bash("bash build.sh all"), "Bash:bash build.sh*"],
  [path("T", "/tmp/foo.txt"), "T:/tmp/*"],
  [path("T", "/etc/hosts"), "T:/etc/*"],
  [path("T", "file.txt"), "T:/w/*"],
  [path("T", "src/a/b.ts"), "T:/w/src/a/*"],
  [path("T", "../x/y"), "T:/x/*"],
  [path("T", "~/notes/a"), "T:/home/u/notes/*"],
  [path("T", "/tmp/a*b/c"), "T:/tmp/a\\*b/*"],
  [path("Write", "link/a", { writes: ["/real/a"] }), "Write:/real/*"],
  [{ tool: "Patch", input: {}, writes: ["/w/src/a", "/w/src/b"], ...place }, "Patch:/w/src/*"],
  [{ tool: "mcp__s__t", input: { file_path: "/d/e" }, ...place }, "mcp__s__t:/d/*"],
  [{ tool: "TodoList", input: {}, ...place }, "TodoList"],
  [{ tool: "mcp__s__t", input: null, ...place }, "mcp__s__t"],
];

test.each(PLAIN)("%j offers %s", (call, pattern) => {
  expect(derive(call)).toEqual({ pattern });
  expect(isSessionOnly(pattern)).toBe(false);
});

test("every offered pattern, saved, covers the call it came from", () => {
  const asked = { auto: [], confirm: [{ pattern: "*", from: "agent" as const }], deny: [] };
  const uncovered = PLAIN.filter(([call, pattern]) => {
    const saved = [{ pattern, from: "project" as const }];
    return judge(call, asked, { session: new Set(), saved }).kind !== "auto";
  });
  expect(uncovered).toEqual([]);
});

describe("only this very command is offered, for the session, when a prefix would say too much", () => {
  test.each([
    ["git commit && rm -rf x", "Bash:git commit && rm -rf x"],
    ["sudo apt install x", "Bash:sudo apt install x"],
    ["env A=1 npm test", "Bash:env A=1 npm test"],
    ["FOO=1 npm test", "Bash:FOO=1 npm test"],
    ["bash -c 'ls'", "Bash:bash -c 'ls'"],
    ["python -c 'print(1)'", "Bash:python -c 'print(1)'"],
    ["python", "Bash:python"],
    ["node -e 1", "Bash:node -e 1"],
    ["xargs rm", "Bash:xargs rm"],
    ["eval ls", "Bash:eval ls"],
    ["ssh host ls", "Bash:ssh host ls"],
    ["find . -exec rm x +", "Bash:find . -exec rm x +"],
    ["cd web", "Bash:cd web"],
    ["git rebase -ix 'rm y'", "Bash:git rebase -ix 'rm y'"],
    ["docker run alpine ls", "Bash:docker run alpine ls"],
    ["ls *.ts", "Bash:ls \\*.ts"],
    ["git commit*", "Bash:git commit\\*"],
    ["'my tool' x", "Bash:'my tool' x"],
    ["   ", "Bash:"],
  ])("%s", (command, pattern) => {
    expect(derive(bash(command))).toEqual({ pattern, sessionOnly: true, noPattern: expect.stringMatching(/./) });
    expect(isSessionOnly(pattern)).toBe(true);
  });

  test("a Bash call without a command", () => {
    expect(derive(bash(undefined))).toMatchObject({ pattern: "Bash", sessionOnly: true });
    expect(isSessionOnly("Bash")).toBe(true);
  });

  test("a file directly in /", () => {
    expect(derive(path("T", "/file.txt"))).toMatchObject({ pattern: "T:/*", sessionOnly: true });
    expect(isSessionOnly("T:/*")).toBe(true);
  });
});

describe("nothing is offered", () => {
  test.each<[string, JudgedCall, string]>([
    [
      "for files in several folders",
      { tool: "Patch", input: {}, writes: ["/a/b", "/c/d"], ...place },
      "it touches 2 folders",
    ],
    [
      "for a Patch that names no file",
      { tool: "Patch", input: {}, ...place },
      "the files it touches could not be told",
    ],
    ["for a path with an unknown variable", path("T", "$X/a"), "its path cannot be told beforehand"],
    [
      "for a command in another folder",
      bash("npm test", { workdir: "/other" }),
      "it runs in a folder outside this session's",
    ],
  ])("%s", (_name, call, noPattern) => {
    expect(derive(call)).toEqual({ noPattern });
  });
});
