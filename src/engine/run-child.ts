import { runTurn } from "../loop/run-turns.ts";
import { type Message, textOf, type Usage } from "../protocol/message.ts";
import { ChildEngine } from "./child-engine.ts";
import { childChoices } from "./child-settings.ts";
import type { ChosenModel } from "./choose-model.ts";
import type { Engine } from "./engine.ts";
import { createTurn } from "./live-turn.ts";
import { resolveTrusted } from "./resolve-config.ts";

export interface ChildWish {
  /** Any configured agent, without regard to case. */
  readonly agent: string;
  readonly prompt: string;
  /** The task in a few words, for a list. */
  readonly description: string;
  /** The call it works for: its own calls are shown below that one. */
  readonly callId: string;
  /** Stops it; what it is doing is cancelled and settled. */
  readonly signal: AbortSignal;
}

/** How a child ended. It always ends in one of these ways, and id and name are always there. */
export interface ChildEnding {
  readonly id: string;
  /** The agent as configured; as wished where there is none of that name. */
  readonly name: string;
  readonly kind: "answered" | "exhausted" | "interrupted" | "cancelled";
  /** Its last words; empty when it said none. */
  readonly text: string;
  /** Why it was interrupted or cancelled. */
  readonly error?: string;
  /** The steps it could take. */
  readonly maxSteps: number;
  /** How often it called which tool. */
  readonly calls: Readonly<Record<string, number>>;
  readonly usage: Usage;
}

/**
 * Sets an agent to work on one prompt: the same loop over a history, settings, tools, a read tracker and todos of its
 * own. Shell, files, policy, approvals and the person are those of `above`, whose policy binds it too. Never throws:
 * a crash is an ending. When it resolves, every call it made is settled.
 */
export async function runChild(above: Engine, wish: ChildWish): Promise<ChildEnding> {
  const id = above.newId();
  const over = new AbortController();
  const signal = AbortSignal.any([wish.signal, over.signal]);
  let child: ChildEngine | undefined;
  let how: Ending;
  try {
    child = await openChild(above, id, wish);
    const leave = await above.children.enter(child.depth, signal);
    try {
      how = leave ? await work(child, wish.prompt, signal) : { kind: "cancelled" };
    } finally {
      leave?.();
    }
  } catch (error) {
    if (child) above.debug(`the subagent ${child.name} crashed`, error);
    how = { kind: "interrupted", error: messageOf(error) };
  }
  over.abort(); // what a crash left behind
  if (wish.signal.aborted) how = { kind: "cancelled", error: whyStopped(wish.signal) };
  if (child?.mcp) above.letEnd(child.mcp.close());
  child?.finish({ status: STATUSES[how.kind], ...(how.error !== undefined && { error: how.error }) });
  return {
    id,
    name: child?.settings.agent.name ?? above.config.agents.get(wish.agent.toLowerCase())?.name ?? wish.agent,
    ...how,
    text: lastWords(child?.session.history.messages ?? []),
    maxSteps: child?.settings.limits.maxSteps ?? 0,
    calls: child?.made ?? {},
    usage: child?.totals ?? { input: 0, output: 0 },
  };
}

type Ending = Pick<ChildEnding, "kind" | "error">;
const STATUSES = { answered: "done", exhausted: "done", interrupted: "failed", cancelled: "cancelled" } as const;

/** Throws when there is no such agent, or its model cannot be had. */
async function openChild(above: Engine, id: string, wish: ChildWish): Promise<ChildEngine> {
  const resolved = resolveTrusted(above.trusted, await childChoices(above, wish.agent));
  if (!resolved.ok) throw new Error(resolved.message);
  const { settings } = resolved;
  const { callId, description } = wish;
  return new ChildEngine(above, { id, callId, description, settings, model: await modelOf(above, settings) });
}

/** The agent's own model; the one in use where it names none, or where a script or `--dry` stands for every model. */
async function modelOf(above: Engine, settings: Engine["settings"]): Promise<ChosenModel> {
  const { provider, name } = settings.model;
  const { script, noop } = above.options;
  if (script !== undefined || noop || (provider === undefined && name === undefined)) return above.model;
  const wish = provider === undefined ? { provider: above.model.provider.name } : {};
  const choice = await above.models.choose(above.config, settings, wish);
  if (choice.kind === "chosen") return choice.chosen;
  throw new Error(choice.kind === "none" ? choice.reason : choice.problem);
}

async function work(child: ChildEngine, prompt: string, signal: AbortSignal): Promise<Ending> {
  child.say(prompt);
  const nobodyTypes = { takeQueued: () => [], activity: () => ({ busy: true, queued: 0 }) };
  const { reason, error } = await runTurn(await createTurn(child, signal, nobodyTypes));
  switch (reason) {
    case "cancelled":
      return { kind: "cancelled" };
    case "answered":
    case "done":
      // The step behind the last one is for words only: the work was cut off there.
      return { kind: child.state.step > child.settings.limits.maxSteps ? "exhausted" : "answered" };
    case "limit":
      if (child.state.step > child.settings.limits.maxSteps) return { kind: "exhausted" };
      return { kind: "interrupted", error: error ?? "a limit was reached" };
    case "failed":
      return { kind: "interrupted", error: error ?? "it failed" };
  }
}

function lastWords(messages: readonly Message[]): string {
  const words = messages.filter(({ role }) => role === "assistant").map((message) => textOf(message).trim());
  return words.findLast((text) => text !== "") ?? "";
}

function whyStopped({ reason }: AbortSignal): string {
  return reason instanceof DOMException && reason.name === "TimeoutError" ? "timed out" : "cancelled";
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
