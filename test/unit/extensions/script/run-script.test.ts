import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { InnerResult } from "../../../../src/extensions/script/messages.ts";
import { runScript, type ScriptRun } from "../../../../src/extensions/script/run-script.ts";

const LIMITS = { timeoutMs: 20_000, maxToolCalls: 1000, maxOutputBytes: 65_536 };

const echo: ScriptRun["call"] = async (name, input) => result({ name, output: JSON.stringify(input) });

function result({ name = "Tool", output = "" }: Partial<InnerResult>): InnerResult {
  return { name, output, text: output, exitCode: 0, metadata: '{"status":"done"}' };
}

function script(source: string, more: Partial<ScriptRun> = {}): ScriptRun {
  const signal = new AbortController().signal;
  const base = { source, fileName: "scripts/x.js", inputs: {}, limits: LIMITS, shorthands: [], signal };
  return { ...base, call: echo, refusal: () => undefined, print: () => undefined, ...more };
}

/** The text of the result, or the code and the sentence it failed with. */
const ending = (run: ScriptRun) =>
  runScript(run).then(
    ({ text }) => text,
    (error: Error) => error.message,
  );

/** How often this thread got a turn while the work was done. */
async function beatsDuring(work: Promise<unknown>): Promise<number> {
  let beats = 0;
  const timer = setInterval(() => beats++, 1);
  await work;
  clearInterval(timer);
  return beats;
}

test.each([
  ["a function run", "async function run(ctx, inputs) { return inputs.a }"],
  ["a default export", "export default async (ctx, inputs) => inputs.a"],
  ["a default export called run", "export default async function run(ctx, inputs) { return inputs.a }"],
  ["a constant", "const run = (ctx, inputs) => inputs.a"],
  ["an await at its top", "await null; async function run(ctx, inputs) { return inputs.a }"],
])("A script that defines %s is run with its inputs", async (_, source) => {
  expect(await ending(script(source, { inputs: { a: "given" } }))).toBe("given");
});

test("What run returns is shown as JSON, a text as it is, and nothing as null", async () => {
  expect(await ending(script("async function run() { return { a: [1, 'b'] } }"))).toBe(
    '{\n  "a": [\n    1,\n    "b"\n  ]\n}',
  );
  expect(await ending(script("async function run() {}"))).toBe("null");
});

test("Calls made together are open together, and each gets its own answer", async () => {
  const open: (() => void)[] = [];
  const call: ScriptRun["call"] = (name) =>
    new Promise((resolve) => {
      open.push(() => resolve(result({ output: name })));
      // The last one is answered first.
      if (open.length === 3) for (const answer of open.reverse()) answer();
    });
  const source = `async function run(ctx) {
    const all = await Promise.all([ctx.tool("a"), ctx.tools.b({}), ctx.read("c")]);
    return all.map((one) => one.output).join();
  }`;
  expect(await ending(script(source, { call }))).toBe("a,b,read");
});

test("The shorthands call the tools of their names, and some give back only the output", async () => {
  const source = `async function run(ctx) {
    return JSON.stringify([
      await ctx.grep("x", { path: "p" }), await ctx.search("x"), await ctx.glob("*.ts"), await ctx.ls(), await ctx.bash("ls"),
      (await ctx.read("f")).output, await ctx.readFile("f"), Object.keys(await ctx.tool("t", { a: 1 })).sort(),
      typeof ctx.webSearch, Object.isFrozen(ctx),
    ]);
  }`;
  expect(JSON.parse(await ending(script(source)))).toEqual([
    '{"path":"p","pattern":"x"}',
    '{"pattern":"x"}',
    '{"pattern":"*.ts"}',
    "{}",
    '{"command":"ls"}',
    '{"path":"f"}',
    '{"path":"f"}',
    ["exitCode", "metadata", "name", "output", "text"],
    "undefined",
    true,
  ]);
  const searches = "async function run(ctx) { return (await ctx.webSearch('q')).output }";
  expect(await ending(script(searches, { shorthands: ["webSearch"] }))).toBe('{"query":"q"}');
});

test("There is nothing in its realm but the language, ctx and console", async () => {
  const names = ["process", "require", "fetch", "setTimeout", "WebSocket", "Worker", "std", "os", "__aura_take_run"];
  const source = `async function run() { return ${JSON.stringify(names)}.filter((name) => name in globalThis).join() }`;
  expect(await ending(script(source))).toBe("");
  expect(await ending(script("import fs from 'fs'; export default () => 1"))).toMatch(/^script-error: .*fs/);
});

