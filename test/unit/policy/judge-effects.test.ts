import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judge } from "../../../src/policy/judge.ts";
import type { Grants, JudgedCall, Policy, Rule } from "../../../src/policy/policy.ts";
import { makeWorkspace, type Workspace } from "./shell-corpus.ts";

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace.remove());

const rules = (patterns: readonly string[] = []): readonly Rule[] =>
  patterns.map((pattern) => ({ pattern, from: "features" }));
const none: Grants = { session: new Set(), saved: [] };
type Lists = { readonly auto?: string[]; readonly confirm?: string[]; readonly deny?: string[] };
const policyOf = ({ auto, confirm, deny }: Lists): Policy => ({
  auto: rules(auto),
  confirm: rules(confirm),
  deny: rules(deny),
});
const judged = async (command: string, lists: Lists, grants = none) =>
  judge(await workspace.bash(command), policyOf(lists), grants);
const kindOf = async (command: string, lists: Lists, grants = none) => (await judged(command, lists, grants)).kind;
const write = (path: string, more: Partial<JudgedCall> = {}): JudgedCall => ({
  tool: "Write",
  input: { path },
  writes: [path],
  cwd: workspace.cwd,
  home: workspace.home,
  ...more,
});

describe("a command that only reads", () => {
  test("runs although a rule asks about Bash, and says why", async () => {
    expect(await judged("cat README.md | head", { confirm: ["Bash"] })).toEqual({
      kind: "auto",
      because: { rule: "it only reads, and only inside this folder", from: "default" },
    });
  });

  test("is asked about where a rule names commands, or what runs is made of it", async () => {
    expect(await kindOf("ls", { confirm: ["Bash:*"] })).toBe("confirm");
    expect(await kindOf("ls", { confirm: ["Bash:ls*"] })).toBe("confirm");
    const rewritten = { ...(await workspace.bash("ls")), isRewritten: true };
    expect(judge(rewritten, policyOf({ confirm: ["Bash"] }), none).kind).toBe("confirm");
  });

  test("counts for the text that was read and no other", async () => {
    const call = await workspace.bash("ls");
    expect(judge({ ...call, input: { command: "rm x" } }, policyOf({ confirm: ["Bash"] }), none).kind).toBe("confirm");
  });

  test("is one in a folder outside only if it reads nothing there", async () => {
    const there = async (command: string) =>
      judge(await workspace.bash(command, "/"), policyOf({ confirm: ["Bash"] }), none);
    expect((await there("cat etc/hosts")).kind).toBe("confirm");
    expect((await there("ls")).kind).toBe("confirm");
    expect((await there("date")).kind).toBe("auto");
  });
});

