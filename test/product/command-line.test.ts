import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startModelServer } from "../helpers/model-server/model-server.ts";
import { CONTROLS, createMachine, jsonLines, type Machine } from "./aura.ts";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

describe("mistakes", () => {
  test.each([
    [["--modle", "x", "run", "hi"], "error: unknown option '--modle'"],
    [["rnu"], 'error: unknown command "rnu"'],
    [["run", "--output-format", "xml", "hi"], "--output-format"],
    [["run", "--approve", "some", "hi"], "--approve"],
    [["run", "--timeout", "soon", "hi"], '--timeout: "soon" is no duration'],
    [["--max-steps", "many", "run", "hi"], '"many" is not a whole number'],
    [["--dry=run", "run", "hi"], '--dry: unknown value "run"'],
    [["--workdir", "/no/such/place", "run", "hi"], "--workdir: no such directory: /no/such/place"],
    [["--resume", "x", "--continue", "run", "hi"], "--resume and --continue exclude each other"],
    [["run"], "no prompt: pass one"],
    [[], "no prompt: pass one"],
    [["policy", "test"], "policy test: name a tool"],
    [["show", "nothing"], 'show: there is no "nothing"'],
  ])("%j exits 2 with one line and a hint", async (args, words) => {
    const { code, stdout, stderr } = await machine.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr.trimEnd().split("\n").length, stderr).toBeLessThanOrEqual(3);
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });

  test.each([
    [["--script", "none.yaml", "run", "hi"], "--script: cannot read"],
    [["--resume", "zzz", "--dry=noop", "run", "hi"], 'no session matching "zzz"'],
    [["--continue", "--dry=noop", "run", "hi"], "there is no saved session to continue"],
    [["--agent", "aurra", "--dry=noop", "run", "hi"], 'there is no agent "aurra" (did you mean "aura"?)'],
    [["-O", "features.tools.max_stepz=3", "--dry=noop", "run", "hi"], "max_steps"],
    [["tools", "Nope"], 'there is no tool "Nope"'],
    [["show", "agents", "nobody"], 'no agents entry is named "nobody"'],
  ])("%j exits with an error and no stack", async (args, words) => {
    const { code, stdout, stderr } = await machine.run(args);
    expect({ fails: code === 1 || code === 2, stdout }).toEqual({ fails: true, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });

  test("without any model there is one line that says what to do", async () => {
    const { code, stdout, stderr } = await machine.run(["run", "hi"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/no model to talk to: .*ANTHROPIC_API_KEY.*aura demo/),
    ]);
  });

  test("a broken script is told with its place", async () => {
    machine.put({ "s.yaml": "model: { name: x }\nturns:\n  - txt: hello\n" });
    const { code, stderr } = await machine.run(["--script", "s.yaml", "run", "hi"]);
    expect(code).toBe(1);
    expect(stderr).toContain('s.yaml: turns[1] has an unknown key "txt": did you mean "text"?');
  });

  test("broken configuration: each problem with file, line and the nearest key, all of them, and no stack", async () => {
    machine.put({
      ".aura/config/agents/a.md": "---\nname: a\ndescripton: x\n---\n",
      ".aura/config/features/t.yaml": "tools:\n  max_step: 3\n  read_before: { write: maybe }\n",
      ".aura/config/providers/p.yaml": "p:\n  type: anthropik\n  - x\n",
    });
    const { code, stdout, stderr } = await machine.run(["--dry=noop", "run", "hi"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const at = (file: string) => join(machine.project, ".aura/config", file);
    expect(stderr).toMatch(new RegExp(`${at("agents/a.md")}:3: .*descripton.*description`));
    expect(stderr).toMatch(new RegExp(`${at("features/t.yaml")}:2: .*max_step.*max_steps`));
    expect(stderr).toMatch(new RegExp(`${at("features/t.yaml")}:3: .*write`));
    expect(stderr).toMatch(new RegExp(`${at("providers/p.yaml")}:3`));
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });
});

test("--help lists the commands, and --version is the package's", async () => {
  const help = await machine.run(["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  for (const command of ["run", "demo", "tools", "models", "tokens", "policy", "show", "sessions", "init"])
    expect(help.stdout).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));
  const { version } = (await import("../../package.json", { with: { type: "json" } })).default;
  expect(await machine.run(["--version"])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: "" });
});

test("init writes the samples, a second one skips them, and what it wrote works", async () => {
  const first = await machine.run(["init"]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const lines = first.stdout.trimEnd().split("\n");
  expect(lines).toContain(".aura/config/agents/aura.md");
  expect(lines.filter((line) => line.endsWith("(skipped)"))).toEqual([]);
  const written = machine.files();
  expect(Object.keys(written)).toEqual(lines.toSorted());
  writeFileSync(join(machine.project, ".aura/config/modes/plan.md"), "---\nname: plan\n---\nMine.");
  const second = await machine.run(["init"]);
  expect(second.stdout.trimEnd().split("\n")).toEqual(lines.map((line) => `${line} (skipped)`));
  expect(machine.files()[".aura/config/modes/plan.md"]).toBe("---\nname: plan\n---\nMine.");
  const json = await machine.run(["init", "--json"]);
  expect(JSON.parse(json.stdout)).toHaveLength(lines.length);
  const turns = [{ expect: { contains: ["You are Aura"], tools: ["Bash", "Patch"] }, text: "Works." }];
  expect(await machine.run([...machine.script(turns), "run", "hi"])).toMatchObject({
    code: 0,
    stdout: "Works.\n",
    stderr: "",
  });
});

describe("what is resolved", () => {
  beforeEach(() =>
    machine.put({
      ".aura/config/agents/mine.md":
        "---\nname: Mine\ndefault: true\ndescription: of this project\n---\nI am {{ .Agent }} with {{ .Vars.colour }}.",
      ".aura/config/features/t.yaml": "tools:\n  max_steps: 7\n",
    }),
  );

  test("show lists kinds, entries and one entry, each with its file", async () => {
    const file = join(machine.project, ".aura/config/agents/mine.md");
    expect((await machine.run(["show"])).stdout.split("\n")).toContain("agents");
    expect(await machine.run(["show", "agents"])).toMatchObject({
      code: 0,
      stdout: `Mine  of this project  (${file}:2)\n`,
    });
    expect((await machine.run(["show", "agent", "mine"])).stdout).toContain("I am {{ .Agent }}");
    expect(JSON.parse((await machine.run(["show", "agents", "--json"])).stdout)).toMatchObject([
      { name: "Mine", from: file },
    ]);
    expect((await machine.run(["show", "features"])).stdout).toMatch(/^tools .*features\/t\.yaml/m);
    expect((await machine.run(["show", "agents", "--filter", "name=other"])).stdout).toBe("");
    expect(JSON.parse((await machine.run(["show", "--json"])).stdout)).toContain("providers");
  });

  test("--show prints every setting with where it comes from, --print a summary", async () => {
    const show = await machine.run(["--show", "-O", "features.tools.token_budget=5"]);
    expect(show.code).toBe(0);
    expect(show.stdout).toMatch(/max_steps: 7.*t\.yaml:2/);
    expect(show.stdout).toMatch(/token_budget: 5$/m);
    const print = await machine.run(["--print"]);
    expect(print.code).toBe(0);
    expect(print.stdout).toMatch(/^agent: Mine/m);
    expect(print.stdout.length).toBeLessThan(show.stdout.length);
  });

  test("--dry=render prints the system prompt, --dry=noop runs without a model", async () => {
    const render = await machine.run(["--dry=render", "--set", "colour=blue"]);
    expect(render).toMatchObject({ code: 0, stderr: "" });
    expect(render.stdout).toContain("I am Mine with blue.");
    expect(render.stdout).toContain("set colour: blue");
    expect(await machine.run(["--dry=noop", "--set", "colour=blue", "run", "hi"])).toMatchObject({
      code: 0,
      stdout: "[noop]\n",
    });
  });

  test("--print-env prints only what was set", async () => {
    const { stdout } = await machine.run(["--print-env", "--agent", "mine", "-O", "a=b"], {
      env: { AURA_MAX_STEPS: "3" },
    });
    expect(stdout.trimEnd().split("\n").sort()).toEqual(["AURA_AGENT=mine", "AURA_MAX_STEPS=3", "AURA_OVERRIDE=a=b"]);
  });
});

describe("tools", () => {
  beforeEach(() => machine.put({ "a.txt": "alpha\n" }));

  test("are listed, explained and run", async () => {
    expect((await machine.run(["tools"])).stdout).toMatch(/^- Read\n/m);
    expect(JSON.parse((await machine.run(["tools", "--json"])).stdout)).toContainEqual({
      name: "Read",
      source: "built-in",
      inclusion: { included: true },
      visibility: "eager",
      decisions: expect.any(Array),
    });
    expect((await machine.run(["tools", "Read"])).stdout).toContain('"line_start"');
    expect(JSON.parse((await machine.run(["tools", "Read", "--json"])).stdout)).toMatchObject({
      name: "Read",
      schema: {},
    });
    expect(await machine.run(["tools", "Read", "path=a.txt"])).toEqual({
      code: 0,
      signal: null,
      stdout: "1: alpha\n2: \n",
      stderr: "",
    });
    expect(await machine.run(["tools", "Read", '{"path":"a.txt","count":true}'])).toMatchObject({
      code: 0,
      stdout: "2\n",
    });
    expect(JSON.parse((await machine.run(["tools", "--json", "Read", "path=a.txt"])).stdout)).toEqual({
      exit_code: 0,
      stdout: "1: alpha\n2: \n",
    });
  });

  test("debug says why each is in or out, for an agent, a mode and a task", async () => {
    machine.put({
      ".aura/config/agents/small.md": "---\nname: Small\ntools:\n  disabled: [coding__bash]\n---\nSmall.",
      ".aura/config/modes/quiet.md": "---\nname: Quiet\ntools:\n  disabled: [Write]\n---\nQuiet.",
      ".aura/config/tasks/t.yaml": "nightly:\n  commands: [go]\n  tools:\n    disabled: [Patch]\n",
      ".aura/config/tools/t.yaml": "Ls: { condition: todo_empty }\n",
      ".aura/config/mcp/m.yaml": 'broken: { command: "false" }\n',
    });
    const flags = ["--agent", "Small", "--mode", "quiet", "--task", "nightly", "--with-mcp"];
    const { code, stdout, stderr } = await machine.run(["--trust", "tools", "debug", ...flags]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const file = (name: string) => join(machine.project, ".aura/config", name);
    for (const line of [
      `  Ls (built-in) — eager; condition, decided in a conversation: todo_empty (${file("tools/t.yaml")}:1)`,
      `  Bash (built-in) — disabled by agent:Small: coding__bash (${file("agents/small.md")}:4)`,
      `  Write (built-in) — disabled by mode:Quiet: Write (${file("modes/quiet.md")}:4)`,
      `  Patch (built-in) — disabled by task filter: Patch (${file("tasks/t.yaml")}:4)`,
      "  LoadTools (meta) — unavailable: nothing is deferred",
    ])
      expect(stdout.split("\n")).toContain(line);
    expect(stdout).toMatch(/^ {2}mcp__broken__\* \(mcp:broken\) — unavailable: server "broken" failed: .*m\.yaml/m);
    const json = await machine.run(["tools", "debug", "--json", "bash"], { env: { AURA_EXCLUDE_TOOLS: "Bash,Ask" } });
    const [global, agent] = JSON.parse(json.stdout)[0].decisions;
    expect(global).toEqual({
      stage: "global",
      outcome: "excluded",
      words: "disabled by global filter (a flag)",
      entry: "Bash",
    });
    expect(agent).toMatchObject({ stage: "agent", outcome: "excluded", file: file("agents/small.md"), line: 4 });
    expect(await machine.run(["tools", "debug", "Bsah"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no tool "Bsah" (did you mean "Bash"?)'),
    });
  });

  test("that fail exit 1", async () => {
    expect(await machine.run(["tools", "Read", "path=missing"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Error: .*no such file/),
    });
    const json = await machine.run(["tools", "--json", "Read", "path=a.txt", "wrong=1"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ exit_code: 1, error: expect.stringContaining("wrong") });
    expect((await machine.run(["tools", "Bash", "command=if then"])).code).toBe(1);
  });

  test("stream: Bash shows its lines on standard error and its result on standard output", async () => {
    expect(await machine.run(["tools", "Bash", "command=echo out; echo err >&2; exit 3"])).toMatchObject({
      code: 0,
      stdout: "out\n\nSTDERR:\nerr\n\nEXIT CODE: 3\n",
      stderr: expect.stringContaining("  out\n"),
    });
  });
});

describe("policy test", () => {
  test("gives verdict, rule, file and the pattern that would be offered, with no configuration at all", async () => {
    const { code, stdout } = await machine.run(["policy", "test", "Bash", '{"command":"git push origin"}']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Bash: confirm\n {2}because: Bash \(built-in\)\n/);
    expect(stdout).toContain("offers:  Bash:git push*");
    const json = JSON.parse((await machine.run(["policy", "test", "--json", "Read", '{"path":"x"}'])).stdout);
    expect(json).toMatchObject({ tool: "Read", verdict: "auto" });
  });

  test("works for tools it does not know and inputs that fit none", async () => {
    machine.put({ "config/features/t.yaml": "tools:\n  policy:\n    deny: [mcp__*]\n" }, join(machine.home, ".aura"));
    const { code, stdout } = await machine.run(["policy", "test", "--json", "mcp__x__y", '{"a":[1]}']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "deny",
      because: { rule: "mcp__*", from: "features", file: join(machine.home, ".aura/config/features/t.yaml"), line: 3 },
    });
  });

  test("--stdin answers one line per line, and goes on after one that is no call", async () => {
    const input = [
      '{"tool":"Bash","args":{"command":"touch x"}}',
      "",
      "nonsense",
      '{"args":{}}',
      '{"tool":"Nope","args":null}',
      '{"tool":"Write","args":{"path":"/etc/x"}}',
    ].join("\n");
    const { code, stdout } = await machine.run(["policy", "test", "--stdin", "--json"], { input });
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([
      { tool: "Bash", verdict: "confirm", pattern: "Bash:touch*" },
      { error: expect.stringContaining("not JSON"), line: 3 },
      { error: expect.stringContaining("expected"), line: 4 },
      { tool: "Nope", verdict: "auto" },
      { tool: "Write", verdict: "confirm", pattern: "Write:/etc/*" },
    ]);
  });
});

test("tokens counts arguments and standard input", async () => {
  expect(await machine.run(["tokens", "--method", "rough", "12345678"])).toMatchObject({ code: 0, stdout: "2\n" });
  expect(await machine.run(["tokens", "--method", "rough"], { input: "1234567890ab" })).toMatchObject({
    code: 0,
    stdout: "3\n",
  });
  expect(JSON.parse((await machine.run(["tokens", "--json", "hello world"])).stdout)).toEqual({
    tokens: expect.any(Number),
  });
  expect(await machine.run(["tokens", " "])).toMatchObject({ code: 0, stdout: "0\n" });
  expect((await machine.run(["tokens", "--method", "magic", "x"])).code).not.toBe(0);
});

test("models lists what the configured providers serve", async () => {
  const server = await startModelServer();
  try {
    machine.put(
      {
        "config/providers/p.yaml": `claude: { type: anthropic, url: ${server.url}/anthropic/v1, token: secret-key-1 }\nlocal: { type: openai-compatible, url: ${server.url}/v1 }\n`,
      },
      join(machine.home, ".aura"),
    );
    const text = await machine.run(["models"]);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(
      text.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split("  ")[0]),
    ).toEqual(["claude/claude-sonnet-5-5", "local/served"]);
    const json = JSON.parse((await machine.run(["models", "--json", "--filter", "SERVED"])).stdout);
    expect(json).toMatchObject([{ id: "local/served" }]);
  } finally {
    await server.close();
  }
});

test("models says so when there is none", async () => {
  const { code, stdout, stderr } = await machine.run(["models"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("no provider is configured");
});

test("sessions lists what was said here, as text and JSON", async () => {
  await machine.run([...machine.script([{ text: "x" }]), "run", "the first words"]);
  const { stdout } = await machine.run(["sessions"]);
  expect(stdout).toMatch(/^\S+ {2}\[the first words\] {2}0m {2}the first words\n$/);
  await machine.run(["--continue", ...machine.script([]), "run", "/name my work"]);
  expect((await machine.run(["sessions"])).stdout).toBe("my-work  [the first words]  0m  the first words\n");
  expect(JSON.parse((await machine.run(["sessions", "--json"])).stdout)).toMatchObject([
    {
      description: "the first words",
      name: "my-work",
      title: "the first words",
      cwd: machine.project,
      updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
  const elsewhere = join(machine.root, "elsewhere");
  mkdirSync(elsewhere);
  expect((await machine.run(["sessions"], { cwd: elsewhere })).stdout).toBe("");
  expect((await machine.run(["sessions", "--all"], { cwd: elsewhere })).stdout).toContain("the first words");
});

test("a prompt that begins with an existing path is no command", async () => {
  machine.put({ "a.txt": "alpha" });
  const prompt = `${join(machine.project, "a.txt")} is odd`;
  const flags = machine.script([{ text: "Is it?", expect: { contains: [prompt] } }]);
  expect(await machine.run([...flags, "run", prompt])).toMatchObject({ code: 0, stdout: "Is it?\n" });
  expect(await machine.run([...flags, "run", "/not/there is odd"])).toMatchObject({ code: 1, stdout: "" });
});

test("demo without a terminal runs to its end, answers its own approvals and says so", async () => {
  const { code, stdout, stderr } = await machine.run(["demo"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("the model's words come from a script");
  expect(stdout).toContain("approvals answer themselves");
  expect(stdout).toMatch(/Patch/);
  expect(stdout).toMatch(/# pass \d+|pass(ed)?/);
  expect(stdout).not.toMatch(CONTROLS);
  expect(machine.files()).toEqual({});
}, 60_000);

test("every example of the shipped configuration can be switched on", async () => {
  await machine.run(["init"]);
  const { files } = machine;
  for (const [path, text] of Object.entries(files()))
    if (path.includes(".example.")) machine.put({ [path.replace(".example", "")]: text });
  expect(Object.keys(files()).some((path) => path.includes(".example."))).toBe(true);
  expect(await machine.run(["--print"], { env: { ANTHROPIC_API_KEY: "x" } })).toMatchObject({ code: 0 });
});
