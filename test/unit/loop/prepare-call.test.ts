import { describe, expect, test } from "vitest";
import type { Tool } from "../../../src/toolkit/tool.ts";
import { ASK, AUTO, DENY, type FakeTurnOptions, fakeTool, fakeTurn } from "../../helpers/fake-turn.ts";

/** Everything that can have a say about a call, writing its name into `log` when it is asked. */
function everyGate(changes: FakeTurnOptions & { readonly tool?: Partial<Tool> } = {}) {
  const log: string[] = [];
  const said = <T>(name: string, value: T): T => {
    log.push(name);
    return value;
  };
  const tool = fakeTool("Tool", {
    pre: async () => said("pre", undefined),
    paths: () => said("paths", { read: ["in.txt"], write: ["out.txt"] }),
    preview: async () => said("preview", { title: "a preview" }),
    run: async () => said("run", "output"),
    post: async () => said("post", undefined),
    ...changes.tool,
  });
  const fake = fakeTurn({
    judge: () => said("judge", ASK),
    answers: () => said("person", { allow: true, scope: "once" } as const),
    outside: () => said("sandbox", undefined),
    hooks: [
      {
        beforeTool: async () => said("plugin", undefined),
        guardrail: async () => said("guardrail", undefined),
        preHook: async () => said("pre-hook", undefined),
        postHook: async () => said("post-hook", undefined),
        diagnose: async () => said("diagnose", undefined),
        afterTool: async () => said("after-tool", undefined),
      },
      ...(changes.hooks ?? []),
    ],
    ...without(changes, "hooks", "tool"),
    tools: [tool],
  });
  const call = async (input: unknown = {}, malformed?: string) => {
    const [settled] = await fake.call({ tool: "Tool", input, ...(malformed !== undefined && { malformed }) });
    return settled!;
  };
  return { log, call, fake };
}

function without<T extends object, K extends keyof T>(given: T, ...keys: readonly K[]): Omit<T, K> {
  const rest = { ...given };
  for (const key of keys) delete rest[key];
  return rest;
}

const ALL = ["plugin", "pre", "paths", "judge", "preview", "person", "guardrail", "sandbox", "pre-hook", "run", "post"];
const upTo = (name: string) => ALL.slice(0, ALL.indexOf(name) + 1);

test("the gates are asked in this order, then the tool runs", async () => {
  const { log, call } = everyGate();
  expect(await call()).toMatchObject({ status: "done", output: { text: "output" } });
  expect(log).toEqual([...ALL, "post-hook", "diagnose", "after-tool"]);
});

