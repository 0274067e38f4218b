import type { Event } from "../protocol/event.ts";
import type { Message } from "../protocol/message.ts";
import type { Scope, Verdict } from "../protocol/verdict.ts";
import type { ModelRequest, Provider, ProviderFailure } from "../providers/provider.ts";
import type { Hooks } from "../toolkit/hooks.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import type { ToolSet } from "../toolkit/tool-set.ts";
import type { Requests } from "./requests.ts";

/** The messages of a conversation, as the loop needs them. */
export interface TurnHistory {
  add(message: Message): void;
  /** What the model sees next; earlier entries never change between requests, except as `context` documents. */
  forModel(): readonly Message[];
}

/** Who may do what, and what a person's yes is remembered as. */
export interface Gate {
  judge(call: GateCall): Verdict | Promise<Verdict>;
  /** Remembers an approval. A returned sentence is a warning: the call is still allowed. */
  remember(scope: Exclude<Scope, "once">, pattern: string): Promise<string | undefined>;
  /** Confirm-tier calls run unasked (auto mode, --auto-approve). Deny still denies. */
  approvesAll(): boolean;
  /** A path a call declares but may not touch. */
  outsideSandbox(call: GateCall): { readonly path: string; readonly access: "read" | "write" } | undefined;
}
export interface GateCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute, links resolved. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The same paths as the model wrote them. */
  readonly given: readonly string[];
}

export interface Limits {
  readonly maxSteps: number;
  /** Cumulative input and output tokens of the session; 0 = none. */
  readonly tokenBudget: number;
  /** False runs every call in order (aura 5, phase B). */
  readonly parallel: boolean;
}

/** One user turn: everything the loop may touch, and nothing it decides about. */
export interface Turn {
  readonly provider: Provider;
  readonly request: Omit<ModelRequest, "system" | "messages" | "tools" | "mayCall" | "signal">;
  readonly system: string;
  /** May be another one from step to step. */
  readonly tools: ToolSet;
  readonly hooks: readonly Hooks[];
  readonly history: TurnHistory;
  readonly gate: Gate;
  readonly requests: Requests;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** What one call may touch. `callTools` is filled in by the loop. */
  access(call: { readonly id: string; readonly tool: Tool }): Omit<ToolAccess, "callTools" | "ask">;
  /** Before any of these runs: what they may change can still be looked at. Default: nobody looks. */
  readonly beforeCalls?: (tools: readonly { readonly tool: Tool; readonly input: unknown }[]) => Promise<void>;
  /** The call is over: a printed line that was held back is shown now. */
  printed(callId: string): void;
  /** Cuts the middle of long output and says where the whole is. */
  /** Takes out of a result what must not get into the history. Default: nothing. */
  redact?(text: string): string;
  shorten(text: string): Promise<{ readonly text: string; readonly fullTextFile?: string }>;
  /** The text that replaces a result which would not fit beside `besides` tokens of its siblings, or nothing. */
  resultObjection(text: string, besides: number): string | undefined;
  /** Decides, before a request, which tools it offers. */
  prepareTools(): Promise<void>;
  estimate(text: string): number;
  /** Makes room before a request when it is needed, or after the provider said the context is full. */
  compact(reason: "threshold" | "exhausted"): Promise<boolean>;
  /** Cumulative tokens of the session. */
  spent(): number;
  /** In auto mode with work left: what to tell a model that stopped. */
  unfinished(): string | undefined;
  /** Another provider after this one failed for good; undefined when there is none left. */
  failOver(failure: ProviderFailure): Promise<Turn | undefined>;
  /** Prompts typed meanwhile, taken for delivery now. */
  takeQueued(): Promise<readonly Message[]>;
  emit(event: Event): void;
  stepped(step: number): void;
  newId(): string;
  /** Milliseconds. */
  now(): number;
  timestamp(): string;
}
