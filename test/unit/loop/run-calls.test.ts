import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Event } from "../../../src/protocol/event.ts";
import type { Tool } from "../../../src/toolkit/tool.ts";
import { batch } from "../../../src/tools/batch.ts";
import { ASK, AUTO, brokenRules, DENY, fakeTool, fakeTurn } from "../../helpers/fake-turn.ts";

/** A tool whose runs last until they are let go. `log` tells who began and who ended. */
function heldTool(name: string, log: string[], more: Partial<Tool> = {}) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const tool = fakeTool(name, {
    ...more,
    async run() {
      log.push(`${name} began`);
      await held;
      log.push(`${name} ended`);
      return name;
    },
  });
  return { tool, letGo };
}
const quickTool = (name: string, log: string[], more: Partial<Tool> = {}) =>
  fakeTool(name, {
    ...more,
    run: async () => {
      log.push(name);
      return name;
    },
  });
const statuses = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "call-changed" ? [`${event.call.id} ${event.call.status}`] : []));

describe("before anything runs", () => {
  test("all calls of a reply are shown as pending, then looked at one by one", async () => {
    const fake = fakeTurn({
      tools: [fakeTool("A"), fakeTool("B")],
      judge: ({ tool }) => (tool === "A" ? ASK : DENY),
      answers: () => ({ allow: true, scope: "once" }),
    });
    await fake.call({ tool: "A" }, { tool: "B" });
    expect(statuses(fake.events)).toEqual([
      "c1 pending",
      "c2 pending",
      "c1 waiting",
      "c2 denied",
      "c1 running",
      "c1 done",
    ]);
  });
});

describe("running", () => {
  test("calls that are safe together overlap; the others follow one by one, in order", async () => {
    const log: string[] = [];
    const first = heldTool("First", log);
    const second = heldTool("Second", log);
    const fake = fakeTurn({
      tools: [
        quickTool("Alone1", log, { parallel: false }),
        first.tool,
        quickTool("Alone2", log, { parallel: false }),
        second.tool,
      ],
      onEvent: (event) => {
        // Once the second has begun, the first is still at work: so they overlap.
        if (event.type === "call-changed" && event.call.id === "c4" && event.call.status === "running")
          queueMicrotask(() => {
            second.letGo();
            first.letGo();
          });
      },
    });
    const calls = await fake.call({ tool: "Alone1" }, { tool: "First" }, { tool: "Alone2" }, { tool: "Second" });
    expect(log.slice(0, 2)).toEqual(["First began", "Second began"]);
    expect(log.slice(2, 4).sort()).toEqual(["First ended", "Second ended"]);
    expect(log.slice(4)).toEqual(["Alone1", "Alone2"]);
    expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      "Alone1 done",
      "First done",
      "Alone2 done",
      "Second done",
    ]);
  });

  test("with parallel off every call waits for the one before", async () => {
    const log: string[] = [];
    const first = heldTool("First", log);
    first.letGo();
    const fake = fakeTurn({ tools: [first.tool, quickTool("Second", log)], limits: { parallel: false } });
    await fake.call({ tool: "First" }, { tool: "Second" });
    expect(log).toEqual(["First began", "First ended", "Second"]);
  });

  test("a tool that fails, or breaks in an odd way, leaves the others alone", async () => {
    const fake = fakeTurn({
      tools: [
        fakeTool("Fails", { run: () => Promise.reject(new Error("reading a: permission denied")) }),
        fakeTool("Throws", {
          run: () => {
            throw new TypeError("x is not a function");
          },
        }),
        fakeTool("Panics", { run: () => Promise.reject("just a string") }),
        fakeTool("Fine"),
      ],
    });
    const calls = await fake.call({ tool: "Fails" }, { tool: "Throws" }, { tool: "Panics" }, { tool: "Fine" });
    expect(calls).toMatchObject([
      { status: "failed", failure: { kind: "error", message: "reading a: permission denied" } },
      { status: "failed", failure: { kind: "error", message: "x is not a function" } },
      { status: "failed", failure: { kind: "error", message: "tool panicked: just a string" } },
      { status: "done", output: { text: "Fine ran" } },
    ]);
  });

  test("lines a tool prints are shown under its call", async () => {
    const fake = fakeTurn({
      tools: [
        fakeTool("Talks", {
          run: async (_input, access) => {
            access.print("line 1");
            return "";
          },
        }),
      ],
    });
    await fake.call({ tool: "Talks" });
    expect(fake.events).toContainEqual({ type: "call-printed", callId: "c1", line: "line 1" });
  });
});