describe("a call is stopped, and nothing after is asked,", () => {
  test("when it could not be read", async () => {
    const { log, call } = everyGate();
    expect(await call("{", "not JSON: {")).toMatchObject({
      status: "failed",
      failure: { kind: "malformed-call", message: "not JSON: {" },
    });
    expect(log).toEqual([]);
  });

  test("when there is no such tool", async () => {
    const { fake, log } = everyGate();
    expect(await fake.call({ tool: "Toll" })).toMatchObject([
      { status: "failed", failure: { kind: "unknown-tool", message: expect.stringContaining('Did you mean "Tool"?') } },
    ]);
    expect(log).toEqual([]);
  });

  test("when a plugin blocks it", async () => {
    const { log, call } = everyGate({ hooks: [{ beforeTool: async () => ({ block: "not today" }) }] });
    expect(await call()).toMatchObject({
      status: "failed",
      failure: { kind: "blocked", by: "Execution blocked by plugin", reason: "not today" },
    });
    expect(log).toEqual(upTo("plugin"));
  });

  test("when its input does not fit the schema", async () => {
    const input = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;
    const { log, call } = everyGate({ tool: { input } });
    expect(await call()).toMatchObject({
      status: "failed",
      failure: { kind: "bad-input", problems: ['missing required parameter "n"', "Valid parameters: n"] },
    });
    expect(log).toEqual(upTo("plugin"));
  });

  test("when the tool itself objects, before policy is asked", async () => {
    const { log, call } = everyGate({ tool: { pre: async () => "read it first: a" } });
    expect(await call()).toMatchObject({ failure: { kind: "blocked", by: "tool", reason: "read it first: a" } });
    expect(log).toEqual(["plugin"]);
  });

  test("when the tool crashes while it is asked", async () => {
    const { call } = everyGate({ tool: { pre: () => Promise.reject(new Error("boom")) } });
    expect(await call()).toMatchObject({
      failure: { kind: "blocked", by: "tool", reason: "tool panicked in Pre: boom" },
    });
  });

  test("when its paths cannot be resolved", async () => {
    const { log, call } = everyGate({ tool: { paths: () => ({ write: ["/"] }) } });
    expect(await call()).toMatchObject({
      failure: { kind: "blocked", by: "tool", reason: "resolving /: path cannot be root '/'" },
    });
    expect(log).toEqual(["plugin", "pre"]);
  });

  test("when policy denies it, even if all is approved", async () => {
    const { log, call } = everyGate({ judge: () => DENY, approvesAll: true });
    expect(await call()).toMatchObject({ status: "denied", refusal: { by: "rule", because: DENY.because } });
    expect(log).toEqual(["plugin", "pre", "paths"]);
  });

  test("when the person says no", async () => {
    const { log, call } = everyGate({ answers: () => ({ allow: false }) });
    expect(await call()).toMatchObject({ status: "denied", refusal: { by: "person" } });
    expect(log).toEqual(upTo("preview"));
  });

  test("when the person says what to do instead", async () => {
    const { call } = everyGate({ answers: () => ({ allow: false, feedback: "use npm ci" }) });
    expect(await call()).toMatchObject({ status: "denied", refusal: { by: "person", feedback: "use npm ci" } });
  });

  test("when the question is withdrawn by a cancel", async () => {
    const gates = everyGate({
      answers: () => undefined,
      onEvent: (event) => event.type === "request-opened" && gates.fake.cancel(),
    });
    expect(await gates.call()).toMatchObject({ status: "cancelled", by: "user", ran: false });
    expect(gates.log).toEqual(upTo("preview"));
    expect(gates.fake.events.filter(({ type }) => type === "request-closed")).toMatchObject([{ how: "withdrawn" }]);
    expect(gates.fake.turn.requests.pending).toEqual([]);
  });

  test("when the guardrail objects", async () => {
    const { log, call } = everyGate({ hooks: [{ guardrail: async () => "looks unsafe" }] });
    expect(await call()).toMatchObject({
      failure: { kind: "blocked", by: 'Guardrail blocked "Tool"', reason: "looks unsafe" },
    });
    expect(log).toEqual(upTo("guardrail"));
  });

  test("when a path is outside the sandbox", async () => {
    const { log, call } = everyGate({ outside: () => ({ path: "/etc/a", access: "write" }) });
    expect(await call()).toMatchObject({ failure: { kind: "outside-sandbox", path: "/etc/a", access: "write" } });
    expect(log).toEqual(upTo("guardrail"));
  });

  test("when a pre-hook blocks it", async () => {
    const { log, call } = everyGate({ hooks: [{ preHook: async () => ({ block: "[Hook: lint]:\nno" }) }] });
    expect(await call()).toMatchObject({ failure: { kind: "blocked", by: "hook", reason: "[Hook: lint]:\nno" } });
    expect(log).toEqual(upTo("pre-hook"));
  });

  test("when a gate itself breaks: the call fails and the others carry on", async () => {
    const fake = fakeTurn({
      tools: [fakeTool("Bad"), fakeTool("Good")],
      judge: ({ tool }) => {
        if (tool === "Bad") throw new Error("policy broke");
        return AUTO;
      },
    });
    expect(await fake.call({ tool: "Bad" }, { tool: "Good" })).toMatchObject([
      { status: "failed", failure: { kind: "error", message: "policy broke" } },
      { status: "done" },
    ]);
  });
});