describe("rules about paths bind the shell", () => {
  test.each([
    ["echo x > /etc/hosts", "Write:/etc/*"],
    ["echo x | tee /etc/hosts", "Write:/etc/*"],
    ["cp README.md /etc/hosts", "Write:/etc/*"],
    ["rm /etc/hosts", "Write:/etc/*"],
    ["rm -r /etc", "Write:/etc/*"],
    ["sed -n p README.md > /etc/../etc/hosts", "Write:/etc/*"],
    ["cd /etc && touch hosts", "Write:/etc/*"],
    ["touch links/escape/hosts", "Write:/etc/*"],
    ["bash -c 'touch /etc/hosts'", "Write:/etc/*"],
    ["for f in /etc/a /tmp/b; do touch $f; done", "Write:/etc/*"],
    ["cat ~/.ssh/id_rsa", "Read:~/.ssh/*"],
    ['cat "$HOME/.ssh/id_rsa"', "Read:~/.ssh/*"],
    ["grep -r key ~", "Read:~/.ssh/*"],
    ["cat < ~/.ssh/config", "Read:~/.ssh/*"],
    ["cat src/lib/util.ts", "Read:src/lib/*"],
    ["grep -rn b src", "Read:src/lib/*"],
  ])("%s is denied by %s", async (command, pattern) => {
    expect(await judged(command, { deny: [pattern] })).toEqual({
      kind: "deny",
      because: { rule: pattern, from: "features" },
    });
  });

  test.each([
    ["cat /etc/hosts", "Write:/etc/*"],
    ["echo /etc/hosts", "Write:/etc/*"],
    ["ls src", "Read:src/lib/*"],
    ["echo x > out", "Write:/etc/*"],
  ])("%s is not denied by %s", async (command, pattern) => {
    expect(await kindOf(command, { deny: [pattern] })).toBe("auto");
  });

  test("a file that only running tells is asked about when there are such rules", async () => {
    const because = { rule: "which file it touches cannot be told beforehand", from: "built-in" };
    expect(await judged("touch $x", { deny: ["Write:/etc/*"] })).toMatchObject({ kind: "confirm", because });
    expect(await judged("cat $x", { deny: ["Read:/etc/*"] })).toMatchObject({ kind: "confirm", because });
    expect(await kindOf('touch "./$x"', { deny: ["Read:/etc/*"] })).toBe("auto");
    expect(await judged("echo $(( $(x) ))", { deny: ["Write:/etc/*"] })).toMatchObject({
      kind: "confirm",
      because: { rule: "what it runs cannot be told beforehand: it holds arithmetic that may run something" },
    });
    expect(await kindOf("$x y", { deny: ["Bash:rm*"] })).toBe("confirm");
  });

  test("a file written around an approved command needs a rule of its own", async () => {
    const lists = { confirm: ["Bash"], auto: ["Bash:npm test*"] };
    expect(await kindOf("npm test > out.txt", lists)).toBe("confirm");
    expect(await kindOf("npm test > out.txt", { ...lists, auto: [...lists.auto, "Write:*.txt"] })).toBe("auto");
    expect(await kindOf("npm test > out.txt", { ...lists, auto: ["Bash"] })).toBe("auto");
  });
});

describe("what is asked about every time", () => {
  test.each([
    "echo x > .git/hooks/pre-commit",
    "echo x >> .aura/config/rules/approvals.yaml",
    "rm -rf .git",
    "cp README.md .husky/pre-push",
    "touch ~/.bashrc",
    "touch ~/.ssh/authorized_keys",
    "touch ~/.config/aura/trust.json",
    "git config core.pager x",
    "rm -rf .",
    "cd .git && touch config",
    "touch .GIT/config",
  ])("%s, whatever was approved", async (command) => {
    const saved = rules(["Bash", "Bash:echo*", "Bash:rm*", "Bash:touch*", "Bash:cp*", "Write", "Bash:git config*"]);
    expect(await kindOf(command, { auto: ["Bash", "Write"] }, { session: new Set(), saved })).toBe("confirm");
    expect(await kindOf(command, {})).toBe("confirm");
    expect(await kindOf(command, { deny: ["Bash"] })).toBe("deny");
  });

  test("Write and Patch as well, and no pattern is offered", () => {
    const path = join(workspace.cwd, ".git/config");
    expect(judge(write(path), policyOf({ auto: ["Write"] }), none)).toEqual({
      kind: "confirm",
      because: { rule: `it writes ${path}: it is inside git's own folder`, from: "built-in" },
      noPattern: "this is asked about every time",
    });
    const patch = { ...write(path), tool: "Patch", input: {}, writes: [join(workspace.cwd, "a"), path] };
    expect(judge(patch, policyOf({ auto: ["Patch"] }), none).kind).toBe("confirm");
    const ours = write("/srv/aura/x", { ours: ["/srv/aura"] });
    expect(judge(ours, policyOf({ auto: ["Write"] }), none).kind).toBe("confirm");
  });

  test("but not when a rule spells exactly this out", async () => {
    const path = join(workspace.cwd, ".aura/notes");
    expect(judge(write(path), policyOf({ auto: [`Write:${path}`] }), none).kind).toBe("auto");
    expect(judge(write(path), policyOf({ auto: ["Write:.aura/*"] }), none).kind).toBe("confirm");
    expect(await kindOf("touch .aura/x", { auto: ["Bash:touch .aura/x"] })).toBe("auto");
    expect(await kindOf("touch .aura/x; ls", { auto: ["Bash:touch .aura/x"] })).toBe("confirm");
  });
});

