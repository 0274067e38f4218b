import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultLimits } from "../../../../src/extensions/script/limits.ts";
import { readSource } from "../../../../src/extensions/script/read-source.ts";
import { type ScriptDef, scriptTool } from "../../../../src/extensions/script/script-tool.ts";
import { callOf } from "../../../../src/extensions/script/tool-aliases.ts";
import type { Tool } from "../../../../src/toolkit/tool.ts";
import { bash } from "../../../../src/tools/bash.ts";
import { read } from "../../../../src/tools/read.ts";
import { write } from "../../../../src/tools/write.ts";
import { diskFiles } from "../../../../src/workspace/disk-files.ts";
import { ASK, AUTO, DENY, type FakeTurnOptions, fakeTool, fakeTurn } from "../../../helpers/fake-turn.ts";
import { memoryProject } from "../../../helpers/memory-project.ts";

const ALLOWED = ["read", "write", "bash", "Slow", "Batch", "other"];

function tool(more: Partial<ScriptDef> = {}, session: { isScript?: (name: string) => boolean } = {}): Tool {
  const def = {
    name: "find",
    description: "Finds things. And more.",
    path: "scripts/find.js",
    allowedTools: ALLOWED,
    limits: { ...defaultLimits(false), timeoutMs: 20_000 },
    ...more,
  };
  return scriptTool(def, {
    session: {
      chain: new AsyncLocalStorage(),
      isScript: (name) => name === "other",
      isParallel: (name) => name !== "Slow",
      has: () => false,
      ...session,
    },
  });
}

/** The settled call and its children, of a script that is the body of `run`. */
async function runBody(body: string, more: FakeTurnOptions & { def?: Partial<ScriptDef> } = {}) {
  const files = {
    "scripts/find.js": `async function run(ctx, inputs) {${body}}`,
    "a.txt": "one\ntwo\n",
    ...more.files,
  };
  const turn = fakeTurn({ ...more, tools: [tool(more.def), read, write, bash, ...(more.tools ?? [])], files });
  const [call] = await turn.call({ tool: "find", input: { inputs: { a: 1 } } });
  return {
    turn,
    call,
    text:
      call?.status === "done"
        ? call.output.text
        : call?.status === "failed" && "message" in call.failure
          ? call.failure.message
          : "",
  };
}

test("An inner call goes through the pipeline as a child of the call, under our tool's name", async () => {
  const { turn, text } = await runBody(
    'const one = await ctx.read("a.txt"); return [one.name, one.text, one.exitCode];',
  );
  expect(JSON.parse(text)).toEqual(["Read", "one\ntwo\n", 0]);
  expect(turn.judged.map(({ tool, callId }) => [tool, callId])).toEqual([
    ["find", "c1"],
    ["Read", "c1/1"],
  ]);
  const child = turn.events.flatMap((event) =>
    event.type === "call-changed" && event.call.id === "c1/1" ? [event.call] : [],
  );
  expect(child.map(({ status, parentId }) => [status, parentId])).toEqual([
    ["pending", "c1"],
    ["running", "c1"],
    ["done", "c1"],
  ]);
});

test("What a rule denies is a result that says so, and what a person allows is asked in the script's name", async () => {
  const body = `const one = await ctx.tool("write", { path: "b.txt", content: "b" });
    const two = await ctx.tool("Write", { path: "c.txt", content: "c" });
    return [one.exitCode, one.metadata.status, two.exitCode, two.metadata.status];`;
  const asked: (string | undefined)[] = [];
  const { text } = await runBody(body, {
    judge: ({ tool, given }) => (tool !== "Write" ? AUTO : given[0] === "b.txt" ? DENY : ASK),
    answers: ({ who, tool }) => {
      asked.push(who, tool);
      return { allow: true, scope: "once" };
    },
  });
  expect(JSON.parse(text)).toEqual([1, "denied", 0, "done"]);
  expect(asked).toEqual(["find", "Write"]);
});

test.each([
  ["a tool that is not listed", 'ctx.tool("Patch", { patch: "x" })', '"Patch" is not in this script\'s allowed_tools'],
  ["a tool that the session does not have", 'ctx.tool("Slow")', "tool not found"],
  ["Batch, though listed", 'ctx.tool("Batch", { calls: [] })', '"Batch" cannot be called by a script'],
  ["another script tool, though listed", "ctx.tools.other({})", '"other" cannot be called by a script'],
])("A script may not call %s, and may catch that", async (_, call, reason) => {
  const { turn, text } = await runBody(
    `try { await ${call} } catch (error) { return error.code + ": " + error.message }`,
  );
  expect(text).toContain(`tool-not-allowed: ${reason}`);
  expect(turn.judged.map(({ tool }) => tool)).toEqual(["find"]);
});

test("A script that an agent calls on behalf of a script is refused", async () => {
  const chain = new AsyncLocalStorage<string>();
  const task = fakeTool("Slow", {
    run: async (_, access) => (await access.callTools([{ tool: "inner", input: {} }]))[0]!.status,
  });
  const session = { chain, isScript: () => false, isParallel: () => true, has: () => false };
  const def = { name: "outer", description: "x", path: "a.js", allowedTools: ["Slow"], limits: defaultLimits(false) };
  const inChain = scriptTool({ ...def, name: "inner" }, { session });
  const turn = fakeTurn({
    tools: [scriptTool(def, { session }), inChain, task],
    files: { "a.js": 'export default async (ctx) => (await ctx.tool("Slow")).output' },
  });
  const [call] = await turn.call({ tool: "outer" });
  expect(call).toMatchObject({ status: "done", output: { text: "failed" } });
});

