import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPty } from "../helpers/pty.ts";
import { AURA, createMachine, type Machine, NODE } from "./aura.ts";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

function put(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(machine.project, file)), { recursive: true });
    writeFileSync(join(machine.project, file), text);
  }
}

const AGENT = {
  "agent/instructions.md": "You look for things.\n",
  "agent/agent.yaml": "limits: { max_steps: 5 }\n",
  "agent/tools/find.md": "---\nkind: script\npath: scripts/find.js\nallowed_tools: [glob, write]\n---\nFinds files.\n",
  "agent/schedules/nightly.md": "---\ncron: 0 3 * * *\n---\nLook for scripts.\n",
  "scripts/find.js": `export default async function run(ctx, { pattern }) {
    const made = await ctx.tool("write", { path: "made.txt", content: "x" });
    return (await ctx.glob(pattern)) + " " + made.metadata.status;
  }\n`,
};
const TURNS = [
  {
    expect: { contains: ["Look for scripts.", "You look for things."], tools: ["find"] },
    calls: [{ tool: "find", input: { inputs: { pattern: "scripts/*.js" } } }],
  },
  { expect: { contains: ["Found 1 match(es)", "denied"] }, text: "There is one." },
];

test("agentdir check prints what loads, and names every error and fails where something does not", async () => {
  put(AGENT);
  const good = await machine.run(["agentdir", "check", "agent", "--json"]);
  expect({ ...good, stdout: JSON.parse(good.stdout) }).toEqual({
    code: 0,
    signal: null,
    stderr: "",
    stdout: {
      tools: [
        {
          name: "find",
          kind: "script",
          file: "tools/find.md",
          path: "scripts/find.js",
          allowed_tools: ["glob", "write"],
          limits: { timeoutMs: 30_000, maxToolCalls: 20, maxOutputBytes: 65_536 },
        },
      ],
      errors: [],
      warnings: [],
    },
  });

  put({ "agent/tools/wrong.md": "---\nkind: script\npath: ../x.js\n---\n" });
  const bad = await machine.run(["agentdir", "check", "agent", "--json"]);
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.stdout)).toEqual({
    tools: [],
    errors: [
      {
        code: "path-escape",
        file: "tools/wrong.md",
        message: 'tools/wrong.md:3: path: "../x.js" leads out of the workspace; write it relative to it',
      },
    ],
    warnings: [],
  });
  expect((await machine.run(["agentdir", "check", "agent"])).stdout).toMatch(
    /^error path-escape: tools\/wrong\.md:3: /,
  );
});

test("a directory is served once it is trusted, in one session a schedule, and not when a script has changed", async () => {
  put(AGENT);
  const serve = (...more: string[]) => machine.run([...machine.script(TURNS), "serve", "agent", "--once", ...more]);

  const refused = await serve();
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("tools/find.md: script scripts/find.js, which may call glob, write");
  expect(refused.stderr).toContain("aura serve agent --trust");

  const first = await serve("--trust");
  // Nobody is there to be asked: what would need a yes is refused, and the run goes on.
  expect({ code: first.code, stdout: first.stdout }).toEqual({ code: 0, stdout: "[nightly] There is one.\n" });
  const again = await machine.run([
    ...machine.script([{ expect: { contains: ["There is one."] }, text: "As before." }]),
    ...["serve", "agent", "--now", "Nightly"],
  ]);
  expect(again).toMatchObject({ code: 0, stdout: "[nightly] As before.\n" });

  put({ "scripts/find.js": "export default () => 'something else'\n" });
  const changed = await serve();
  expect(changed.code).toBe(1);
  expect(changed.stderr).toContain("scripts/find.js");
});