describe("tools of servers", () => {
  const foreign = (input: unknown): JudgedCall => ({
    tool: "mcp__fs__do",
    input,
    cwd: workspace.cwd,
    home: workspace.home,
  });
  const denies = (input: unknown, pattern: string) =>
    judge(foreign(input), policyOf({ deny: [pattern] }), none).kind === "deny";

  test("are bound by rules about reading and writing through whatever looks like a path", () => {
    expect(denies({ path: "/etc/hosts" }, "Write:/etc/*")).toBe(true);
    expect(denies({ path: "/etc/hosts" }, "Read:/etc/*")).toBe(true);
    expect(denies({ source: "a", destination: "/tmp/../etc/hosts" }, "Write:/etc/*")).toBe(true);
    expect(denies({ files: [{ name: "~/.ssh/id_rsa" }] }, "Read:~/.ssh/*")).toBe(true);
    expect(denies({ options: { uri: "file:///etc/hosts" } }, "Read:/etc/*")).toBe(true);
    expect(denies({ text: "see /etc/hosts" }, "Read:/etc/*")).toBe(false);
  });

  test("are let through by rules about the tool, not by their arguments", () => {
    const call = foreign({ target: "/etc/hosts" });
    expect(judge(call, policyOf({ confirm: ["mcp__*"], auto: ["mcp__fs__do"] }), none).kind).toBe("auto");
    expect(judge(call, policyOf({ confirm: ["mcp__*"], auto: ["mcp__fs__do:/etc/*"] }), none).kind).toBe("confirm");
  });
});

test("git is only asked to look where the repository's own settings name no program", async () => {
  const inside = async (config: string, command = "git status") => {
    const folder = join(workspace.cwd, "repo");
    mkdirSync(join(folder, ".git/objects"), { recursive: true });
    writeFileSync(join(folder, ".git/config"), config);
    return judge(await workspace.bash(`cd repo && ${command}`), policyOf({ confirm: ["Bash"] }), none).kind;
  };
  expect(await inside("[core]\n\tbare = false\n[user]\n\tname = x\n")).toBe("auto");
  expect(await inside("[core]\n\tfsmonitor = ./x\n")).toBe("confirm");
  expect(await inside("[core] fsmonitor = ./x\n")).toBe("confirm");
  expect(await inside("[CORE]\n  FsMonitor=./x\n")).toBe("confirm");
  expect(await inside('[diff "x"]\n\ttextconv = ./x\n', "git log -p")).toBe("confirm");
  expect(await inside("[include]\n\tpath = ../x\n")).toBe("confirm");
  expect(await inside('[filter "x"]\n\tclean = ./x\n')).toBe("confirm");
  expect(await inside("[extensions]\n\tworktreeConfig = true\n")).toBe("confirm");
});

test("a repository that lies in another one's folders is told by its own settings", async () => {
  const bare = join(workspace.cwd, "bare");
  mkdirSync(join(bare, "objects"), { recursive: true });
  writeFileSync(join(bare, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(bare, "config"), "[core]\n\tfsmonitor = ./x\n");
  expect(await kindOf("cd bare && git status", { confirm: ["Bash"] })).toBe("confirm");
  mkdirSync(join(workspace.cwd, "tree"));
  writeFileSync(join(workspace.cwd, "tree/.git"), "gitdir: ../bare\n");
  expect(await kindOf("cd tree && git status", { confirm: ["Bash"] })).toBe("confirm");
});

test("a program of the project in place of a known one is asked about", async () => {
  const { diskSurroundings } = await import("../../../src/policy/shell/surroundings.ts");
  const { createShellReader } = await import("../../../src/policy/shell/shell-reader.ts");
  mkdirSync(join(workspace.cwd, "bin"));
  writeFileSync(join(workspace.cwd, "bin/ls"), "#!/bin/sh\n", { mode: 0o755 });
  const read = async (path: string) => {
    const around = diskSurroundings({ cwd: workspace.cwd, home: workspace.home, ours: [], path });
    const reading = await createShellReader().read("ls", workspace.cwd, around, []);
    return reading.kind === "read" && reading.parts[0]?.effects[0]?.concern;
  };
  expect(await read("bin:/usr/bin")).toBe("ls is a file of this project");
  expect(await read(`${workspace.cwd}/bin:/usr/bin`)).toBe("ls is a file of this project");
  expect(await read("/usr/bin")).toBeUndefined();
});
