import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../../../../src/policy/judge.ts";
import { gatherPolicy, SHIPPED_TIER } from "../../../../src/policy/rules.ts";
import { effectsOf } from "../../../../src/policy/shell/reading.ts";
import { isInside } from "../../../../src/system/paths.ts";
import { makeWorkspace, readCorpus, type Workspace } from "../shell-corpus.ts";

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
  spawnSync("git", ["init", "-q"], { cwd: workspace.cwd });
});
afterAll(() => workspace.remove());

const policy = gatherPolicy([SHIPPED_TIER]);
const none = { session: new Set<string>(), saved: [] };

/** Runs in real bash, without the network where the system lets us take it away. */
function runInBash(command: string): void {
  const bash = ["bash", "--norc", "--noprofile", "-c", command];
  const [program, ...args] = canUnshare() ? [...WITHOUT_NETWORK, ...bash] : bash;
  const env = { PATH: "/usr/bin:/bin", HOME: workspace.home, TERM: "dumb", GIT_PAGER: "cat", GIT_OPTIONAL_LOCKS: "0" };
  spawnSync(program!, args, { cwd: workspace.cwd, env, stdio: "ignore", timeout: 5000 });
}

const WITHOUT_NETWORK = ["unshare", "-rn"];
let unshares: boolean | undefined;
const canUnshare = (): boolean => {
  unshares ??= spawnSync(WITHOUT_NETWORK[0]!, [...WITHOUT_NETWORK.slice(1), "true"], { stdio: "ignore" }).status === 0;
  return unshares;
};

/** Everything below a folder with what it holds, by path. */
function picture(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const content = stat.isSymbolicLink()
      ? readlinkSync(path)
      : stat.isFile()
        ? createHash("sha1").update(readFileSync(path)).digest("hex")
        : "";
    found.set(path, `${stat.mode} ${content}`);
  }
  return found;
}

const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).sort();

test("what runs unasked changes nothing, in real bash", { timeout: 120_000 }, async () => {
  // These start slowly and are not about the shell.
  const commands = readCorpus("harmless").filter(
    (command) => !/\b(?:npm|pip3?|node|tsc|python3?|ruby|perl)\b/.test(command),
  );
  const before = picture(join(workspace.cwd, ".."));
  let count = 0;
  for (const command of commands) {
    if (judge(await workspace.bash(command), policy, none).kind !== "auto") continue;
    runInBash(command);
    count++;
  }
  expect(changed(before, picture(join(workspace.cwd, "..")))).toEqual([]);
  expect(count).toBeGreaterThan(550);
});

const CHANGING: readonly string[] = [
  "echo x > new.txt",
  "echo x >> README.md",
  "ls > list.txt 2> err.txt",
  "ls &> all.txt",
  "touch a b",
  "touch {c,d}.txt",
  "mkdir -p deep/er",
  "cp README.md copy.md",
  "cp -r src src2",
  "mv copy.md moved.md",
  "ln -s README.md link.md",
  "rm moved.md",
  "rm -r src2",
  "rm *.txt",
  "tee tee.txt < README.md",
  "cd src && touch here",
  "(cd docs; touch there)",
  "cd src; cd ..; touch back",
  "for f in one two; do touch $f.x; done",
  'for f in *.x; do rm "$f"; done',
  "d=made; mkdir $d && touch $d/inside",
  "if true; then touch yes; else touch no; fi",
  "f() { touch by-function; }; f",
  "find src -name here -delete",
  "sed -n p README.md > printed.md",
  "sort -o sorted.md README.md",
  "cat <<EOF > here.md\nhi\nEOF",
  "chmod 600 README.md",
  "truncate -s 0 printed.md",
  "{ echo a; echo b; } > group.txt",
  "bash -c 'touch nested'",
  "ls | xargs -I{} touch one-word",
  "timeout 5 touch in-time",
  "touch links/../physical",
];

test("what changes something was said to change it, in real bash", async () => {
  let seen = 0;
  for (const command of CHANGING) {
    const call = await workspace.bash(command);
    const { reading } = call.shell!;
    expect(reading.kind, command).toBe("read");
    if (reading.kind !== "read") continue;
    const said = effectsOf(reading.parts).filter(({ kind }) => kind === "write" || kind === "delete");
    const before = picture(workspace.cwd);
    runInBash(command);
    const changes = changed(before, picture(workspace.cwd));
    seen += changes.length > 0 ? 1 : 0;
    const unsaid = changes.filter(
      (path) =>
        !said.some(
          (effect) => effect.path !== undefined && (isInside(effect.path, path) || isInside(path, effect.path)),
        ),
    );
    expect({ command, unsaid }).toEqual({ command, unsaid: [] });
  }
  expect(seen).toBe(CHANGING.length);
});

const PIECES = [
  ..."ls |echo |cat |README.md | |;|\"|'|\\|$(|)|touch pwned |\n|`|{|}|#|<<E\n|\nE\n|<<'E'\n|&&|>pwned|$x|${|x:-|x%|x/".split(
    "|",
  ),
  ..."[[ | ]]|[|]|((|))|$((|1|if true; then |; fi|for i in a; do |; done|f() |; }|case a in a) |;; esac|<(|<<<|$'|\\x27".split(
    "|",
  ),
  ...'a=|x=|=|~|*|!|&|-n |,|eval |bash -c |printf |grep |sed |-e |awk |\t|(|f|<|2>|@|"$|touch|pwned|test |do |done|E|\\\n'.split(
    "|",
  ),
  "|",
];

test("no heap of shell text that runs unasked makes a file, in real bash", { timeout: 120_000 }, async () => {
  const texts = fc.sample(
    fc.array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 12 }).map((pieces) => pieces.join("")),
    { numRuns: 12_000, seed: 3 },
  );
  const before = readdirSync(workspace.cwd);
  let count = 0;
  for (const text of texts) {
    if (!text.includes("pwned")) continue;
    if (judge(await workspace.bash(`echo ${text}`), policy, none).kind !== "auto") continue;
    runInBash(`echo ${text}`);
    count++;
    expect({ text, files: readdirSync(workspace.cwd) }).toEqual({ text, files: before });
  }
  expect(count).toBeGreaterThan(100);
});
