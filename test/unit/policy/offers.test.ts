import { afterAll, beforeAll, expect, test } from "vitest";
import { offersFor } from "../../../src/policy/offers.ts";
import type { Grants } from "../../../src/policy/policy.ts";
import { isRedundant } from "../../../src/policy/redundant.ts";
import { gatherPolicy, SHIPPED_TIER } from "../../../src/policy/rules.ts";
import { makeWorkspace, type Workspace } from "./shell-corpus.ts";

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace.remove());

const policy = gatherPolicy([SHIPPED_TIER]);
const none: Grants = { session: new Set(), saved: [] };

async function offersOf(command: string, others: readonly string[] = [], grants = none) {
  const calls = await Promise.all(others.map((other) => workspace.bash(other)));
  return offersFor(await workspace.bash(command), policy, grants, calls);
}

test("three patterns at most, the narrowest first, each with what else it would let through", async () => {
  const others = [
    "npm run build",
    "npm run build --watch",
    "npm run deploy",
    "npm publish",
    "ls",
    "npm run build; rm x",
  ];
  expect(await offersOf("npm run build -v", others)).toEqual([
    { pattern: "Bash:npm run build -v", sessionOnly: true, allows: [] },
    { pattern: "Bash:npm run build*", allows: ["npm run build", "npm run build --watch"] },
    { pattern: "Bash:npm run*", allows: ["npm run build", "npm run build --watch", "npm run deploy"] },
  ]);
});

test("of several parts the one that is left over is offered", async () => {
  expect((await offersOf("cd src && npm test 2>&1 | tail -5")).map(({ pattern }) => pattern)).toEqual([
    "Bash:cd src && npm test 2>&1 | tail -5",
    "Bash:npm test*",
  ]);
  const saved = [{ pattern: "Bash:git add*", from: "project" as const }];
  expect(
    (await offersOf("git add . && git commit -m x", [], { session: new Set(), saved })).map(({ pattern }) => pattern),
  ).toEqual(["Bash:git add . && git commit -m x", "Bash:git commit*"]);
});

test("only this very text is offered where no prefix would let it through", async () => {
  for (const command of ["npm test && rm x", "npm test $x", "sudo ls", "x=1 npm test", "npm test > out.txt", "a(("])
    expect((await offersOf(command)).map(({ pattern }) => pattern)).toEqual([`Bash:${command}`]);
});

test("nothing is offered for what is asked about every time", async () => {
  expect((await offersOf("touch .git/x")).filter(({ sessionOnly }) => !sessionOnly)).toEqual([]);
});

test("a path is offered by itself, with its folder and with the workspace", () => {
  const { cwd, home } = workspace;
  const write = (path: string) => ({ tool: "Write", input: { path }, writes: [`${cwd}/${path}`], cwd, home });
  expect(offersFor(write("src/lib/a.ts"), policy, none, [write("src/lib/b.ts"), write("README.md")])).toEqual([
    { pattern: `Write:${cwd}/src/lib/a.ts`, allows: [] },
    { pattern: `Write:${cwd}/src/lib/*`, allows: [`Write ${cwd}/src/lib/b.ts`] },
    { pattern: `Write:${cwd}/**`, allows: [`Write ${cwd}/src/lib/b.ts`, `Write ${cwd}/README.md`] },
  ]);
});

test("a rule is superfluous beside one that lets through all it does", () => {
  const cases: readonly [string, string, boolean][] = [
    ["Bash:npm run build*", "Bash:npm run*", true],
    ["Bash:npm run*", "Bash:npm run build*", false],
    ["Bash:npm running*", "Bash:npm run*", false],
    ["Bash:npm run*", "Bash:npm run*", false],
    ["Bash:git push*", "Bash", true],
    ["Bash:npx eslint*", "Bash:npx*", false],
    ["Bash:git -c x*", "Bash:git*", false],
    ["Write:/w/src/*", "Write:/w/*", true],
    ["Write:/w/a", "Write:/w/*", true],
    ["Write:/w/src/*", "Write:/w/**", true],
    ["Write:/wx/*", "Write:/w/*", false],
    ["Write:/w/*", "Read:/w/*", false],
  ];
  expect(cases.map(([pattern, beside]) => [pattern, beside, isRedundant(pattern, beside)])).toEqual(cases);
});
