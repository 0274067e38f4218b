import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { missedVariable } from "../../../src/engine/trial-variables.ts";
import type { Effect, Part, ShellReading } from "../../../src/policy/shell/reading.ts";

const MISSING = new Set(["DEPLOY_TOKEN", "npm_config_registry"]);

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "aura-variables-"));
});
afterEach(() => rmSync(workspace, { recursive: true }));

const part = (line: string): Part => {
  const effects: Effect[] = line.startsWith("cp ") ? [{ kind: "write" }] : [{ kind: "execute" }];
  return { text: line, words: line.split(" "), effects, around: [], inner: [] };
};
const reading = (...lines: string[]): ShellReading => ({ kind: "read", parts: lines.map(part) });
const put = (path: string, text: string) => {
  mkdirSync(join(workspace, path, ".."), { recursive: true });
  writeFileSync(join(workspace, path), text);
};
const missed = (script: string, read: ShellReading = reading(script)) =>
  missedVariable({ script, reading: read, missing: MISSING, cwd: workspace });

describe("a variable that a trial does not have is found", () => {
  test.each([
    ["in a command", "echo $DEPLOY_TOKEN > f", "DEPLOY_TOKEN"],
    ["in braces, with a default", `echo "\${DEPLOY_TOKEN:-none}"`, "DEPLOY_TOKEN"],
    ["in a test", '[ -z "$DEPLOY_TOKEN" ] && rm -r old', "DEPLOY_TOKEN"],
    ["in a program's text", `node -e 'f(process.env.DEPLOY_TOKEN)'`, "DEPLOY_TOKEN"],
    ["by a name that is written in small letters", "echo $npm_config_registry", "npm_config_registry"],
  ])("%s", async (_where, script, name) => {
    expect(await missed(script)).toBe(`it uses ${name}, which is not given to a command on trial`);
  });

  test.each([
    ["a script it names", "bash tools/deploy.sh", { "tools/deploy.sh": "echo $DEPLOY_TOKEN > out\n" }],
    [
      "the script a package gives a name",
      "npm run ship",
      { "package.json": '{"scripts":{"ship":"echo $DEPLOY_TOKEN"}}' },
    ],
    [
      "a file such a script names",
      "npm run ship",
      { "package.json": '{"scripts":{"ship":"node ship.js"}}', "ship.js": "process.env.DEPLOY_TOKEN" },
    ],
    ["the makefile", "make ship", { Makefile: "ship:\n\techo $(DEPLOY_TOKEN) > out\n" }],
  ])("in %s", async (_where, script, files) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    expect(await missed(script)).toBe("it uses DEPLOY_TOKEN, which is not given to a command on trial");
  });
});

test.each([
  "env",
  "printenv",
  "export -p",
  "set",
  "declare -x",
  "envsubst < a > b",
  "awk 'BEGIN { for (n in ENVIRON) print n }'",
  `x=PATH; echo \${!x}`,
])("a command that looks at every variable is not tried: %s", async (script) => {
  expect(await missed(script)).toBe("it looks at variables that are not given to a command on trial");
});

test.each([
  "echo $HOME > f",
  "set -euo pipefail",
  "env A=1 node x.js",
  "export A=1",
  "echo DEPLOY_TOKENS $DEPLOY_TOKEN_2",
  "npm run other",
  "bash missing.sh",
  "cp package.json b",
])("a command that needs none of them is: %s", async (script) => {
  put("package.json", '{"scripts":{"ship":"echo $DEPLOY_TOKEN","other":"true"}}');
  expect(await missed(script)).toBeUndefined();
});

test("where nothing is missing, any command may look at everything", async () => {
  expect(
    await missedVariable({ script: "env", reading: reading("env"), missing: new Set(), cwd: workspace }),
  ).toBeUndefined();
});
