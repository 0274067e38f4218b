// One suite for every provider, against loopback servers that speak the real protocols.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Message, Part } from "../../src/protocol/message.ts";
import type { ModelRequest, Provider, StreamPart } from "../../src/providers/provider.ts";
import { openProvider, type ProviderType } from "../../src/providers/registry.ts";
import { openScripted } from "../../src/providers/scripted.ts";
import { createTransport } from "../../src/providers/transport.ts";
import { type ModelServer, startModelServer } from "../helpers/model-server/model-server.ts";

interface Subject {
  readonly type: ProviderType;
  readonly path: string;
  readonly model: string;
  /** What a request must carry to give a reply's reasoning back. */
  readonly echo: string;
  /** Whether call ids are the server's (Gemini has none). */
  readonly givesIds: boolean;
}

const SUBJECTS: readonly Subject[] = [
  {
    type: "anthropic",
    path: "/anthropic/v1",
    model: "claude-sonnet-4-5",
    echo: '"signature":"sign-1"',
    givesIds: true,
  },
  { type: "openai", path: "/openai/v1", model: "gpt-5.2", echo: '"encrypted_content":"sign-1"', givesIds: true },
  { type: "openai-compatible", path: "/v1", model: "m", echo: '"reasoning_content":"Let me look."', givesIds: true },
  { type: "ollama", path: "/v1", model: "m", echo: '"reasoning_content":"Let me look."', givesIds: true },
  { type: "llamacpp", path: "/v1", model: "m", echo: '"reasoning_content":"Let me look."', givesIds: true },
  {
    type: "openrouter",
    path: "/openrouter/v1",
    model: "anthropic/claude",
    echo: '"signature":"sign-1"',
    givesIds: true,
  },
  {
    type: "google",
    path: "/gemini/v1beta",
    model: "gemini-2.5-pro",
    echo: '"thoughtSignature":"sign-1"',
    givesIds: false,
  },
];

let server: ModelServer;
const transport = createTransport();
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(async () => {
  transport.close();
  await server.close();
});
beforeEach(() => {
  server.requests.length = 0;
});

const TOOLS = [
  {
    name: "Read",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
  { name: "Ls", description: "Lists a folder.", parameters: { type: "object", properties: {} } },
];

let ids = 0;
function message(role: Message["role"], parts: readonly Part[]): Message {
  return { id: `m${++ids}`, role, kind: "normal", parts, at: "2026-01-01T00:00:00.000Z" };
}
const user = (text: string) => message("user", [{ type: "text", text }]);
const result = (part: Part, text: string) =>
  message(
    "tool",
    part.type === "tool-call"
      ? [{ type: "tool-result", callId: part.callId, tool: part.tool, text, failed: false }]
      : [],
  );

function request(model: string, messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model,
    system: "You help.",
    messages,
    tools: TOOLS,
    think: "medium",
    signal: new AbortController().signal,
    ...more,
  };
}

