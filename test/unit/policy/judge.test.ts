import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { judge } from "../../../src/policy/judge.ts";
import type { Grants, JudgedCall, Policy, Rule } from "../../../src/policy/policy.ts";

const rules = (patterns: readonly string[] = [], from: Rule["from"] = "features"): readonly Rule[] =>
  patterns.map((pattern) => ({ pattern, from }));
const policyOf = (lists: { auto?: string[]; confirm?: string[]; deny?: string[] }): Policy => ({
  auto: rules(lists.auto),
  confirm: rules(lists.confirm),
  deny: rules(lists.deny),
});
const none: Grants = { session: new Set(), saved: [] };
const place = { cwd: "/w", home: "/home/u" };
const bash = (command: string, more: object = {}): JudgedCall => ({
  tool: "Bash",
  input: { command, ...more },
  ...place,
});
const write = (path: string, resolved = path): JudgedCall => ({
  tool: "Write",
  input: { path },
  writes: [resolved],
  ...place,
});
const patch = (...writes: string[]): JudgedCall => ({ tool: "Patch", input: { patch: "…" }, writes, ...place });
const kindOf = (call: JudgedCall, lists: Parameters<typeof policyOf>[0], grants = none) =>
  judge(call, policyOf(lists), grants).kind;

describe("the three lists", () => {
  test("nothing configured lets everything through", () => {
    expect(judge(bash("rm -rf /"), policyOf({}), none)).toEqual({
      kind: "auto",
      because: { rule: "no policy is configured", from: "default" },
    });
  });

  test("deny wins over auto, approvals and confirm, and names its first pattern and place", () => {
    const deny: Rule[] = [
      { pattern: "Bash:git*", from: "agent", file: "a.md", line: 7 },
      { pattern: "Bash:git push*", from: "mode" },
    ];
    const saved = rules(["Bash", "Bash:git push*"], "project");
    const session = new Set(["Bash:git push*"]);
    expect(
      judge(bash("git push"), { auto: rules(["Bash"]), confirm: rules(["Bash"]), deny }, { session, saved }),
    ).toEqual({
      kind: "deny",
      because: { rule: "Bash:git*", from: "agent", file: "a.md", line: 7 },
    });
  });

  test("confirm asks and carries its reason and what may be remembered", () => {
    expect(judge(bash("git push origin"), policyOf({ confirm: ["Bash"] }), none)).toEqual({
      kind: "confirm",
      because: { rule: "Bash", from: "features" },
      pattern: "Bash:git push*",
    });
  });

  test("auto exempts from confirm and has no other effect", () => {
    expect(judge(bash("git push"), policyOf({ confirm: ["Bash"], auto: ["Bash:git push*"] }), none)).toEqual({
      kind: "auto",
      because: { rule: "Bash:git push*", from: "features" },
    });
    expect(kindOf(bash("ls"), { auto: ["Bash:git push*"] })).toBe("auto");
  });

  test("what no rule names runs", () => {
    expect(judge(bash("ls"), policyOf({ deny: ["Bash:rm*"], confirm: ["Write"] }), none)).toEqual({
      kind: "auto",
      because: { rule: "no rule asks about this call", from: "default" },
    });
  });
});

describe("patterns", () => {
  test.each([
    ["Bash", "Bash", true],
    ["bash", "Bash", false],
    ["B*", "Bash", true],
    ["*", "mcp__a__b", true],
    ["mcp__*", "mcp__a__b", true],
    ["mcp__a", "mcp__a__b", false],
    ["Bash:", "Bash", false],
    ["Ba", "Bash", false],
  ])("deny %s stops a call of %s: %s", (pattern, tool, stops) => {
    expect(kindOf({ tool, input: { command: "ls" }, ...place }, { deny: [pattern] }) === "deny").toBe(stops);
  });

  test("an argument without anything to compare it to does not match", () => {
    expect(kindOf({ tool: "TodoList", input: {}, ...place }, { deny: ["TodoList:*"] })).toBe("auto");
    expect(kindOf({ tool: "Bash", input: {}, ...place }, { deny: ["Bash:*"] })).toBe("auto");
  });

  test("a star in a command is matched by an escaped star only", () => {
    const exact = { confirm: ["Bash"], auto: ["Bash:ls \\*.ts"] };
    expect(kindOf(bash("ls *.ts"), exact)).toBe("auto");
    expect(kindOf(bash("ls x.ts"), exact)).toBe("confirm");
    expect(kindOf(bash("ls \\x.ts"), exact)).toBe("confirm");
    expect(kindOf(bash("ls *.ts"), { deny: ["Bash:ls \\*.ts"] })).toBe("deny");
    const folder = { confirm: ["Write"], auto: ["Write:/w/a\\*b/*"] };
    expect(["/w/a*b/x", "/w/axb/x", "/w/a\uffffb/x"].map((path) => kindOf(write(path), folder))).toEqual([
      ...["auto", "confirm", "confirm"],
    ]);
    expect(kindOf(bash("find . -name \\x"), { deny: ["Bash:find . -name \\*"] })).toBe("deny");
  });
});

