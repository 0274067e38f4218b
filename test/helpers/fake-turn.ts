import { createRequests } from "../../src/loop/requests.ts";
import { runCalls } from "../../src/loop/run-calls.ts";
import { runTurn, type TurnOutcome } from "../../src/loop/run-turns.ts";
import type { Gate, GateCall, Limits, Turn } from "../../src/loop/turn.ts";
import type { Event } from "../../src/protocol/event.ts";
import type { Message, Part, ToolCallPart, Usage } from "../../src/protocol/message.ts";
import type { ApprovalAnswer, Request } from "../../src/protocol/request.ts";
import { SETTLED, type ToolCall } from "../../src/protocol/tool-call.ts";
import type { Because, Scope, Verdict } from "../../src/protocol/verdict.ts";
import type { ModelRequest, ProviderFailure, StreamPart } from "../../src/providers/provider.ts";
import type { Hooks } from "../../src/toolkit/hooks.ts";
import { defineTool, type Tool } from "../../src/toolkit/tool.ts";
import { createToolSet } from "../../src/toolkit/tool-set.ts";
import { memoryProject } from "./memory-project.ts";

/** One call the fake model makes. Ids are `c1`, `c2`… unless given. */
export interface WantedCall {
  readonly tool: string;
  readonly input?: unknown;
  readonly id?: string;
  readonly malformed?: string;
}

/** One reply of the fake model. */
export interface FakeReply {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly WantedCall[];
  readonly usage?: Usage;
  readonly reason?: "stop" | "length";
  /** Ends the stream with this, after what was said. */
  readonly fails?: Partial<ProviderFailure> & Pick<ProviderFailure, "kind">;
  /** Runs while the reply streams, after its words and before its end. */
  readonly meanwhile?: () => void;
}

export interface FakeTurnOptions {
  readonly tools?: readonly Tool[];
  readonly hooks?: readonly Omit<Hooks, "name">[];
  /** Asked in order; a request too many fails the test. */
  readonly replies?: readonly FakeReply[];
  /** Replies of another provider, taken over to when the first one failed for good. */
  readonly fallback?: readonly FakeReply[];
  readonly unfinished?: () => string | undefined;
  readonly limits?: Partial<Limits>;
  /** The verdict on each call; auto when it is left out. */
  readonly judge?: (call: GateCall) => Verdict;
  readonly approvesAll?: boolean;
  readonly outside?: (call: GateCall) => ReturnType<Gate["outsideSandbox"]>;
  /** A person's answer to an approval; undefined leaves it open. */
  readonly answers?: (request: Request & { kind: "approval" }) => ApprovalAnswer | undefined;
  /** What remembering an approval warns about. */
  readonly warning?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What the person typed meanwhile, taken all at once. */
  readonly queued?: string[];
  readonly compacts?: (reason: "threshold" | "exhausted") => boolean;
  readonly objection?: (text: string, besides: number) => string | undefined;
  readonly spent?: () => number;
  /** Sees every event when it happens. */
  readonly onEvent?: (event: Event) => void;
}

export interface FakeTurn {
  readonly turn: Turn;
  readonly events: readonly Event[];
  /** The history, as it was added to. Starts with one prompt. */
  readonly messages: readonly Message[];
  /** What the model was sent. */
  readonly asked: readonly ModelRequest[];
  readonly remembered: readonly { readonly scope: Scope; readonly pattern: string }[];
  readonly judged: readonly GateCall[];
  readonly steps: readonly number[];
  readonly notices: readonly string[];
  cancel(): void;
  run(): Promise<TurnOutcome>;
  /** Runs these calls as one reply's, without a model. */
  call(...calls: readonly WantedCall[]): Promise<readonly ToolCall[]>;
  /** The states a call went through, by name. */
  statesOf(callId: string): readonly string[];
  /** What the model reads as the result of each call, by its id. */
  readonly results: Readonly<Record<string, string>>;
}