describe("plugins", () => {
  test("see each other's changes, and the tool gets the last", async () => {
    const seen: unknown[] = [];
    const gates = everyGate({
      hooks: [
        { beforeTool: async ({ input }) => ({ input: { ...(input as object), one: 1 } }) },
        { beforeTool: async () => ({ input: { two: 2 } }) },
      ],
      tool: {
        run: async (input) => {
          seen.push(input);
          return "";
        },
      },
    });
    expect(await gates.call({ zero: 0 })).toMatchObject({ status: "done", input: { two: 2 } });
    expect(seen).toEqual([{ two: 2 }]);
  });

  test("each get the input as the one before left it", async () => {
    const seen: unknown[] = [];
    const look = async ({ input }: { input: unknown }) => void seen.push(input);
    const { call } = everyGate({
      hooks: [{ beforeTool: async () => ({ input: { a: 1 } }) }, { beforeTool: look as () => Promise<undefined> }],
    });
    await call({ zero: 0 });
    expect(seen).toEqual([{ a: 1 }]);
  });

  test("that make the input invalid have the call refused", async () => {
    const input = { type: "object", properties: { n: { type: "integer" } } } as const;
    const { call } = everyGate({ tool: { input }, hooks: [{ beforeTool: async () => ({ input: { n: "x" } }) }] });
    expect(await call({ n: 1 })).toMatchObject({ failure: { kind: "bad-input" } });
  });

  test("that throw are skipped, with a notice", async () => {
    const { call, fake } = everyGate({ hooks: [{ beforeTool: () => Promise.reject(new Error("boom")) }] });
    expect(await call()).toMatchObject({ status: "done" });
    expect(fake.notices).toEqual(["hook hook-2 failed at beforeTool: Error: boom"]);
  });
});