describe("rules that let a command through", () => {
  test("a rule by hand reads a final star as text, a saved one as the next word", () => {
    const saved: Grants = { session: new Set(), saved: rules(["Bash:git commit*"], "global") };
    expect(kindOf(bash("git commit-tree x"), { confirm: ["Bash"], auto: ["Bash:git commit*"] })).toBe("auto");
    expect(kindOf(bash("git commit-tree x"), { confirm: ["Bash"] }, saved)).toBe("confirm");
    expect(kindOf(bash("git commit -m x"), { confirm: ["Bash"] }, saved)).toBe("auto");
  });

  test("the bare name covers everything, an argument with a star only plain commands", () => {
    expect(kindOf(bash("a; b | c"), { confirm: ["Bash"], auto: ["Bash"] })).toBe("auto");
    expect(kindOf(bash("a; b | c"), { confirm: ["Bash"], auto: ["Bash:*"] })).toBe("confirm");
    expect(kindOf(bash("a b"), { confirm: ["Bash"], auto: ["Bash:*"] })).toBe("auto");
  });

  test("a text without a star covers exactly itself, compound or not", () => {
    const lists = { confirm: ["Bash"], auto: ["Bash:cd web && npm test"] };
    expect(kindOf(bash("cd web && npm test"), lists)).toBe("auto");
    expect(kindOf(bash("cd web && npm test "), lists)).toBe("confirm");
    expect(kindOf(bash("cd web && npm test; rm x"), lists)).toBe("confirm");
    expect(kindOf(bash(" git   status "), { confirm: ["Bash"], auto: ["Bash:git status"] })).toBe("auto");
  });

  test("a program that runs others is covered only where the rule spells what is run", () => {
    const asks = (auto: string, command: string) => kindOf(bash(command), { confirm: ["Bash"], auto: [auto] });
    expect(asks("Bash:sudo*", "sudo rm x")).toBe("confirm");
    expect(asks("Bash:sudo apt*", "sudo apt install x")).toBe("auto");
    expect(asks("Bash:sudo bash*", "sudo bash -c 'rm x'")).toBe("confirm");
    expect(asks("Bash:find*", "find . -delete")).toBe("confirm");
    expect(asks("Bash:python -m pytest*", "python -m pytest -q")).toBe("auto");
    expect(asks("Bash:python*", "python -m pytest -q")).toBe("confirm");
  });

  test("a command sent to a folder outside the session's is asked about", () => {
    const lists = { confirm: ["Bash"], auto: ["Bash:npm test*"] };
    expect(kindOf(bash("npm test", { workdir: "web" }), lists)).toBe("auto");
    expect(kindOf(bash("npm test", { workdir: "/w/web" }), lists)).toBe("auto");
    for (const workdir of ["..", "/other", "~/x", "$HOME", "web/../../x"])
      expect(kindOf(bash("npm test", { workdir }), lists)).toBe("confirm");
  });
});

describe("session approvals", () => {
  const session = (pattern: string): Grants => ({ session: new Set([pattern]), saved: [] });

  test("cover a call that derives the identical pattern", () => {
    expect(judge(bash("git push -f"), policyOf({ confirm: ["Bash"] }), session("Bash:git push*"))).toEqual({
      kind: "auto",
      because: { rule: "Bash:git push*", from: "session" },
    });
    expect(kindOf(write("/tmp/x"), { confirm: ["Write"] }, session("Write:/tmp/*"))).toBe("auto");
    expect(kindOf(write("/tmp/sub/x"), { confirm: ["Write"] }, session("Write:/tmp/*"))).toBe("confirm");
  });

  test("of a file, or of all below a folder, cover just that", () => {
    const wanted = (path: string, pattern: string) => kindOf(write(path), { confirm: ["Write"] }, session(pattern));
    expect(wanted("/w/src/x", "Write:/w/src/x")).toBe("auto");
    expect(wanted("/w/src/y", "Write:/w/src/x")).toBe("confirm");
    expect(wanted("/w/src/lib/x", "Write:/w/**")).toBe("auto");
    expect(wanted("/wx", "Write:/w/**")).toBe("confirm");
    expect(wanted("/etc/x", "Write:/w/src/x")).toBe("confirm");
  });

  test("of a compound command cover that text and no other", () => {
    const granted = session("Bash:git commit && rm -rf x");
    expect(kindOf(bash("git commit && rm -rf x"), { confirm: ["Bash"] }, granted)).toBe("auto");
    expect(kindOf(bash("git commit && rm -rf xy"), { confirm: ["Bash"] }, granted)).toBe("confirm");
    expect(kindOf(bash("git commit*"), { confirm: ["Bash"] }, session("Bash:git commit*"))).toBe("confirm");
  });
});