describe("what the model reads", () => {
  const composed = (more: Partial<Tool> = {}, hooks = {}) =>
    fakeTurn({
      tools: [fakeTool("Tool", { paths: () => ({ write: ["a.txt"] }), ...more })],
      hooks: [
        { preHook: async () => ({ text: "[Hook: first]:\nbefore" }), postHook: async () => ({ text: "after 1" }) },
        { postHook: async () => ({ text: "after 2" }), diagnose: async (paths) => `${paths.join()}:1:1 error: oops` },
        hooks,
      ],
    });

  test("is text of pre-hooks, the output, text of post-hooks, diagnostics", async () => {
    const [call] = await composed().call({ tool: "Tool" });
    expect(call).toMatchObject({
      status: "done",
      output: {
        text: [
          "[Hook: first]:\nbefore",
          "Tool ran",
          "after 1",
          "after 2",
          "[LSP diagnostics]:\n/project/a.txt:1:1 error: oops",
        ].join("\n\n"),
      },
    });
  });

  test("without hooks is the output, byte for byte", async () => {
    const fake = fakeTurn({ tools: [fakeTool("Tool", { run: async () => "a\n\n" })] });
    expect(await fake.call({ tool: "Tool" })).toMatchObject([{ output: { text: "a\n\n", tokens: 3 } }]);
  });

  test("has no diagnostics when nothing was written", async () => {
    const [call] = await composed({ paths: () => ({ read: ["a.txt"] }) }).call({ tool: "Tool" });
    expect(call).toMatchObject({ output: { text: expect.not.stringContaining("LSP") } });
  });

  test("keeps diff and images of the output", async () => {
    const output = {
      text: "ok",
      diff: "+a",
      images: [{ type: "image", mediaType: "image/png", data: "AA==" }],
    } as const;
    const fake = fakeTurn({ tools: [fakeTool("Tool", { run: async () => output })] });
    expect(await fake.call({ tool: "Tool" })).toMatchObject([{ status: "done", output }]);
  });

  test("is shortened in the middle for tools that say so, and only for them", async () => {
    const run = async () => "x".repeat(200);
    const fake = fakeTurn({ tools: [fakeTool("Cut", { run, cutsMiddle: true }), fakeTool("Whole", { run })] });
    expect(await fake.call({ tool: "Cut" }, { tool: "Whole" })).toMatchObject([
      { output: { text: "xxxxxxxxxx…", fullTextFile: "/full" } },
      { output: { text: "x".repeat(200) } },
    ]);
  });

  test("is the objection when the whole would not fit", async () => {
    const fake = fakeTurn({
      tools: [fakeTool("Tool")],
      objection: (text) => (text === "Tool ran" ? "Error: too large" : undefined),
    });
    expect(await fake.call({ tool: "Tool" })).toMatchObject([{ status: "done", output: { text: "Error: too large" } }]);
  });

  test("is judged beside the results of the same reply that are settled before it", async () => {
    const besides: number[] = [];
    const fake = fakeTurn({
      tools: [fakeTool("A"), fakeTool("B"), fakeTool("Slow", { parallel: false })],
      judge: ({ tool }) => (tool === "B" ? DENY : AUTO),
      objection: (_text, tokens) => void besides.push(tokens),
    });
    await fake.call({ tool: "Slow" }, { tool: "A" }, { tool: "B" }, { tool: "A" });
    const refused = 'Error: tool call denied by policy (pattern "Tool*")'.length;
    expect(besides).toEqual([0, "Slow ran".length, "Slow ran".length + "A ran".length].map((sum) => sum + refused));
  });

  test("is what the last plugin puts in its place", async () => {
    const fake = fakeTurn({
      tools: [fakeTool("Tool")],
      hooks: [
        { afterTool: async () => ({ output: "one" }) },
        { afterTool: async () => ({ output: "two" }) },
        { afterTool: async () => undefined },
      ],
    });
    expect(await fake.call({ tool: "Tool" })).toMatchObject([{ output: { text: "two", tokens: 3 } }]);
  });

  test("of a failed call is the failure alone: no post-hooks, no recording", async () => {
    const recorded: string[] = [];
    const fake = composed({
      run: () => Promise.reject(new Error("no")),
      post: async () => void recorded.push("post"),
    });
    expect(await fake.call({ tool: "Tool" })).toMatchObject([{ failure: { kind: "error", message: "no" } }]);
    expect(recorded).toEqual([]);
  });

  test("stays when what the tool did cannot be recorded, and the person is told", async () => {
    const fake = fakeTurn({ tools: [fakeTool("Tool", { post: () => Promise.reject(new Error("gone")) })] });
    expect(await fake.call({ tool: "Tool" })).toMatchObject([{ status: "done", output: { text: "Tool ran" } }]);
    expect(fake.notices).toEqual(["Tool: what it did could not be recorded: Error: gone"]);
  });

  test("hooks that throw are skipped, with a notice each", async () => {
    const boom = () => Promise.reject(new Error("boom"));
    const points = ["preHook", "guardrail", "postHook", "diagnose", "afterTool"] as const;
    const fake = composed({}, Object.fromEntries(points.map((point) => [point, boom])));
    expect(await fake.call({ tool: "Tool" })).toMatchObject([{ status: "done" }]);
    expect(fake.notices.map((text) => text.replace("hook hook-3 failed at ", "")).sort()).toEqual(
      points.map((point) => `${point}: Error: boom`).sort(),
    );
  });
});