test("A refused call is an exception the script may catch; uncaught it ends the script with its code and line", async () => {
  const call: ScriptRun["call"] = async (name) => ({ code: "tool-not-allowed", message: `"${name}" is not listed` });
  const caught = `async function run(ctx) {
    try { await ctx.tool("bash") } catch (error) { return error.code + " " + error.message }
  }`;
  expect(await ending(script(caught, { call }))).toBe('tool-not-allowed "bash" is not listed');
  const uncaught = "async function run(ctx) {\n\n  await ctx.bash('ls');\n}";
  expect(await ending(script(uncaught, { call }))).toBe('tool-not-allowed: scripts/x.js:3: "bash" is not listed');
});

test("An error that only looks like a refusal is the script's own", async () => {
  const source = "async function run() { throw Object.assign(new Error('x'), { code: 'timeout' }) }";
  expect(await ending(script(source))).toBe("script-error: scripts/x.js:1: Error: x");
});

test.each([
  [
    "a thrown error",
    "function run() {\n  throw new TypeError('boom');\n}",
    "script-error: scripts/x.js:2: TypeError: boom",
  ],
  ["a thrown text", "async function run() { throw 'boom' }", "script-error: scripts/x.js: boom"],
  [
    "a syntax error",
    "let a = 1;\nlet b = ;",
    "script-error: scripts/x.js:2: SyntaxError: unexpected token in expression: ';'",
  ],
  [
    "endless recursion",
    "function run() { return run() + 1 }",
    "script-error: scripts/x.js:1: InternalError: stack overflow",
  ],
  [
    "a promise nobody settles",
    "const run = () => new Promise(() => {})",
    "script-error: scripts/x.js: run waits for a promise that nothing will settle",
  ],
  ["no run", "const a = 1", 'no-run: scripts/x.js defines no function "run(ctx, inputs)" and exports none by default'],
  ["a result that is not JSON", "const run = () => { const a = {}; a.a = a; return a }", /^bad-result: /],
  ["a function for a result", "const run = () => () => 1", "bad-result: what run returned is not JSON"],
  [
    "arguments that are not JSON",
    "const run = (ctx) => ctx.tool('x', { a: 1n })",
    /^bad-arguments: scripts\/x\.js:1: /,
  ],
  ["arguments that are no object", "const run = (ctx) => ctx.tool('x', [1])", /^bad-arguments: /],
])("It ends with its code and place: %s", async (_, source, expected) => {
  expect(await ending(script(source))).toEqual(
    typeof expected === "string" ? expected : expect.stringMatching(expected),
  );
});

test.each([
  ["an endless loop", "const run = () => { for (;;); }"],
  [
    "an endless loop that catches",
    "const run = async () => { for (;;) try { await f() } catch {} }\nasync function f() { for (;;); }",
  ],
  ["endless jobs", "const run = async () => { for (;;) await null }"],
  ["a regular expression without end", "const run = () => /^(a+)+$/.test('a'.repeat(40) + 'b')"],
])("The time limit ends %s, and this thread goes on meanwhile", async (_, source) => {
  const ended = ending(script(source, { limits: { ...LIMITS, timeoutMs: 300 } }));
  expect(await beatsDuring(ended)).toBeGreaterThan(20);
  expect(await ended).toBe("timeout: the script took longer than 300 ms");
});

test.each([
  ["arrays", "const run = () => { const all = []; for (;;) all.push(new Array(1000).fill(0)) }"],
  ["objects kept for ever", "const run = () => { globalThis.all = []; for (;;) all.push({ a: [1, 2, 3] }) }"],
  ["bytes", "const run = () => { const all = []; for (;;) all.push(new Uint8Array(1e6)) }"],
  ["one text", "const run = () => { let text = 'x'; for (;;) text += text }"],
])("A storm of %s ends as out of memory, and this thread goes on meanwhile", async (_, source) => {
  const ended = ending(script(source));
  expect(await beatsDuring(ended)).toBeGreaterThan(5);
  expect(await ended).toBe("out-of-memory: the script needed more than 64 MiB");
});

