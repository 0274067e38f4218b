import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../../../../src/policy/judge.ts";
import type { Policy, Rule } from "../../../../src/policy/policy.ts";
import { makeWorkspace, readCorpus, type Workspace } from "../shell-corpus.ts";

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace.remove());

const rules = (...patterns: readonly string[]): readonly Rule[] =>
  patterns.map((pattern) => ({ pattern, from: "features" }));
const policy: Policy = { auto: [], confirm: rules("Bash"), deny: rules("Bash:git push*", "Write:/etc/*") };
const grants = { session: new Set<string>(), saved: rules("Bash:npm test*", "Bash:git commit*") };
const STRICTNESS = { auto: 0, confirm: 1, deny: 2 } as const;
const strictnessOf = async (command: string) => STRICTNESS[judge(await workspace.bash(command), policy, grants).kind];

const simple = readCorpus("harmless").filter(
  (command) => /^[\w ./-]+$/.test(command) && !/^(?:cd|for|set|if|time) /.test(command),
);
const others = [
  "rm x",
  "git push",
  "touch x",
  "npm test",
  "git commit -m x",
  "echo x > /etc/hosts",
  "npm publish",
  "curl x",
];
const part = fc.constantFrom(...simple, ...others);

test("a part more never makes a verdict milder", async () => {
  const joint = fc.constantFrom("; ", " && ", " || ", " | ", "\n", " & ");
  await fc.assert(
    fc.asyncProperty(part, joint, part, async (left, between, right) => {
      const whole = await strictnessOf(left + between + right);
      expect(whole).toBeGreaterThanOrEqual(Math.max(await strictnessOf(left), await strictnessOf(right)));
    }),
    { numRuns: 300 },
  );
});

test("a verdict is as strict inside a structure as outside", async () => {
  const wrap = fc.constantFrom<(text: string) => string>(
    (text) => `(${text})`,
    (text) => `{ ${text}; }`,
    (text) => `if true; then ${text}; fi`,
    (text) => `for i in 1; do ${text}; done`,
    (text) => `while false; do ${text}; done`,
    (text) => `f() { ${text}; }; f`,
    (text) => `case a in a) ${text};; esac`,
    (text) => `echo "$(${text})"`,
    (text) => `cat <(${text})`,
    (text) => `bash -c '${text}'`,
    (text) => `eval '${text}'`,
    (text) => `timeout 5 bash -c '${text}'`,
    (text) => `x=$(${text})`,
    (text) => `cat <<E\n$(${text})\nE`,
    (text) => `[ -n "$(${text})" ]`,
    (text) => `! ${text}`,
  );
  await fc.assert(
    fc.asyncProperty(part, wrap, async (text, around) => {
      expect(await strictnessOf(around(text))).toBeGreaterThanOrEqual(await strictnessOf(text));
    }),
    { numRuns: 300 },
  );
});

test("quotes that change nothing change no verdict", async () => {
  const quote = fc.constantFrom<(word: string) => string>(
    (word) => `'${word}'`,
    (word) => `"${word}"`,
    (word) => `\\${word}`,
    (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
    (word) => `${word.slice(0, 1)}"${word.slice(1)}"`,
    (word) => `$'${word}'`,
  );
  const plain = fc.constantFrom(...[...simple, ...others].filter((command) => /^[\w ./-]+$/.test(command)));
  await fc.assert(
    fc.asyncProperty(plain, fc.nat(), quote, async (command, at, spell) => {
      const words = command.split(" ").filter(Boolean);
      // A dash keeps its place: the shells' `\-` is a dash as well, but not what people write.
      const chosen = at % words.length;
      const spelled = words.map((word, index) => (index === chosen ? spell(word) : word)).join(" ");
      expect({ spelled, strictness: await strictnessOf(spelled) }).toEqual({
        spelled,
        strictness: await strictnessOf(command),
      });
    }),
    { numRuns: 500 },
  );
});

test("reading never throws, whatever the text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (text) => {
      const call = await workspace.bash(text);
      expect(["read", "unreadable"]).toContain(call.shell?.reading.kind);
    }),
    { numRuns: 500 },
  );
});