describe("a cancel", () => {
  test("while calls are looked at settles the rest unrun", async () => {
    const ran: string[] = [];
    const fake = fakeTurn({
      tools: [quickTool("A", ran), quickTool("B", ran)],
      judge: ({ tool }) => {
        if (tool === "A") fake.cancel();
        return AUTO;
      },
    });
    const calls = await fake.call({ tool: "A" }, { tool: "B" });
    expect(calls.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect(ran).toEqual([]);
    expect(brokenRules({ events: fake.events, messages: [] })).toEqual([]);
  });

  test("while calls run keeps what was finished before", async () => {
    const fake = fakeTurn({
      tools: [
        fakeTool("Quick"),
        fakeTool("Slow", {
          parallel: false,
          run: (_input, access) =>
            new Promise((_resolve, reject) => {
              access.signal.addEventListener("abort", () => reject(new Error("stopped")));
              queueMicrotask(() => fake.cancel());
            }),
        }),
        fakeTool("Never", { parallel: false }),
      ],
    });
    expect(await fake.call({ tool: "Never" }, { tool: "Quick" }, { tool: "Slow" }, { tool: "Never" })).toMatchObject([
      { status: "done" },
      { status: "done", output: { text: "Quick ran" } },
      { status: "cancelled", by: "user" },
      { status: "cancelled", by: "user", ran: false },
    ]);
    expect(fake.statesOf("c4")).toEqual(["pending", "cancelled"]);
  });

  test("withdraws what a tool asked, and the tool learns of it", async () => {
    let told = "";
    const fake = fakeTurn({
      tools: [
        fakeTool("Asks", {
          async run(_input, access) {
            queueMicrotask(() => fake.cancel());
            await access.ask("question", { questions: [] }).catch((error: Error) => {
              told = error.message;
            });
            return "";
          },
        }),
      ],
    });
    expect(await fake.call({ tool: "Asks" })).toMatchObject([{ status: "cancelled" }]);
    expect(told).toBe("cancelled before it was answered");
  });
});

describe("Batch", () => {
  const run = async (fake: ReturnType<typeof fakeTurn>, ...calls: { name: string; arguments?: object }[]) => {
    const [call] = await fake.call({
      tool: "Batch",
      input: { calls: calls.map((call) => ({ arguments: {}, ...call })) },
    });
    if (call?.status !== "done") throw new Error(`Batch is ${JSON.stringify(call)}`);
    return call.output.text;
  };

  test("answers in the order of the request, with a heading each and the counts on top", async () => {
    const log: string[] = [];
    const fake = fakeTurn({
      tools: [batch, quickTool("Last", log, { parallel: false }), quickTool("Read", log)],
    });
    const text = await run(
      fake,
      { name: "Last" },
      { name: "Read", arguments: { path: "src/a.ts" } },
      { name: "Nope", arguments: { query: "" } },
    );
    expect(text.split("\n")).toEqual([
      "## Batch Results (2/3 successful, 1 failed)",
      "",
      "### [1] Last",
      "Last",
      "",
      "### [2] Read (src/a.ts)",
      "Read",
      "",
      "### [3] Nope",
      'Error: tool not found: "Nope". Available: Batch, Last, Read',
    ]);
    expect(log).toEqual(["Read", "Last"]);
  });

  test("names no failures when there are none", async () => {
    const text = await run(fakeTurn({ tools: [batch, fakeTool("A")] }), { name: "A" });
    expect(text.split("\n")[0]).toBe("## Batch Results (1/1 successful)");
  });

  test.each([
    ["a".repeat(63), "a".repeat(63)],
    ["a".repeat(64), `${"a".repeat(60)}...`],
    ["é".repeat(40), `${"é".repeat(30)}...`],
    [`a${"é".repeat(40)}`, `a${"é".repeat(29)}...`],
  ])("cuts a long argument in the heading: %s", async (pattern, shown) => {
    const text = await run(fakeTurn({ tools: [batch, fakeTool("Rg")] }), { name: "Rg", arguments: { pattern } });
    expect(text).toContain(`### [1] Rg (${shown})\n`);
  });

  test.each(["Batch", "Ask", "Done", "Task", "LoadTools"])("does not run %s; the others still run", async (name) => {
    const fake = fakeTurn({ tools: [batch, fakeTool("A")] });
    const text = await run(fake, { name }, { name: "A" });
    expect(text).toContain(`### [1] ${name}\nError: tool "${name}" cannot be batched`);
    expect(text).toContain("### [2] A\nA ran");
  });

  test("refuses what would need a person, and asks nobody", async () => {
    const fake = fakeTurn({
      tools: [batch, fakeTool("Write"), fakeTool("Read")],
      judge: ({ tool }) => (tool === "Write" ? ASK : AUTO),
    });
    const text = await run(fake, { name: "Write" }, { name: "Read" });
    expect(text).toMatch(
      /### \[1\] Write\nError: tool call denied: it needs a person's approval .*call the tool directly/,
    );
    expect(text).toContain("### [2] Read\nRead ran");
    expect(fake.events.some(({ type }) => type === "request-opened")).toBe(false);
  });

  test("runs what was approved before, or what is approved as a whole", async () => {
    const judge = ({ tool }: { tool: string }) => (tool === "Write" ? ASK : AUTO);
    const fake = fakeTurn({ tools: [batch, fakeTool("Write")], judge, approvesAll: true });
    expect(await run(fake, { name: "Write" })).toContain("### [1] Write\nWrite ran");
  });

  test("obeys a deny rule", async () => {
    const fake = fakeTurn({
      tools: [batch, fakeTool("Write")],
      judge: ({ tool }) => (tool === "Write" ? DENY : AUTO),
      approvesAll: true,
    });
    expect(await run(fake, { name: "Write" })).toContain("Error: tool call denied by policy");
  });

  test("does not show the lines its calls print", async () => {
    const talks = fakeTool("Talks", {
      run: async (_input, access) => {
        access.print("line 1");
        return "said";
      },
    });
    const fake = fakeTurn({ tools: [batch, talks] });
    expect(await run(fake, { name: "Talks" })).toContain("### [1] Talks\nsaid");
    expect(fake.events.filter(({ type }) => type === "call-printed")).toEqual([]);
  });

  test("shows its calls as children of its own", async () => {
    const fake = fakeTurn({ tools: [batch, fakeTool("A")] });
    await run(fake, { name: "A" }, { name: "A" });
    const children = fake.events.flatMap((event) =>
      event.type === "call-changed" && event.call.status === "done" ? [[event.call.id, event.call.parentId]] : [],
    );
    expect(children).toEqual([
      ["c1/1", "c1"],
      ["c1/2", "c1"],
      ["c1", undefined],
    ]);
  });

  test("gives each call its hooks' text, but guards and replaces only the whole", async () => {
    const fake = fakeTurn({
      tools: [batch, fakeTool("A")],
      hooks: [
        { postHook: async ({ tool }) => (tool === "A" ? { text: "[Hook: x]:\nseen" } : undefined) },
        { afterTool: async (_call, { text }) => ({ output: `[${text}]` }) },
      ],
      objection: (text) => (text === "A ran" ? "guarded" : undefined),
    });
    expect(await run(fake, { name: "A" })).toBe(
      "[## Batch Results (1/1 successful)\n\n### [1] A\nA ran\n\n[Hook: x]:\nseen]",
    );
  });

  test("cancelled in the middle leaves no call open", async () => {
    const fake = fakeTurn({
      tools: [
        batch,
        fakeTool("Stops", {
          run: async () => {
            fake.cancel();
            return "";
          },
        }),
        fakeTool("Later", { parallel: false }),
      ],
    });
    const input = { calls: ["Later", "Stops", "Later"].map((name) => ({ name, arguments: {} })) };
    expect(await fake.call({ tool: "Batch", input })).toMatchObject([{ status: "cancelled" }]);
    expect(brokenRules({ events: fake.events, messages: [] })).toEqual([]);
    expect(fake.statesOf("c1/3")).toEqual(["pending", "cancelled"]);
  });
});

describe("a tool that does not stop when it is told to", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const stubborn = (started: () => void) =>
    fakeTool("Stubborn", {
      run: () => {
        started();
        return new Promise(() => undefined);
      },
    });

  test("is left behind after three seconds", async () => {
    const fake = fakeTurn({ tools: [stubborn(() => queueMicrotask(() => fake.cancel()))] });
    const calls = fake.call({ tool: "Stubborn" });
    await vi.advanceTimersByTimeAsync(2_999);
    expect(fake.statesOf("c1")).toEqual(["pending", "running"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await calls).toMatchObject([{ status: "cancelled", by: "user" }]);
  });

  test("is settled before the Batch it runs under", async () => {
    const fake = fakeTurn({ tools: [batch, stubborn(() => queueMicrotask(() => fake.cancel()))] });
    const calls = fake.call({ tool: "Batch", input: { calls: [{ name: "Stubborn", arguments: {} }] } });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await calls).toMatchObject([{ status: "cancelled" }]);
    expect(statuses(fake.events).slice(-2)).toEqual(["c1/1 cancelled", "c1 cancelled"]);
  });
});