describe("paths", () => {
  test("a Patch is judged for every file, and rules about writing bind it", () => {
    expect(kindOf(patch("/w/a", "/etc/hosts"), { deny: ["Patch:/etc/*"] })).toBe("deny");
    expect(kindOf(patch("/w/a", "/etc/hosts"), { deny: ["Write:/etc/*"] })).toBe("deny");
    expect(kindOf(patch("/w/a"), { deny: ["Write:/etc/*"] })).toBe("auto");
    expect(kindOf(patch("/w/a", "/w/b"), { confirm: ["Patch"], auto: ["Patch:/w/a"] })).toBe("confirm");
    expect(kindOf(patch("/w/a", "/w/b"), { confirm: ["Patch"], auto: ["Patch:/w/a", "Patch:/w/b"] })).toBe("auto");
    expect(kindOf(patch("/w/a", "/x/b"), { confirm: ["Patch:/w/*"], auto: ["Patch:/w/a"] })).toBe("auto");
    expect(kindOf(patch("/w/a"), { confirm: ["Patch"], auto: ["Write:/w/*"] })).toBe("confirm");
    expect(kindOf({ tool: "Vision", input: {}, reads: ["/s/k"], ...place }, { deny: ["Read:/s/*"] })).toBe("deny");
  });

  test("a stopping rule matches the written form, the folded form and the one links lead to", () => {
    const denied = (call: JudgedCall, pattern: string) => kindOf(call, { deny: [pattern] });
    expect(denied(write("/w/link/x", "/etc/x"), "Write:/etc/*")).toBe("deny");
    expect(denied(write("/w/link/x", "/etc/x"), "Write:/w/link/*")).toBe("deny");
    expect(denied(write("/tmp/../etc/x", "/etc/x"), "Write:/tmp/*")).toBe("deny");
    expect(denied(write("secret/x", "/w/secret/x"), "Write:secret/*")).toBe("deny");
    expect(denied(write("/w/secret/x"), "Write:secret/*")).toBe("deny");
    expect(denied(write("~/.ssh/x", "/home/u/.ssh/x"), "Write:~/.ssh/*")).toBe("deny");
    expect(denied(write("/home/u/.ssh/x"), "Write:~/.ssh/*")).toBe("deny");
    expect(denied({ ...patch("/w/real/x"), given: ["link/x"] }, "Patch:link/*")).toBe("deny");
    expect(denied({ tool: "mcp__fs__put", input: { path: "../etc/x" }, cwd: "/w", home: "/h" }, "mcp__*:/etc/*")).toBe(
      "deny",
    );
  });

  test("case is ignored where the file system does, by stopping rules only", () => {
    const shouted = { ...write("/ETC/hosts"), ignoreCase: true };
    expect(kindOf(shouted, { deny: ["Write:/etc/*"] })).toBe("deny");
    expect(kindOf(write("/ETC/hosts"), { deny: ["Write:/etc/*"] })).toBe("auto");
    expect(kindOf(shouted, { confirm: ["Write"], auto: ["Write:/etc/*"] })).toBe("confirm");
  });

  test("a rule that lets through matches only where the path really leads", () => {
    const covered = (call: JudgedCall, pattern: string) => kindOf(call, { confirm: ["Write"], auto: [pattern] });
    expect(covered(write("src/a", "/w/src/a"), "Write:src/*")).toBe("auto");
    expect(covered(write("src/a", "/etc/a"), "Write:src/*")).toBe("confirm");
    expect(covered(write("/tmp/../etc/x", "/etc/x"), "Write:/tmp/*")).toBe("confirm");
    expect(covered(write("/etc/x"), "Write:*")).toBe("confirm");
    expect(covered(write("/w/x"), "Write:*")).toBe("auto");
    expect(covered(write("/home/u/x"), "Write:~/*")).toBe("auto");
    expect(covered(write("/etc/x"), "Write")).toBe("auto");
  });
});

test("a command nested too deep to be checked is asked about when rules are about commands", () => {
  const deep = `${"sudo ".repeat(40)}ls`;
  expect(judge(bash(deep), policyOf({ deny: ["Bash:rm*"] }), none)).toMatchObject({
    kind: "confirm",
    because: { rule: "the command is too long or too deeply nested to be checked", from: "built-in" },
  });
  expect(kindOf(bash(deep), { deny: ["Write:/etc/*"] })).toBe("auto");
  expect(
    kindOf(bash(`echo ${"x".repeat(300_000)}`), { confirm: ["Bash"], auto: ["Bash:echo*"], deny: ["Bash:rm*"] }),
  ).toBe("confirm");
});

test("judging and opening approvals load no library", () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    for (const file of ["judge", "approvals", "rules", "explain"]) await import(\`./\${file}.ts\`);
    console.log(JSON.stringify(loaded.filter((url) => url.includes("node_modules"))));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: new URL("../../../src/policy/", import.meta.url),
    encoding: "utf8",
  });
  expect(JSON.parse(output)).toEqual([]);
});
