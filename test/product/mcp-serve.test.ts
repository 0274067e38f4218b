import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRunning, untilGone } from "../helpers/processes.ts";
import { AURA, createMachine, type Machine, NODE } from "./aura.ts";

let machine: Machine;
const open: Client[] = [];
beforeEach(() => {
  machine = createMachine();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
  machine.remove();
});

/** Another client of `aura mcp serve`; `decide` is what its person answers, without one it cannot ask. */
async function connect(args: readonly string[], decide?: (message: string) => Record<string, string>) {
  const client = new Client(
    { name: "other", version: "1" },
    { capabilities: decide ? { elicitation: { form: {} } } : {} },
  );
  if (decide)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: "accept",
      content: decide(params.message),
    }));
  const transport = new StdioClientTransport({
    command: NODE,
    args: [AURA, "mcp", "serve", ...args],
    cwd: machine.project,
    env: { ...machine.env },
    stderr: "pipe",
  });
  await client.connect(transport);
  open.push(client);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    return `${isError ? "ERROR " : ""}${(content as { text: string }[])[0]!.text}`;
  };
  return { client, call, pid: transport.pid! };
}

test("another client reads and, with its person's yes, changes files; a no is a no", async () => {
  writeFileSync(join(machine.project, "a.txt"), "one\n");
  const asked: string[] = [];
  const decisions = ["allow", "deny"];
  const { call } = await connect(["coding"], (message) => {
    asked.push(message);
    return { decision: decisions.shift()! };
  });
  expect(await call("read_file", { file_path: "a.txt" })).toBe("1: one\n2: \n");
  expect(await call("edit_file", { filePath: "a.txt", oldString: "one", newString: "two" })).toContain("Success");
  expect(await call("bash", { command: "rm a.txt" })).toMatch(/^ERROR tool call denied by user/);
  expect(readFileSync(join(machine.project, "a.txt"), "utf8")).toBe("two\n");
  expect(asked).toEqual([expect.stringContaining("+two"), expect.stringContaining("rm a.txt")]);
});

test("a client that cannot ask is refused what wants a person; rules of the folder bind it", async () => {
  mkdirSync(join(machine.project, ".aura/config/features"), { recursive: true });
  writeFileSync(
    join(machine.project, ".aura/config/features/tools.yaml"),
    "tools:\n  disabled: [coding__find]\n  policy:\n    deny: ['Bash:echo secret*']\n    confirm: [Write]\n",
  );
  const { client, call } = await connect(["coding", "--permission-mode", "auto"]);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(["read_file", "write_file", "edit_file", "list_files", "grep", "bash", "read_background_bash"]);
  expect(await call("write_file", { filePath: "a.txt", content: "x" })).toBe(
    "ERROR tool call denied: nobody could be asked: the client cannot ask a person",
  );
  expect(await call("bash", { command: "echo secret" })).toContain('denied by policy (pattern "Bash:echo secret*"');
  expect(await call("bash", { command: "mv a b" })).toContain("the client cannot ask a person");
  expect(await call("find", { pattern: "*" })).toContain("disabled by global filter");
  expect(existsSync(join(machine.project, "a.txt"))).toBe(false);
});

test("a server of the same name that a project configures does not stand in its way", async () => {
  mkdirSync(join(machine.project, ".aura/config/mcp"), { recursive: true });
  writeFileSync(join(machine.project, ".aura/config/mcp/a.yaml"), "coding: { type: in-memory }\n");
  writeFileSync(join(machine.project, "a.txt"), "one\n");
  const { call } = await connect(["coding"]);
  expect(await call("read_file", { filePath: "a.txt" })).toContain("1: one");
});

test("tasks are kept for the next client", async () => {
  const first = await connect(["tasks", "--dir", "."]);
  await first.call("task_create", { title: "Kept" });
  const second = await connect(["tasks", "--dir", "."]);
  expect(JSON.parse(await second.call("task_list", {}))).toMatchObject({ count: 1, tasks: [{ title: "Kept" }] });
});

test("a plan is approved by the other client's person, and a form filled in", async () => {
  const plan = join(machine.project, "plan.md");
  writeFileSync(plan, "# Plan\n");
  const review = await connect(["plan"], (message) =>
    message.includes("# Plan") ? { decision: "deny", feedback: "More tests." } : {},
  );
  expect(JSON.parse(await review.call("submit_plan", { planPath: plan }))).toEqual({
    approved: false,
    feedback: "More tests.",
  });
  const survey = await connect(["survey"], () => ({ answer1: "blue" }));
  const schema = { type: "object", properties: { colour: { type: "string", enum: ["red", "blue"] } } };
  expect(JSON.parse(await survey.call("ask_user", { message: "Which?", schema }))).toEqual({
    accepted: true,
    data: { colour: "blue" },
  });
});

test("it ends with its input, and so does what it started", async () => {
  const { client, pid } = await connect(["coding"], () => ({ decision: "allow" }));
  const running = new Promise<void>((resolve) => {
    void client
      .callTool({ name: "bash", arguments: { command: "echo $$ > pid; echo started; exec sleep 600" } }, undefined, {
        onprogress: () => resolve(),
      })
      .catch(() => undefined);
  });
  await running;
  const child = Number(readFileSync(join(machine.project, "pid"), "utf8"));
  expect([isRunning(pid), isRunning(child)]).toEqual([true, true]);
  await client.close();
  await untilGone([pid, child]);
});

test("an argument it does not know ends it with 1, a sentence, and nothing on standard output", async () => {
  const { code, stdout, stderr } = await machine.run(["mcp", "serve", "coding", "--root", "x"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain('mcp serve: coding: unknown argument "--root"; it takes --root-dir <path>');
  expect((await machine.run(["mcp", "serve", "codng"])).stderr).toContain('Did you mean "coding"?');
});

test("a second Aura is a client like any other", async () => {
  mkdirSync(join(machine.project, ".aura/config/mcp"), { recursive: true });
  writeFileSync(
    join(machine.project, ".aura/config/mcp/other.yaml"),
    `other:\n  command: ${JSON.stringify(NODE)}\n  args: [${JSON.stringify(AURA)}, mcp, serve, coding, --root-dir, sub]\n`,
  );
  mkdirSync(join(machine.project, "sub"));
  writeFileSync(join(machine.project, "sub/a.txt"), "from the other\n");
  const script = machine.script([
    { calls: [{ tool: "mcp__other__read_file", input: { filePath: "a.txt" } }] },
    { calls: [{ tool: "mcp__other__bash", input: { command: "touch made" } }] },
    { text: "Read." },
  ]);
  const { code, stdout } = await machine.run([
    ...["--trust", ...script, "run", "--with-mcp", "--output-format", "stream-json", "go"],
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain("from the other");
  // Nobody sits there: the question comes back through this Aura as its own, and is declined.
  expect(stdout).toContain("tool call denied by user");
});
