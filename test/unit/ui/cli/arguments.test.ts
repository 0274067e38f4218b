import { describe, expect, test } from "vitest";
import { type Arguments, readArguments } from "../../../../ui/cli/arguments.ts";

type Env = Readonly<Record<string, string>>;
const read = (argv: readonly string[], env: Env = {}) => readArguments(argv, env);
const go = (argv: readonly string[], env?: Env) => {
  const given = read(argv, env);
  if (given.kind === "stop") throw new Error(given.text);
  return given;
};
const root = (argv: readonly string[], env?: Env) => go(argv, env).root;
const invocation = (...argv: readonly string[]) => go(argv).invocation;
/** The first line of what is printed instead of a start, and the exit code. */
const stop = (argv: readonly string[], env?: Env): [number, string] | Arguments => {
  const given = read(argv, env);
  return given.kind === "stop" ? [given.exitCode, given.text.split("\n")[0] ?? ""] : given;
};

describe("commands", () => {
  test("none opens the conversation", () => {
    expect(go([])).toEqual({ kind: "go", root: {}, invocation: { command: "chat" } });
  });

  const flags = { outputFormat: "text", approve: "all" };
  test.each([
    [["run", "hello"], { command: "run", prompts: ["hello"], flags }],
    [["run", "one", "two"], { command: "run", prompts: ["one", "two"], flags }],
    [["run"], { command: "run", prompts: [], flags }],
    [["run", "--", "--help is unclear"], { command: "run", prompts: ["--help is unclear"], flags }],
    [
      ["run", "--output-format", "stream-json", "--approve", "none", "--timeout", "90s", "hi"],
      { command: "run", prompts: ["hi"], flags: { outputFormat: "stream-json", approve: "none", timeout: "90s" } },
    ],
    [
      ["run", "--output-format=json", "hi"],
      { command: "run", prompts: ["hi"], flags: { ...flags, outputFormat: "json" } },
    ],
    [["-p", "hello"], { command: "run", prompts: ["hello"], flags }],
    [["-p"], { command: "run", prompts: [], flags }],
    [["--model", "x", "-p", "hello"], { command: "run", prompts: ["hello"], flags }],
    [["run", "-p", "hello"], { command: "run", prompts: ["hello"], flags }],
    [["run", "--", "-p"], { command: "run", prompts: ["-p"], flags }],
    [["demo"], { command: "demo" }],
    [["tools"], { command: "tools", args: [], json: false }],
    [["tools", "--json"], { command: "tools", args: [], json: true }],
    [
      ["tools", "Read", "path=a", "line_start=1"],
      { command: "tools", args: ["Read", "path=a", "line_start=1"], json: false },
    ],
    [
      ["tools", "debug", "Bash", "--task", "t", "--with-mcp"],
      { command: "tools", args: ["debug", "Bash"], json: false, task: "t", withMcp: true },
    ],
    [["models"], { command: "models", json: false, sortBy: "name" }],
    [
      ["models", "--filter", "gpt", "--sort-by", "context", "--json"],
      { command: "models", json: true, filter: "gpt", sortBy: "context" },
    ],
    [["tokens", "a", "b"], { command: "tokens", texts: ["a", "b"], json: false }],
    [["tokens", "--method", "rough", "--json"], { command: "tokens", texts: [], json: true, method: "rough" }],
    [
      ["policy", "test", "Bash", '{"command":"ls"}'],
      { command: "policy-test", args: ["Bash", '{"command":"ls"}'], json: false, stdin: false },
    ],
    [["policy", "test", "--stdin", "--json"], { command: "policy-test", args: [], json: true, stdin: true }],
    [["show"], { command: "show", args: [], json: false, filters: [] }],
    [
      ["show", "agents", "coder", "--filter", "mode=plan", "--filter", "a=b,c", "--json"],
      { command: "show", args: ["agents", "coder"], json: true, filters: ["mode=plan", "a=b,c"] },
    ],
    [["sessions"], { command: "sessions", json: false, all: false }],
    [["sessions", "--all", "--json"], { command: "sessions", json: true, all: true }],
    [["init"], { command: "init", dir: ".aura", json: false }],
    [["init", "--dir", "conf", "--json"], { command: "init", dir: "conf", json: true }],
  ] as const)("%j", (argv, expected) => {
    expect(invocation(...argv)).toEqual(expected);
  });
});

