import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONTROLS, createMachine, jsonLines, type Machine } from "./aura.ts";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
  machine.put({ "a.txt": "alpha\n" });
});
afterEach(() => machine.remove());

const TURNS = [
  {
    thinking: "I look.",
    text: "Looking.",
    calls: [
      { tool: "Read", input: { path: "a.txt" } },
      { tool: "Bash", input: { command: "printf '\\033[31mred\\033[0m\\n'; exit 3" } },
      { tool: "Read", input: { path: "missing" } },
    ],
    usage: { input: 100, output: 20, cached: 60 },
    chunk: 4,
  },
  { text: "It says *alpha* \u001b[2J.\nEnd.", chunk: 3, usage: { input: 150, output: 10 } },
];

test("text: the answer on standard output, calls and streamed lines on standard error, nothing that steers a terminal", async () => {
  const { code, stdout, stderr } = await machine.run([...machine.script(TURNS), "run", "read"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^It says \*alpha\* .*\.\nEnd\.\n$/);
  expect(stderr).toContain("> Read a.txt");
  expect(stderr).toMatch(/^ {2}.*red/m);
  expect(stderr).toMatch(/^x Read missing: .*no such file/m);
  expect(stderr).not.toContain("Looking.");
  expect(stderr).not.toMatch(CONTROLS);
});

test("--verbose adds what the model said and thought in between, on standard error", async () => {
  const { stdout, stderr } = await machine.run(["--verbose", ...machine.script(TURNS), "run", "read"]);
  expect(stdout).toMatch(/^It says/);
  expect(stderr).toContain("Looking.");
  expect(stderr).toContain("I look.");
});

test("json: one object a prompt", async () => {
  const args = [
    ...machine.script([...TURNS, { text: "Two." }]),
    "run",
    "--output-format",
    "json",
    "read",
    "/think",
    "go on",
  ];
  const { code, stdout } = await machine.run(args);
  expect(code).toBe(0);
  const [first, command, second, ...rest] = jsonLines(stdout);
  expect(rest).toEqual([]);
  expect(first).toMatchObject({
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 2,
    usage: { input_tokens: 250, output_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 0 },
    tool_calls: [
      { id: "call_1_1", tool: "Read", status: "done" },
      { id: "call_1_2", tool: "Bash", status: "done" },
      { id: "call_1_3", tool: "Read", status: "failed" },
    ],
  });
  expect(command).toMatchObject({ type: "result", subtype: "command", is_error: false, result: "Think: off" });
  expect(second).toMatchObject({ result: "Two.", session_id: first.session_id });
});

test("json: a failed prompt is an object too, and the exit code tells", async () => {
  const script = machine.script([{ error: { kind: "server", message: "It broke." } }]);
  const { code, stdout } = await machine.run([...script, "run", "--output-format", "json", "x"]);
  expect(code).toBe(1);
  expect(jsonLines(stdout)).toMatchObject([{ subtype: "error_failed", is_error: true, error: "It broke." }]);
});

test("stream-json: every line parses, the first introduces, the last concludes, calls carry id, tool and status", async () => {
  const args = [...machine.script(TURNS), "run", "--output-format", "stream-json", "read"];
  const { code, stdout, stderr } = await machine.run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = jsonLines(stdout);
  expect(lines[0]).toMatchObject({ type: "system", subtype: "init", cwd: machine.project, model: "story" });
  expect(lines.at(-1)).toMatchObject({ type: "result", subtype: "success", num_turns: 2 });
  const calls = lines.filter(({ type }) => type === "tool_call");
  for (const call of calls)
    expect(call).toMatchObject({ id: expect.any(String), tool: expect.any(String), status: expect.any(String) });
  expect(calls.filter(({ id }) => id === "call_1_2").map(({ status }) => status)).toEqual([
    "pending",
    "running",
    "done",
  ]);
  const deltas = lines.filter(({ type, event }) => type === "stream_event" && event.type === "text_delta");
  expect(deltas.map(({ event }) => event.text).join("")).toBe(`Looking.${TURNS[1]!.text}`);
  const asked = lines.flatMap(({ type, message }) => (type === "assistant" ? message.content : []));
  expect(asked.filter(({ type }) => type === "tool_use").map(({ id }) => id)).toEqual([
    "call_1_1",
    "call_1_2",
    "call_1_3",
  ]);
  const results = lines.flatMap(({ type, message }) => (type === "user" ? message.content : []));
  expect(
    results.filter(({ type }) => type === "tool_result").map(({ tool_use_id, is_error }) => [tool_use_id, is_error]),
  ).toEqual([
    ["call_1_1", false],
    ["call_1_2", false],
    ["call_1_3", true],
  ]);
});

test("--output mirrors what is printed to a file", async () => {
  const file = join(machine.root, "mirror.txt");
  await machine.run(["--output", file, ...machine.script(TURNS), "run", "read"]);
  const mirror = readFileSync(file, "utf8");
  expect(mirror).toContain("> Read a.txt\n");
  expect(mirror).toMatch(/End\.\n$/);
});

test("commands that need a turn to be over work right after one", async () => {
  const turns = [{ text: "One." }, { expect: { contains: ["beta"], lacks: ["alphabet"] }, text: "Two." }];
  const args = [...machine.script(turns), "run", "alphabet", "/clear", "beta", "/fork"];
  const { code, stdout, stderr } = await machine.run(args);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "One.\nConversation cleared.\nTwo.\nForked session: Fork of alphabet\n",
    stderr: "",
  });
});

test("json: calls are in the order the model made them, however they end", async () => {
  machine.put({ ".aura/config/features/t.yaml": "tools: { policy: { deny: ['Bash:rm*'] } }\n" });
  const bash = (command: string) => ({ tool: "Bash", input: { command } });
  const turns = [
    { calls: [bash("sleep 0.1"), bash("rm x"), { tool: "Read", input: { path: "a.txt" } }] },
    { text: "x" },
  ];
  const { stdout } = await machine.run([...machine.script(turns), "run", "--output-format", "json", "go"]);
  expect(jsonLines(stdout)[0]).toMatchObject({
    tool_calls: [
      { tool: "Bash", status: "done" },
      { tool: "Bash", status: "denied" },
      { tool: "Read", status: "done" },
    ],
  });
});