test("Inner output over the limit is cut between characters, marked, and told in the metadata", async () => {
  const body = `const { output, metadata } = await ctx.tool("Slow"); return { output, metadata };`;
  const long = fakeTool("Slow", { run: async () => "ä".repeat(1000) });
  const def = { limits: { ...defaultLimits(false), timeoutMs: 20_000, maxOutputBytes: 300 } };
  const { text } = await runBody(`${body}`, { tools: [long], def });
  // The result itself is held to the same limit.
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300);
  expect(text).toMatch(/\[cut: \d+ bytes in all\]$/);
  const told = await runBody(
    `const { output, metadata } = await ctx.tool("Slow"); return [output.slice(-27), metadata.truncated, metadata.bytes]`,
    { tools: [long], def },
  );
  expect(JSON.parse(told.text)).toEqual(["ää\n[cut: 2000 bytes in all]", true, 2000]);
});

test("Arguments a tool does not take are an exception with the tool's own words", async () => {
  const { text } = await runBody(
    'try { await ctx.read({}) } catch (error) { return error.code + " " + error.message }',
  );
  expect(text).toMatch(/^bad-arguments .*path/);
});

test("Calls of a tool that is not safe beside others run one after the other", async () => {
  let open = 0;
  let most = 0;
  const slow = fakeTool("Slow", {
    parallel: false,
    run: async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return "x";
    },
  });
  await runBody('await Promise.all([ctx.tool("Slow"), ctx.tool("Slow"), ctx.tool("Slow")])', { tools: [slow] });
  expect(most).toBe(1);
});

test("A failing command gives its exit code", async () => {
  const failing = { ...bash, run: async () => "out\n\nEXIT CODE: 3" };
  const files = {
    "scripts/find.js": 'export default async (ctx) => (await ctx.tool("bash", { command: "x" })).exitCode',
  };
  const turn = fakeTurn({ tools: [tool(), failing], files });
  expect((await turn.call({ tool: "find" }))[0]).toMatchObject({ status: "done", output: { text: "3" } });
});

test.each([
  ["read-error", "scripts/gone.js", {}],
  ["read-error", "scripts/bytes.js", { "scripts/bytes.js": "\uD800" }],
  ["source-too-large", "scripts/big.js", { "scripts/big.js": `//${"x".repeat(192 * 1024)}` }],
])("%s: the script is read when it is called", async (code, path, files) => {
  const project = memoryProject(
    code === "read-error" && path.includes("bytes") ? { [path]: new Uint8Array([0xff, 0xfe, 0xfd]) } : files,
  );
  const called = await project.call(tool({ path }), {});
  expect(called).toMatchObject({ status: "failed", message: expect.stringMatching(new RegExp(`^${code}: ${path}`)) });
});

test.each([
  ["path-escape", "out.js"],
  ["path-escape", "folder/out.js"],
  ["bad-extension", "text.js"],
  ["read-error", "loop.js"],
])("%s: a link is followed when the script is called (%s)", async (code, path) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "aura-script-")));
  try {
    const cwd = join(root, "project");
    mkdirSync(cwd);
    writeFileSync(join(root, "out.js"), "export default () => 1");
    writeFileSync(join(cwd, "text.txt"), "export default () => 1");
    symlinkSync(join(root, "out.js"), join(cwd, "out.js"));
    symlinkSync(root, join(cwd, "folder"));
    symlinkSync("text.txt", join(cwd, "text.js"));
    symlinkSync("loop.js", join(cwd, "loop.js"));
    const files = diskFiles({ stateDir: join(root, "state"), home: root, env: {} });
    await expect(readSource(path, { files, cwd })).rejects.toMatchObject({ code });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("An edit of the script takes effect at the next call", async () => {
  const project = memoryProject({ "scripts/find.js": "export default () => 'before'" });
  expect(await project.run(tool(), {})).toBe("before");
  await project.put("scripts/find.js", "export default () => 'after'");
  expect(await project.run(tool(), {})).toBe("after");
});

test("The dialog shows the script and what it may call", async () => {
  const project = memoryProject({});
  expect(await project.preview(tool({ allowedTools: ["read", "bash"] }), {})).toEqual({
    title: "scripts/find.js, which may call: read, bash",
  });
});

test.each([
  ["read", { file_path: "a", offset: 3, limit: 2 }, { tool: "Read", input: { path: "a", line_start: 3, line_end: 4 } }],
  ["Read", { file_path: "a" }, { tool: "Read", input: { file_path: "a" } }],
  [
    "grep",
    { query: "x", include: "*.ts", "-i": true },
    { tool: "Rg", input: { pattern: "x", glob: "*.ts", ignore_case: true } },
  ],
  [
    "search",
    { mode: "grep", query: "x", case_sensitive: false },
    { tool: "Rg", input: { pattern: "x", ignore_case: true } },
  ],
  ["bash", { command: "ls", timeout: 9 }, { tool: "Bash", input: { command: "ls", timeout_ms: 9 } }],
  [
    "edit",
    { file_path: "a", old_string: "b\nc\n", new_string: "d" },
    { tool: "Patch", input: { patch: "*** Begin Patch\n*** Update File: a\n@@\n-b\n-c\n+d\n*** End Patch" } },
  ],
  ["mcp__github__search", { query: "x" }, { tool: "mcp__github__search", input: { query: "x" } }],
])("%s called with A3S's arguments is our tool with ours", (name, given, expected) => {
  expect(callOf(name, given)).toEqual(expected);
});