describe("root flags", () => {
  test.each([
    [["--agent", "coder"], { agent: "coder" }],
    [["--provider", "local"], { provider: "local" }],
    [["--model", "p/m"], { model: "p/m" }],
    [["-m", "p/m"], { model: "p/m" }],
    [["--mode=plan"], { mode: "plan" }],
    [["--system", "brief"], { system: "brief" }],
    [["--think", "high"], { think: "high" }],
    [["--resume", "abc"], { resume: "abc" }],
    [["--resume"], { resume: "" }],
    [["--resume", "-p", "hi"], { resume: "" }],
    [["-c"], { continue: true }],
    [["--continue"], { continue: true }],
    [["--home", ""], { home: "" }],
    [["--config", "a,b", "--config", "c"], { config: ["a,b", "c"] }],
    [["-e", "a.env", "--env-file", "b.env"], { envFile: ["a.env", "b.env"] }],
    [["-w", "/tmp"], { workdir: "/tmp" }],
    [["--set", "a=1,2", "--set", "b=3"], { set: ["a=1,2", "b=3"] }],
    [["-O", "tools.max_steps=3"], { override: ["tools.max_steps=3"] }],
    [["--script", "s.yaml"], { script: "s.yaml" }],
    [
      ["--auto", "--verbose", "--debug", "--auto-approve"],
      { auto: true, verbose: true, debug: true, autoApprove: true },
    ],
    [["-s"], { show: true }],
    [["--print", "--print-env"], { print: true, printEnv: true }],
    [["--dry=render"], { dry: "render" }],
    [["-o", "log.txt"], { output: "log.txt" }],
  ] as const)("%j", (argv, expected) => {
    expect(root(argv)).toEqual(expected);
  });

  test("lists of names are separated by commas, and add up", () => {
    expect(root(["--include-tools", "Read, Ls", "--include-tools", "Todo*,", "--exclude-tools", "Bash"])).toEqual({
      includeTools: ["Read", "Ls", "Todo*"],
      excludeTools: ["Bash"],
    });
  });

  test("numbers are whole and not negative", () => {
    expect(root(["--max-steps", "0", "--token-budget", "5000"])).toEqual({ maxSteps: 0, tokenBudget: 5000 });
    for (const bad of ["many", "1.5", "-1", "", "1e2", "0x10"])
      expect(stop([`--max-steps=${bad}`])).toEqual([2, `aura: --max-steps <n>: "${bad}" is not a whole number`]);
  });

  test("stand before or after the command", () => {
    expect(go(["--model", "x", "run", "hi", "--verbose"])).toMatchObject({
      root: { model: "x", verbose: true },
      invocation: { prompts: ["hi"] },
    });
    expect(go(["-p", "hi", "--model", "x"])).toMatchObject({ root: { model: "x" }, invocation: { prompts: ["hi"] } });
  });
});