describe("the approval", () => {
  const requestOf = (gates: ReturnType<typeof everyGate>) =>
    gates.fake.events.flatMap((event) => (event.type === "request-opened" ? [event.request] : []))[0];

  test("shows what the tool does, what this call is about, why it asks and a preview", async () => {
    const gates = everyGate();
    await gates.call({ command: "npm test" });
    expect(requestOf(gates)).toEqual({
      id: "r1",
      kind: "approval",
      callId: "c1",
      tool: "Tool",
      about: "Tool.",
      detail: "npm test",
      pattern: "Tool:*",
      because: ASK.because,
      preview: { title: "a preview" },
    });
    expect(gates.fake.statesOf("c1")).toEqual(["pending", "waiting", "running", "done"]);
  });

  test("goes without a preview when making one fails", async () => {
    const gates = everyGate({ tool: { preview: () => Promise.reject(new Error("no such context")) } });
    expect(await gates.call({ path: "a.txt" })).toMatchObject({ status: "done" });
    expect(requestOf(gates)).not.toHaveProperty("preview");
  });

  test("shows the arguments when there is no command or path", async () => {
    const gates = everyGate();
    await gates.call({ paths: ["a", "b"] });
    expect(requestOf(gates)).toMatchObject({ detail: JSON.stringify({ paths: ["a", "b"] }, null, 2) });
  });

  test("is not asked for when everything is approved", async () => {
    const { log, call } = everyGate({ approvesAll: true });
    expect(await call()).toMatchObject({ status: "done" });
    expect(log).not.toContain("person");
  });

  test.each(["session", "project", "global"] as const)(
    "for the %s is remembered before the call runs",
    async (scope) => {
      const gates = everyGate({ answers: () => ({ allow: true, scope }) });
      await gates.call();
      expect(gates.fake.remembered).toEqual([{ scope, pattern: "Tool:*" }]);
    },
  );

  test("once is not remembered", async () => {
    const gates = everyGate();
    await gates.call();
    expect(gates.fake.remembered).toEqual([]);
  });

  test("without a pattern to remember counts once, whatever the scope", async () => {
    const gates = everyGate({
      judge: () => ({ kind: "confirm", because: ASK.because, noPattern: "it is a compound" }),
      answers: () => ({ allow: true, scope: "global" }),
    });
    expect(await gates.call()).toMatchObject({ status: "done" });
    expect(gates.fake.remembered).toEqual([]);
    expect(requestOf(gates)).toMatchObject({ noPattern: "it is a compound" });
  });

  test("of a pattern that is only good for the session is never saved", async () => {
    const gates = everyGate({
      judge: () => ({ kind: "confirm", because: ASK.because, pattern: "Tool:a && b", sessionOnly: true }),
      answers: () => ({ allow: true, scope: "project" }),
    });
    expect(await gates.call()).toMatchObject({ status: "done" });
    expect(gates.fake.remembered).toEqual([{ scope: "session", pattern: "Tool:a && b" }]);
    expect(gates.fake.notices).toEqual(['"Tool:a && b" is remembered for this session only']);
  });

  test("of one of several patterns is remembered as it was offered, and of any other as the first", async () => {
    const patterns = [
      { pattern: "Tool:a b", sessionOnly: true as const, allows: [] },
      { pattern: "Tool:a*", allows: ["a c"] },
    ];
    const remembered = async (pattern: string) => {
      const gates = everyGate({
        judge: () => ({ kind: "confirm", because: ASK.because, pattern: "Tool:*", patterns }),
        answers: () => ({ allow: true, scope: "project", pattern }),
      });
      await gates.call();
      expect(requestOf(gates)).toMatchObject({ patterns });
      return gates.fake.remembered;
    };
    expect(await remembered("Tool:a*")).toEqual([{ scope: "project", pattern: "Tool:a*" }]);
    expect(await remembered("Tool:a b")).toEqual([{ scope: "session", pattern: "Tool:a b" }]);
    expect(await remembered("*")).toEqual([{ scope: "project", pattern: "Tool:*" }]);
  });

  test("that nobody was there for is not told as a person's no", async () => {
    const gates = everyGate({ answers: () => ({ allow: false, nobody: "there is no screen" }) });
    expect(await gates.call()).toMatchObject({
      status: "denied",
      refusal: { by: "nobody", reason: "there is no screen" },
    });
  });

  test("that could not be saved still lets the call run, with a warning", async () => {
    const gates = everyGate({ answers: () => ({ allow: true, scope: "global" }), warning: "no home to save it in" });
    expect(await gates.call()).toMatchObject({ status: "done" });
    expect(gates.fake.notices).toEqual(["no home to save it in"]);
  });

  test("counts at once: the next call of the same reply is not asked about", async () => {
    const fake = fakeTurn({
      tools: [fakeTool("Tool")],
      judge: () => (fake.remembered.length > 0 ? AUTO : ASK),
      answers: () => ({ allow: true, scope: "session" }),
    });
    await fake.call({ tool: "Tool" }, { tool: "Tool" });
    expect([fake.statesOf("c1"), fake.statesOf("c2")]).toEqual([
      ["pending", "waiting", "running", "done"],
      ["pending", "running", "done"],
    ]);
  });

  test("is not opened any more once the turn is cancelled", async () => {
    const gates = everyGate({
      tool: {
        preview: async () => {
          gates.fake.cancel();
          return { title: "late" };
        },
      },
    });
    expect(await gates.call()).toMatchObject({ status: "cancelled", by: "user", ran: false });
    expect(gates.fake.statesOf("c1")).toEqual(["pending", "cancelled"]);
  });
});

test("policy and sandbox see absolute paths, the paths as written, and the input as the tool will get it", async () => {
  const fake = fakeTurn({
    files: { "in.txt": "x" },
    tools: [fakeTool("Tool", { paths: () => ({ read: ["in.txt"], write: [" ../out.txt"] }) })],
  });
  await fake.call({ tool: "Tool", input: { n: 1 } });
  expect(fake.judged).toEqual([
    {
      callId: "c1",
      tool: "Tool",
      input: { n: 1 },
      reads: ["/project/in.txt"],
      writes: ["/out.txt"],
      given: ["in.txt", " ../out.txt"],
    },
  ]);
});