const BECAUSE: Because = { rule: "Tool*", from: "features" };
export const ASK: Verdict = { kind: "confirm", because: BECAUSE, pattern: "Tool:*" };
export const DENY: Verdict = { kind: "deny", because: BECAUSE };
export const AUTO: Verdict = { kind: "auto", because: BECAUSE };

/** A tool without arguments that answers with its name, changed by `more`. */
export function fakeTool(name: string, more: Partial<Tool> = {}): Tool {
  const input = { type: "object", properties: {}, additionalProperties: true } as const;
  const tool = defineTool({ name, description: `${name}. More about it.`, input, run: async () => `${name} ran` });
  return { ...tool, ...more };
}

/** A turn over a fake model, fake tools and a project in memory, with everything that happens on record. */
export function fakeTurn(options: FakeTurnOptions = {}): FakeTurn {
  const project = memoryProject(options.files);
  const controller = new AbortController();
  const events: Event[] = [];
  const asked: ModelRequest[] = [];
  const remembered: { scope: Scope; pattern: string }[] = [];
  const judged: GateCall[] = [];
  const steps: number[] = [];
  const queued = options.queued ?? [];
  let ids = 0;
  const newId = () => `m${++ids}`;
  const userMessage = (text: string): Message => ({
    id: newId(),
    role: "user",
    kind: "normal",
    at: "now",
    parts: [{ type: "text", text }],
  });
  const messages: Message[] = [userMessage("hello")];

  const emit = (event: Event) => {
    events.push(event);
    options.onEvent?.(event);
    if (event.type !== "request-opened" || event.request.kind !== "approval") return;
    const { request } = event;
    const value = options.answers?.(request);
    if (value) queueMicrotask(() => requests.answer(request.id, { kind: "approval", value }));
  };
  const requests = createRequests(emit);

  const turn: Turn = {
    provider: {
      name: "fake",
      models: async () => [],
      async *stream(request) {
        asked.push(request);
        const reply = options.replies?.[asked.length - 1];
        if (!reply) throw new Error(`the fake model has no reply number ${asked.length}`);
        yield* streamOf(reply, asked.length, request.signal);
      },
    },
    request: { model: "fake-model", think: "off" },
    system: "You are a test.",
    tools: createToolSet({
      known: (options.tools ?? []).map((tool) => ({ tool, source: "test" })),
      overrides: {},
      layers: [],
      optIn: [],
    }),
    prepareTools: async () => undefined,
    hooks: (options.hooks ?? []).map((hooks, index) => ({ name: `hook-${index + 1}`, ...hooks })),
    history: {
      add: (message) => void messages.push(message),
      forModel: () => [...messages],
    },
    gate: {
      judge(call) {
        judged.push(call);
        return options.judge?.(call) ?? AUTO;
      },
      async remember(scope, pattern) {
        remembered.push({ scope, pattern });
        return options.warning;
      },
      approvesAll: () => options.approvesAll ?? false,
      outsideSandbox: (call) => options.outside?.(call),
    },
    requests,
    limits: { maxSteps: 10, tokenBudget: 0, parallel: true, ...options.limits },
    signal: controller.signal,
    access: ({ id }) => {
      const { callTools: _, ask: __, ...access } = project.access;
      const print = (line: string) => emit({ type: "call-printed", callId: id, line });
      return { ...access, callId: id, signal: controller.signal, print };
    },
    printed: () => undefined,
    shorten: async (text) => (text.length > 100 ? { text: `${text.slice(0, 10)}…`, fullTextFile: "/full" } : { text }),
    resultObjection: (text, besides) => options.objection?.(text, besides),
    estimate: (text) => text.length,
    compact: async (reason) => options.compacts?.(reason) ?? false,
    spent: () => options.spent?.() ?? 0,
    unfinished: () => options.unfinished?.(),
    failOver: async () => (options.fallback ? overTo(options.fallback) : undefined),
    takeQueued: async () => queued.splice(0).map(userMessage),
    emit,
    stepped: (step) => void steps.push(step),
    newId,
    now: () => 0,
    timestamp: () => "now",
  };

  const overTo = (replies: readonly FakeReply[]): Turn => {
    let number = 0;
    return {
      ...turn,
      provider: {
        name: "fallback",
        models: async () => [],
        async *stream(request) {
          asked.push(request);
          yield* streamOf(replies[number++] ?? { fails: { kind: "script" } }, asked.length, request.signal);
        },
      },
      failOver: async () => undefined,
    };
  };

  return {
    turn,
    events,
    messages,
    asked,
    remembered,
    judged,
    steps,
    get notices() {
      return events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
    },
    cancel: () => controller.abort(),
    run: () => runTurn(turn),
    async call(...calls) {
      const parts = calls.map((call, index) => callPart(call, `c${index + 1}`));
      return (await runCalls(turn, parts)).calls;
    },
    statesOf: (callId) =>
      events.flatMap((event) => (event.type === "call-changed" && event.call.id === callId ? [event.call.status] : [])),
    get results() {
      return Object.fromEntries(resultsOf(messages).map(({ callId, text }) => [callId, text]));
    },
  };
}