async function collect(stream: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
const partsOf = (stream: readonly StreamPart[]) => stream.flatMap((part) => (part.type === "part" ? [part.part] : []));
const endings = (stream: readonly StreamPart[]) =>
  stream.filter(({ type }) => type === "finished" || type === "failed");
const failureOf = (stream: readonly StreamPart[]) => {
  const last = stream.at(-1);
  return last?.type === "failed" ? last.failure : undefined;
};

for (const subject of SUBJECTS) {
  describe(subject.type, () => {
    const waits: number[] = [];
    let provider: Provider;
    beforeEach(() => {
      waits.length = 0;
      provider = openProvider(
        {
          name: "mine",
          type: subject.type,
          url: server.url + subject.path,
          token: "sk-secret-key-1234",
          retry: { maxAttempts: 3 },
        },
        { env: {}, transport, random: () => 0, sleep: async (ms) => void waits.push(ms) },
      );
    });

    const turn = {
      thinking: { pieces: ["Let me", " look."], sign: "sign-1" },
      text: ["I will ", "read ⟨it⟩."],
      calls: [
        { id: "call_a", name: "Read", json: '{"path":"wörld.md"}' },
        { id: "call_b", name: "Ls", json: "{}" },
      ],
    };

    test("A tool call goes round: deltas, whole parts in order, usage, and a second request that carries all of it", async () => {
      server.play(turn, { text: ["Done."] });
      const first = [user("Look at it.")];
      const reply = await collect(provider.stream(request(subject.model, first)));

      const deltas = (kind: string) =>
        reply.flatMap((part) => (part.type === kind && "delta" in part ? [part.delta] : [])).join("");
      expect(deltas("thinking")).toBe("Let me look.");
      expect(deltas("text")).toBe("I will read ⟨it⟩.");
      expect(reply.filter(({ type }) => type === "call-started").map((part) => "tool" in part && part.tool)).toEqual([
        "Read",
        "Ls",
      ]);
      const parts = partsOf(reply);
      expect(
        parts.map((part) =>
          part.type === "tool-call"
            ? [part.tool, part.input]
            : part.type === "text" || part.type === "thinking"
              ? [part.type, part.text]
              : [],
        ),
      ).toEqual([
        ["thinking", "Let me look."],
        ["text", "I will read ⟨it⟩."],
        ["Read", { path: "wörld.md" }],
        ["Ls", {}],
      ]);
      const calls = parts.filter((part) => part.type === "tool-call");
      if (subject.givesIds) expect(calls.map(({ callId }) => callId)).toEqual(["call_a", "call_b"]);
      expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2);
      expect(endings(reply)).toHaveLength(1);
      expect(reply.at(-1)).toMatchObject({
        type: "finished",
        reason: "calls",
        usage: { input: 100, cached: 40, output: 20 },
      });

      // Parts survive a session file.
      const kept: Part[] = JSON.parse(JSON.stringify(parts));
      const second = [
        ...first,
        message("assistant", kept),
        ...calls.map((call) => result(call, `result of ${call.tool}`)),
      ];
      const answer = await collect(provider.stream(request(subject.model, second)));
      expect(partsOf(answer)).toMatchObject([{ type: "text", text: "Done." }]);
      expect(answer.at(-1)).toMatchObject({ type: "finished", reason: "stop" });
      const sent = server.requests[1]!.raw;
      expect(sent).toContain(subject.echo);
      expect(sent).toContain("I will read ⟨it⟩.");
      expect(sent).toContain("wörld.md");
      expect(sent).toContain("result of Read");
      expect(sent).toContain("result of Ls");
    });

    test("Reasoning of another provider is never sent", async () => {
      server.play({ text: ["ok"] });
      const foreign: Part = {
        type: "thinking",
        text: "private thought",
        provider: { another: { signature: "sign-9" } },
      };
      await collect(
        provider.stream(
          request(subject.model, [user("a"), message("assistant", [foreign, { type: "text", text: "b" }]), user("c")]),
        ),
      );
      expect(server.requests[0]!.raw).not.toContain("private thought");
      expect(server.requests[0]!.raw).not.toContain("sign-9");
    });

    test("Aborting closes the socket and ends as cancelled", async () => {
      server.play({ ...turn, hangAfter: 5 });
      const controller = new AbortController();
      const seen: StreamPart[] = [];
      for await (const part of provider.stream(request(subject.model, [user("a")], { signal: controller.signal }))) {
        seen.push(part);
        if (seen.length === 1) controller.abort();
      }
      expect(endings(seen)).toEqual([
        { type: "failed", failure: { kind: "cancelled", message: "Cancelled.", retryable: false } },
      ]);
      expect(await server.requests[0]!.leftEarly).toBe(true);
    });

    test("A request that was aborted before it began reaches no server", async () => {
      const signal = AbortSignal.abort();
      expect(failureOf(await collect(provider.stream(request(subject.model, [user("a")], { signal }))))?.kind).toBe(
        "cancelled",
      );
      expect(server.requests).toEqual([]);
    });

    test("Warming loads what a request needs and asks no server", async () => {
      await provider.warm?.(subject.model);
      expect(server.requests).toEqual([]);
      server.play(turn);
      const stream = await collect(provider.stream(request(subject.model, [user("a")])));
      expect(endings(stream).map(({ type }) => type)).toEqual(["finished"]);
    });

    test("A consumer that stops listening closes the socket", async () => {
      server.play({ ...turn, hangAfter: 5 });
      for await (const _ of provider.stream(request(subject.model, [user("a")]))) break;
      expect(await server.requests[0]!.leftEarly).toBe(true);
    });

    test("After 429 the request is repeated when the server said", async () => {
      const body = { error: { message: "slow down", type: "rate_limit_error" } };
      server.play(
        { status: 429, headers: { "retry-after": "7" }, body },
        { status: 429, headers: { "retry-after-ms": "250" }, body },
        { text: ["Hi"] },
      );
      const reply = await collect(provider.stream(request(subject.model, [user("a")])));
      expect(waits).toEqual([7000, 250]);
      expect(partsOf(reply)).toMatchObject([{ type: "text", text: "Hi" }]);
      expect(server.requests.map(({ raw }) => raw)).toEqual(Array(3).fill(server.requests[0]!.raw));
    });

    test("A stream that is cut in the middle fails once and is not repeated", async () => {
      server.play({ ...turn, cutAfter: 5 });
      const reply = await collect(provider.stream(request(subject.model, [user("a")])));
      expect(endings(reply)).toHaveLength(1);
      expect(reply.slice(0, 1)).toEqual([{ type: "thinking", delta: expect.stringMatching(/^Let me/) }]);
      expect(failureOf(reply)).toMatchObject({ kind: "network", retryable: true });
      expect(server.requests).toHaveLength(1);
    });

    test("A body that ends politely but too early fails as well", async () => {
      server.play({ ...turn, endAfter: 5 });
      const reply = await collect(provider.stream(request(subject.model, [user("a")])));
      expect(endings(reply)).toHaveLength(1);
      expect(failureOf(reply)).toMatchObject({ kind: "network", retryable: true });
      expect(server.requests).toHaveLength(1);
    });

    test("An error in the middle of a stream fails once, with what the server said", async () => {
      server.play({ thinking: turn.thinking, failAfter: 4 });
      const reply = await collect(provider.stream(request(subject.model, [user("a")])));
      expect(endings(reply)).toHaveLength(1);
      expect(failureOf(reply)).toMatchObject({ kind: "server", retryable: true });
      expect(failureOf(reply)?.message).toContain("Overloaded");
      expect(server.requests).toHaveLength(1);
    });

    if (subject.type !== "google") {
      test("A call whose input is not JSON arrives as malformed, and can be answered", async () => {
        server.play({ calls: [{ id: "call_x", name: "Read", json: '{"path": "a' }] });
        const [call] = partsOf(await collect(provider.stream(request(subject.model, [user("a")]))));
        expect(call).toMatchObject({
          type: "tool-call",
          tool: "Read",
          input: '{"path": "a',
          malformed: expect.stringMatching(/JSON/),
        });
        server.play({ text: ["sorry"] });
        await collect(
          provider.stream(
            request(subject.model, [user("a"), message("assistant", [call!]), result(call!, "not JSON")]),
          ),
        );
        expect(server.requests[1]!.raw).toContain("malformed_input");
      });
    }

    test("Failures say what happened, where, and never the key", async () => {
      for (const [status, body, kind] of [
        [401, { error: { message: "Incorrect API key: sk-secret-key-1234", type: "authentication_error" } }, "auth"],
        [404, { error: { message: "model m not found", type: "not_found_error" } }, "model_unavailable"],
        [400, { error: { message: "prompt is too long: 300000 tokens > 200000 maximum" } }, "context_exhausted"],
        [400, { error: { message: "tools.0: bad schema", type: "invalid_request_error" } }, "bad_request"],
        [402, { error: { message: "Insufficient credits" } }, "credit_exhausted"],
        [503, "<html>Service Unavailable</html>", "server"],
      ] as const) {
        server.play({ status, body });
        const failure = failureOf(await collect(provider.stream(request(subject.model, [user("a")]))));
        expect(failure).toMatchObject({ kind, status });
        expect(failure?.message).toContain(new URL(server.url).host);
        expect(failure?.message).not.toContain("secret");
      }
    });

    test("A page where a stream should be is told as one", async () => {
      server.play({ status: 200, headers: { "content-type": "text/html" }, body: "<html>Log in first</html>" });
      const failure = failureOf(await collect(provider.stream(request(subject.model, [user("a")]))));
      expect(failure).toMatchObject({ kind: "server" });
      expect(failure?.message).toMatch(/not of its protocol: text\/html where a stream .*Check the provider's type/);
    });

    test("Requests of a conversation of 30 calls repeat what was said to the byte and only append", async () => {
      const messages: Message[] = [user("Begin.")];
      for (let i = 1; i <= 30; i++) {
        server.play({
          ...turn,
          calls: [{ id: `call_${i}`, name: "Read", json: `{"path":"file-${i}.md","line":${i}}` }],
        });
        const parts = partsOf(await collect(provider.stream(request(subject.model, messages))));
        messages.push(message("assistant", parts), result(parts.at(-1)!, `content ${i}\n`.repeat(i)));
      }
      const prompts = server.requests.map(({ body }) => canonical(body));
      for (const [i, prompt] of prompts.entries()) {
        if (i > 0) expect(prompt.slice(0, prompts[i - 1]!.length)).toEqual(prompts[i - 1]);
        if (i > 0) expect(prompt.length).toBeGreaterThan(prompts[i - 1]!.length);
      }
    });

    test("Models are listed with what the server says of them", async () => {
      const listed = await provider.models(new AbortController().signal);
      expect(listed).toHaveLength(1);
      expect(listed[0]?.context).toBeGreaterThan(0);
    });
  });
}

/** The prompt in the order in which it is cached, an item a line, without the markers of the cache. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of five formats
function canonical(body: any): string[] {
  const line = (value: unknown) => JSON.stringify(value, (key, inner) => (key === "cache_control" ? undefined : inner));
  const system = body.system ?? body.instructions ?? body.systemInstruction;
  return [
    ...(body.tools ?? []),
    ...(system === undefined ? [] : [system]),
    ...(body.messages ?? body.input ?? body.contents),
  ].map(line);
}

describe("scripted", () => {
  const open = () =>
    openScripted("script", {
      model: { name: "m", context: 1000 },
      turns: [
        {
          thinking: "Let me look.",
          text: "I will read it.",
          calls: [{ tool: "Read", input: { path: "a" } }],
          chunk: 4,
          usage: { input: 9, output: 3 },
        },
        { text: "Done.", expect: { contains: ["content of a"], tools: ["Read"] } },
      ],
    });

  test("A tool call goes round", async () => {
    const provider = open();
    const reply = await collect(provider.stream(request("m", [user("go")])));
    const parts = partsOf(reply);
    expect(parts).toEqual([
      { type: "thinking", text: "Let me look.", provider: { scripted: {} } },
      { type: "text", text: "I will read it." },
      { type: "tool-call", callId: "call_1_1", tool: "Read", input: { path: "a" } },
    ]);
    expect(reply.at(-1)).toEqual({ type: "finished", reason: "calls", usage: { input: 9, output: 3 } });
    const next = [user("go"), message("assistant", parts), result(parts[2]!, "content of a")];
    expect(partsOf(await collect(provider.stream(request("m", next))))).toEqual([{ type: "text", text: "Done." }]);
    expect(failureOf(await collect(provider.stream(request("m", next))))).toMatchObject({
      kind: "script",
      message: expect.stringContaining("request 3"),
    });
  });

  test("Aborting ends as cancelled, once", async () => {
    const controller = new AbortController();
    const seen: StreamPart[] = [];
    for await (const part of open().stream(request("m", [user("go")], { signal: controller.signal }))) {
      seen.push(part);
      controller.abort();
    }
    expect(endings(seen)).toHaveLength(1);
    expect(failureOf(seen)?.kind).toBe("cancelled");
  });
});

afterEach(() => {
  server.play({});
});