test("One operation that cannot be interrupted is ended with its thread", async () => {
  const source = "const run = () => 'x'.repeat(2e7).indexOf('x'.repeat(1e7) + 'y')";
  const ended = ending(script(source, { limits: { ...LIMITS, timeoutMs: 200 } }));
  expect(await beatsDuring(ended)).toBeGreaterThan(20);
  expect(await ended).toBe("timeout: the script took longer than 200 ms");
});

test("The 1,001st call is refused and never made", async () => {
  let made = 0;
  const call: ScriptRun["call"] = async () => {
    made++;
    return result({});
  };
  const source = "async function run(ctx) { for (let i = 0; i < 1001; i++) await ctx.tool('x') }";
  const ended = ending(script(source, { call }));
  expect(await beatsDuring(ended)).toBeGreaterThan(5);
  expect(await ended).toBe("max-tool-calls: scripts/x.js:1: a script may make 1000 calls (limits.maxToolCalls)");
  expect(made).toBe(1000);
});

test.runIf(process.platform === "linux")("No thread is left, however a script ends", async () => {
  const ends = [
    "const run = () => 1",
    "const run = () => { for (;;); }",
    "throw 1",
    "const run = (ctx) => ctx.tool('x')",
  ];
  const started: string[] = [];
  const call: ScriptRun["call"] = async () => ({ code: "tool-not-allowed", message: "no" });
  const threads = () => readdirSync("/proc/self/task").length;
  await ending(script(ends[0]!)); // what the process starts once for all of them is there now
  const before = threads();
  for (const source of ends)
    started.push(await ending(script(source, { call, limits: { ...LIMITS, timeoutMs: 100 } })));
  expect(started.map((text) => text.split(":")[0])).toEqual(["1", "timeout", "script-error", "tool-not-allowed"]);
  expect(threads()).toBeLessThanOrEqual(before);
});

test("A call that is refused does not count as one", async () => {
  const refusal: ScriptRun["refusal"] = (tool) =>
    tool === "no" ? { code: "tool-not-allowed", message: "no" } : undefined;
  const source = `async function run(ctx) {
    for (let i = 0; i < 5; i++) await ctx.tool("no").catch(() => {});
    return (await ctx.tool("yes")).name;
  }`;
  expect(await ending(script(source, { refusal, limits: { ...LIMITS, maxToolCalls: 1 } }))).toBe("yes");
});

test("17 MB of output is cut between characters and says so", async () => {
  const limits = { ...LIMITS, maxOutputBytes: 16 * 1024 * 1024 };
  const ended = ending(script("async function run() { return 'ä'.repeat(8.5e6) }", { limits }));
  expect(await beatsDuring(ended)).toBeGreaterThan(5);
  const text = await ended;
  expect(text.slice(-40)).toMatch(/^ä+\n\[cut: 17000000 bytes in all\]$/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.maxOutputBytes);
  expect(Buffer.byteLength(text)).toBeGreaterThan(limits.maxOutputBytes - 100);
});

test("What it logs is told line by line and kept up to a size", async () => {
  const lines: string[] = [];
  const source =
    "async function run() { console.log('one', { a: 1 }); for (let i = 0; i < 2000; i++) console.warn('row ' + i); return 1 }";
  const { log } = await runScript(script(source, { print: (line) => lines.push(line) }));
  expect(lines[0]).toBe('one {"a":1}');
  expect(Buffer.byteLength(log)).toBeLessThan(4200);
  expect(log).toMatch(/\[\d+ more lines\]\n$/);
});

test("A cancelled call ends the script and what it had called", async () => {
  const controller = new AbortController();
  let inner: AbortSignal | undefined;
  const call: ScriptRun["call"] = (_, __, { signal }) => {
    inner = signal;
    controller.abort();
    return new Promise(() => undefined);
  };
  const source = "async function run(ctx) { await ctx.tool('x') }";
  expect(await ending(script(source, { call, signal: controller.signal }))).toBe("cancelled: the call was cancelled");
  expect(inner?.aborted).toBe(true);
});

test("The clock stands still while a person is asked", async () => {
  const limits = { ...LIMITS, timeoutMs: 300 };
  const call: ScriptRun["call"] = async (_, __, { asked }) => {
    const answered = new Promise((resolve) => setTimeout(resolve, 700));
    asked(answered);
    await answered;
    return result({ output: "allowed" });
  };
  const source = "async function run(ctx) { return (await ctx.tool('x')).output }";
  expect(await ending(script(source, { limits, call }))).toBe("allowed");
});