/**
 * What must hold of a turn however it ended: every call that was shown was settled exactly once and last, and each
 * call of a reply is answered by exactly one result, right behind the reply and in its order. Gives back what is wrong.
 */
export function brokenRules({ events, messages }: Pick<FakeTurn, "events" | "messages">): string[] {
  const wrong: string[] = [];
  const changes = events.flatMap((event) => (event.type === "call-changed" ? [event.call] : []));
  for (const id of new Set(changes.map((call) => call.id))) {
    const states = changes.filter((call) => call.id === id).map((call) => call.status);
    if (states[0] !== "pending") wrong.push(`${id} began as ${states[0]}`);
    if (states.filter((state) => SETTLED.has(state)).length !== 1 || !SETTLED.has(states.at(-1)!))
      wrong.push(`${id} went ${states.join(", ")}`);
  }
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      for (const part of message.parts)
        if (part.type === "tool-result" && open.shift() !== part.callId)
          wrong.push(`${part.callId} answered out of turn`);
      continue;
    }
    if (open.length > 0) wrong.push(`${message.role} message before the results of ${open.join(", ")}`);
    open = message.parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : []));
  }
  if (open.length > 0) wrong.push(`no results of ${open.join(", ")}`);
  const callIds = messages.flatMap((message) => message.parts.filter((part) => part.type === "tool-call"));
  if (new Set(callIds.map((part) => part.callId)).size !== callIds.length) wrong.push("a call id is used twice");
  return wrong;
}

function resultsOf(messages: readonly Message[]) {
  return messages.flatMap((message) => message.parts.filter((part) => part.type === "tool-result"));
}

async function* streamOf(reply: FakeReply, number: number, signal: AbortSignal): AsyncGenerator<StreamPart> {
  const cancelled = { kind: "cancelled", message: "cancelled", retryable: false } as const;
  const parts: Part[] = [];
  for (const kind of ["thinking", "text"] as const) {
    const words = reply[kind];
    if (words === undefined) continue;
    for (const word of words.split(/(?<= )/)) {
      if (signal.aborted) return yield { type: "failed", failure: cancelled };
      yield { type: kind, delta: word };
    }
    parts.push({ type: kind, text: words });
  }
  reply.meanwhile?.();
  if (signal.aborted) return yield { type: "failed", failure: cancelled };
  if (reply.fails)
    return yield {
      type: "failed",
      failure: { message: `it failed: ${reply.fails.kind}`, retryable: false, ...reply.fails },
    };
  parts.push(...(reply.calls ?? []).map((call, index) => callPart(call, `c${number}-${index + 1}`)));
  for (const part of parts) yield { type: "part", part };
  const reason = reply.reason ?? (reply.calls?.length ? "calls" : "stop");
  yield { type: "finished", reason, usage: reply.usage ?? { input: 10, output: 1 } };
}

function callPart(call: WantedCall, id: string): ToolCallPart {
  const { tool, input = {}, malformed } = call;
  return { type: "tool-call", callId: call.id ?? id, tool, input, ...(malformed !== undefined && { malformed }) };
}
