import { expect, test } from "vitest";
import { judgeNames } from "../../../src/engine/judge-names.ts";
import type { Policy, Rule } from "../../../src/policy/policy.ts";
import type { Tool } from "../../../src/toolkit/tool.ts";

const rules = (...patterns: string[]): Rule[] => patterns.map((pattern) => ({ pattern, from: "features" }));
const policy = (given: { auto?: string[]; confirm?: string[]; deny?: string[] }): Policy => ({
  auto: rules(...(given.auto ?? [])),
  confirm: rules(...(given.confirm ?? [])),
  deny: rules(...(given.deny ?? [])),
});

const bash: Tool = {
  name: "mcp__coding__bash",
  description: "",
  input: { type: "object", properties: {} },
  run: async () => "",
  sameAs: (input) => ({ tool: "Bash", input: input as { command: string } }),
};
const call = (command: string) => ({ tool: bash.name, input: { command }, cwd: "/p", home: "/h" });
const none = { session: new Set<string>(), saved: [] };

test.each([
  [{}, "rm x", "auto"],
  [{ deny: ["Bash:rm*"] }, "cd . && rm x", "deny"],
  [{ deny: ["Bash:rm*"], auto: ["mcp__coding__bash"] }, "rm x", "deny"],
  [{ deny: ["mcp__coding__*"], auto: ["Bash"] }, "ls", "deny"],
  [{ confirm: ["Bash"] }, "ls", "confirm"],
  [{ confirm: ["mcp__*"] }, "ls", "confirm"],
  [{ confirm: ["Bash"], auto: ["Bash:ls*"] }, "ls -l", "auto"],
  [{ confirm: ["Bash"], auto: ["mcp__*"] }, "ls", "confirm"],
  [{ confirm: ["mcp__*"], auto: ["mcp__coding__bash"] }, "ls", "auto"],
])("under %j, %s is %s: the stricter of its names counts", (given, command, kind) => {
  expect(judgeNames(call(command), bash, policy(given), none).kind).toBe(kind);
});

test("a person's yes for one name counts for the other", () => {
  const asking = policy({ confirm: ["Bash", "mcp__*"] });
  const first = judgeNames(call("git status"), bash, asking, none);
  expect(first).toMatchObject({ kind: "confirm", pattern: "Bash:git status*" });
  const given = { session: new Set(["Bash:git status*"]), saved: [] };
  expect(judgeNames(call("git status"), bash, asking, given).kind).toBe("auto");
  expect(judgeNames(call("git push"), bash, asking, given).kind).toBe("confirm");
  const saved: Rule = { pattern: "mcp__coding__bash", from: "project" };
  expect(judgeNames(call("git push"), bash, asking, { session: new Set(), saved: [saved] }).kind).toBe("auto");
});

test("what a tool wants asked is asked where no rule asks, unless something exempts it; deny stands", () => {
  const careful: Tool = { ...bash, asks: () => "its server is careful" };
  expect(judgeNames(call("ls"), careful, policy({}), none)).toMatchObject({
    kind: "confirm",
    because: { rule: "its server is careful", from: "server" },
    pattern: "Bash:ls*",
  });
  expect(judgeNames(call("ls"), careful, policy({ auto: ["Bash:ls*"] }), none).kind).toBe("auto");
  expect(judgeNames(call("ls"), careful, policy({ deny: ["Bash:ls*"] }), none).kind).toBe("deny");
});

test("a tool that only passes a call on is denied by a rule, but never asked about", () => {
  const proxy: Tool = {
    name: "mcp__proxy__call_tool",
    description: "",
    input: bash.input,
    run: bash.run,
    passesOn: true,
  };
  const passed = { tool: proxy.name, input: {}, cwd: "/p", home: "/h" };
  expect(judgeNames(passed, proxy, policy({ confirm: ["mcp__*"] }), none).kind).toBe("auto");
  expect(judgeNames(passed, proxy, policy({ deny: ["mcp__proxy__*"] }), none).kind).toBe("deny");
});