describe("the environment", () => {
  test("has a variable for every flag", () => {
    expect(
      root([], {
        AURA_MODEL: "p/m",
        AURA_MAX_STEPS: "7",
        AURA_INCLUDE_TOOLS: "Read,Ls",
        AURA_CONFIG: "a,b",
        AURA_ENV_FILE: "x.env",
        AURA_AUTO_APPROVE: "yes",
        AURA_OTHER: "ignored",
      }),
    ).toEqual({
      model: "p/m",
      maxSteps: 7,
      includeTools: ["Read", "Ls"],
      config: ["a,b"],
      envFile: ["x.env"],
      autoApprove: true,
    });
  });

  test("gives way to the command line, flag by flag", () => {
    const env = { AURA_MODEL: "env", AURA_AGENT: "env", AURA_INCLUDE_TOOLS: "Read" };
    expect(root(["--model", "cli", "--include-tools", "Ls"], env)).toEqual({
      model: "cli",
      agent: "env",
      includeTools: ["Ls"],
    });
  });

  test.each([
    ["1", true],
    ["true", true],
    ["ON", true],
    ["0", false],
    ["no", false],
  ])("switches read %s as %s", (text, value) => {
    expect(root([], { AURA_VERBOSE: text })).toEqual({ verbose: value });
  });

  test("empty is as good as not set, but for the homes, where it means none", () => {
    const env = {
      AURA_MODEL: "",
      AURA_MAX_STEPS: "",
      AURA_VERBOSE: "",
      AURA_INCLUDE_TOOLS: "",
      AURA_HOME: "",
      AURA_CONFIG: "",
    };
    expect(root([], env)).toEqual({ home: "", config: [""] });
  });

  test("that makes no sense is refused by its name", () => {
    expect(stop([], { AURA_VERBOSE: "loud" })).toEqual([2, 'aura: AURA_VERBOSE: "loud" is neither on nor off']);
    expect(stop([], { AURA_MAX_STEPS: "few" })).toEqual([2, 'aura: AURA_MAX_STEPS: "few" is not a whole number']);
  });
});

describe("mistakes end with 2 and one line that says what is wrong", () => {
  test.each([
    [["frobnicate"], 'error: unknown command "frobnicate"'],
    [["--frobnicate"], "error: unknown option '--frobnicate'"],
    [["run", "--frobnicate"], "error: unknown option '--frobnicate'"],
    [["--model"], "error: option '-m, --model <name>' argument missing"],
    [["tools", "-p"], "error: unknown option '-p'"],
    [["demo", "extra"], "error: too many arguments for 'demo'. Expected 0 arguments but got 1"],
    [
      ["run", "--output-format", "xml", "hi"],
      "error: option '--output-format <format>' argument 'xml' is invalid. Allowed choices are text, json, stream-json.",
    ],
    [
      ["run", "--approve", "some", "hi"],
      "error: option '--approve <which>' argument 'some' is invalid. Allowed choices are all, none, rules.",
    ],
  ] as const)("%j", (argv, line) => {
    const stopped = stop(argv);
    expect(Array.isArray(stopped) && stopped[0]).toBe(2);
    expect(Array.isArray(stopped) && stopped[1].startsWith(line)).toBe(true);
  });

  test("and a hint where to look", () => {
    expect(read(["frobnicate"])).toMatchObject({ text: expect.stringContaining("aura --help") });
  });

  test("a command that needs another word prints its help", () => {
    expect(read(["policy"])).toMatchObject({ kind: "stop", exitCode: 2, text: expect.stringContaining("test") });
  });
});

describe("questions end with 0", () => {
  test.each([["-v"], ["--version"]])("%s prints the version", (flag) => {
    expect(read([flag])).toEqual({ kind: "stop", exitCode: 0, text: "0.0.0-test\n" });
  });

  test.each([[["--help"]], [["-h"]], [["run", "--help"]], [["policy", "test", "-h"]]])("%j prints help", (argv) => {
    expect(read(argv)).toMatchObject({ kind: "stop", exitCode: 0, text: expect.stringContaining("Usage: aura") });
  });

  test("help names every command and the variable of each flag", () => {
    const { text } = read(["--help"]) as { text: string };
    for (const word of [
      "run",
      "demo",
      "tools",
      "models",
      "tokens",
      "policy",
      "show",
      "sessions",
      "init",
      "AURA_MAX_STEPS",
    ])
      expect(text).toContain(word);
  });
});