test("somebody at a terminal is asked whether to trust what it would run", async () => {
  put(AGENT);
  const serve = () =>
    openPty(NODE, [AURA, ...machine.script(TURNS), "serve", "agent", "--once"], {
      cwd: machine.project,
      env: { ...machine.env },
    });
  const no = serve();
  await no.shows("script scripts/find.js, which may call glob, write");
  await no.shows("[y/N]");
  no.type("\r");
  expect((await no.exit).exitCode).toBe(1);
  const yes = serve();
  await yes.shows("[y/N]");
  yes.type("y\r");
  await yes.shows("[nightly] There is one.");
  expect((await yes.exit).exitCode).toBe(0);
});

test("a schedule runs at its time and never beside itself, and SIGTERM ends all of it", async () => {
  put({ ...AGENT, "agent/schedules/nightly.md": '---\ncron: "* * * * * *"\n---\nLook for scripts.\n' });
  put({ "agent/agent.yaml": "tools: { policy: { confirm: [] } }\n" });
  const hang = { calls: [{ tool: "Bash", input: { command: "echo $$ > pid; echo hanging; exec sleep 600" } }] };
  const running = machine.start([...machine.script([hang], { loop: true }), "serve", "agent", "--trust"]);
  await running.shows("hanging");
  await running.shows("still running, this time is passed over");
  running.child.kill("SIGTERM");
  const ended = await running.ended;
  expect({ code: ended.code, last: ended.stderr.trimEnd().split("\n").at(-1) }).toEqual({
    code: 0,
    last: "aura: stopped",
  });
  expect(() => process.kill(Number(readFileSync(join(machine.project, "pid"), "utf8")), 0)).toThrow("ESRCH");
});

test("a server that cannot be reached fails the start, naming its file", async () => {
  put({
    ...AGENT,
    "agent/tools/gone.md": "---\nkind: mcp\nname: gone\ncommand: there-is-no-such-program\n---\n",
  });
  const ended = await machine.run([...machine.script([{ text: "never" }]), "serve", "agent", "--once", "--trust"]);
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(/\[nightly\] mcp-connect: .*agent\/tools\/gone\.md: server "gone"/);
});

test("a server that is declared is there in the schedule's session", async () => {
  const memory = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/server-memory/dist/index.js");
  put({
    ...AGENT,
    "agent/tools/notes.md": `---\nkind: mcp\nname: notes\ncommand: ${process.execPath}\nargs: ["${memory}"]\nenv: { MEMORY_FILE_PATH: "\${NOTES_FILE}" }\n---\n`,
  });
  const turns = [
    {
      expect: { tools: ["mcp__notes__read_graph"] },
      calls: [{ tool: "mcp__notes__read_graph", input: {} }],
    },
    { expect: { contains: ["entities"] }, text: "Empty." },
  ];
  const ended = await machine.run([...machine.script(turns), "serve", "agent", "--once", "--trust"], {
    env: { NOTES_FILE: join(machine.project, "notes.json") },
  });
  expect(ended).toMatchObject({ code: 0, stdout: "[nightly] Empty.\n" });
});

test("a project's tools never take the place of others, and aura trust says what it vouches for", async () => {
  put({
    ".aura/config/features/tools.yaml": "tools: { scripts: true }\n",
    ".aura/tools/read.md": "---\nkind: script\npath: scripts/find.js\n---\nIs not Read.\n",
    ".aura/tools/find.md": AGENT["agent/tools/find.md"],
    "scripts/find.js": AGENT["scripts/find.js"],
  });
  const run = () => machine.run([...machine.script([{ expect: { tools: ["Read"] }, text: "Yes." }]), "run", "go"]);
  const before = await run();
  expect(before).toMatchObject({ code: 0, stdout: "Yes.\n" });
  expect(before.stderr).toContain("not offered until you trust what they run: find, read");
  expect(before.stderr).toContain('read.md: there is a tool "read" already');
  const trusted = await machine.run(["trust"]);
  expect(trusted.stdout).toContain(
    "Trusted until it changes: tools/find.md: script scripts/find.js, which may call glob, write",
  );
  const after = await run();
  expect(after.stderr).not.toContain("not offered");
});
