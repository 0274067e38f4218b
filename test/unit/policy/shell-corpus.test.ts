import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../../../src/policy/judge.ts";
import type { Grants, Policy, Rule } from "../../../src/policy/policy.ts";
import { gatherPolicy, SHIPPED_TIER } from "../../../src/policy/rules.ts";
import { HARMLESS, HOSTILE, INNOCENT, SPELLINGS, TAILS } from "./command-corpus.ts";
import { makeWorkspace, readCorpus, type Workspace } from "./shell-corpus.ts";

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace.remove());

const shipped = gatherPolicy([SHIPPED_TIER]);
const none: Grants = { session: new Set(), saved: [] };
const verdictOf = async (command: string, policy: Policy, grants = none) =>
  judge(await workspace.bash(command), policy, grants).kind;

async function those(commands: readonly string[], kind: string, policy: Policy, grants = none) {
  const kinds = await Promise.all(commands.map((command) => verdictOf(command, policy, grants)));
  return commands.filter((_, at) => kinds[at] === kind);
}

test("no hostile command runs unasked", async () => {
  const hostile = readCorpus("hostile");
  expect(await those(hostile, "auto", shipped)).toEqual([]);
  expect(new Set(hostile).size).toBeGreaterThan(1000);
});

test("at least 95 of 100 harmless commands run unasked", async () => {
  const harmless = readCorpus("harmless");
  const asked = await those(harmless, "confirm", shipped);
  expect(new Set(harmless).size).toBeGreaterThan(600);
  // What is asked about is named here, so that a loss shows before the bound is reached.
  expect(asked).toEqual(["less -F README.md | head -1 || true", "find src -name '*.ts' -exec wc -l {} +"]);
});

const saved: readonly Rule[] = [
  ...["git commit*", "git push*", "npm test*", "npm run*", "python tools/build.py*", "npx eslint*", "make build*"],
  ...["go test*", "cargo build*", "node scripts/x.js*", "tsc*"],
].map((text) => ({ pattern: `Bash:${text}`, from: "project" as const }));
const granted: Grants = { session: new Set(), saved };

test("an approval of a command covers it wherever it stands, and nothing beside it", async () => {
  expect(await verdictOf("cd src && npm test", shipped, granted)).toBe("auto");
  expect(await verdictOf("npm test && git commit -m x", shipped, granted)).toBe("auto");
  expect(await verdictOf("npm test 2>&1 | tail -20", shipped, granted)).toBe("auto");
  expect(await verdictOf("timeout 60 npm test", shipped, granted)).toBe("auto");
  expect(await verdictOf("npm test > out.txt", shipped, granted)).toBe("confirm");
  expect(await verdictOf("npm test; npm publish", shipped, granted)).toBe("confirm");
  expect(await verdictOf("cd /tmp && npm test", shipped, granted)).toBe("confirm");
  expect(await verdictOf("FOO=1 npm test", shipped, granted)).toBe("confirm");
  expect(await verdictOf("npm test $x", shipped, granted)).toBe("confirm");
});

test("no hostile tail is let through by an approval of its head", async () => {
  const commands = ["git commit -m x", "npm test", "ls -la", "git push"].flatMap((head) =>
    TAILS.map((tail) => head + tail),
  );
  // These tails are nothing (a comment, an end of line), one more plain word, or files of this folder.
  const nothing = [
    "\n",
    " #",
    " *",
    " [a-z]",
    " ?",
    " {1..9}",
    " {a,b}",
    " }",
    " \\",
    " a\\",
    " src/*.ts",
    " '\u0007'",
  ];
  nothing.push(
    " $HOME",
    ' "$HOME"',
    " $'\\x3b'",
    " ~",
    " ~/x",
    " --file=~/x",
    " !!",
    " !rm",
    " \\; rm x",
    ' "\\$(rm)"',
  );
  nothing.push(" 'a' ; rm"); // which has nothing to remove
  const heads = (list: readonly string[]) => list.filter((each) => !nothing.some((tail) => each.endsWith(tail)));
  expect(heads(await those(commands, "auto", shipped, granted))).toEqual([]);
});

test("of the neighbours of an approved command only those run that are it, or only read", async () => {
  const quoted = /^(?:"git" commit|'git' commit|g'i't|git 'commit'|git com|g\\it)/;
  const through = await those(HOSTILE, "auto", shipped, granted);
  expect(through.filter((command) => !quoted.test(command))).toEqual([
    ...["git", "npm", "env git commit", "command git commit", "nohup npm test", "time npm test", "timeout 5 npm test"],
    ...["eval ls", "! ls", "builtin echo x", "nice ls", "bash -c 'ls'", "sh -c ls", "[ -f x ]", "[[ -f x ]]"],
    ...["(ls)", "{ ls; }", "busybox ls"],
  ]);
});

test("harmless calls covered by an approval run unasked", async () => {
  expect(await those(HARMLESS, "confirm", shipped, { session: new Set(), saved: [...saved, ...ALSO] })).toEqual([]);
});
const ALSO: readonly Rule[] = ["git*", "ls*", "cat*", "grep*"].map((text) => ({
  pattern: `Bash:${text}`,
  from: "project",
}));

test("a denied command is denied in every spelling, and not where it is only spoken of", async () => {
  const deny = ["Bash:rm*", "Bash:git push*"].map((pattern): Rule => ({ pattern, from: "agent" }));
  const denying: Policy = { auto: [{ pattern: "Bash", from: "agent" }], confirm: [], deny };
  expect(await those(SPELLINGS, "auto", denying)).toEqual([]);
  expect(await those(INNOCENT, "deny", denying)).toEqual([]);
});
