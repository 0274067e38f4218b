import { History } from "../context/history.ts";
import type { Requests } from "../loop/requests.ts";
import type { Event } from "../protocol/event.ts";
import { type Message, textOf, type Usage } from "../protocol/message.ts";
import type { RequestKind, RequestTypes } from "../protocol/request.ts";
import { SETTLED, type ToolCall } from "../protocol/tool-call.ts";
import type { SavedChild } from "../sessions/session-record.ts";
import type { KnownTool, ToolSource } from "../toolkit/known-tool.ts";
import type { Tool } from "../toolkit/tool.ts";
import { createReadTracker } from "../workspace/hash-read-tracker.ts";
import { createTodoList } from "../workspace/todos.ts";
import { childSettings, depthOf, mayDelegate, NOT_DELEGATED } from "./child-settings.ts";
import type { Children } from "./children.ts";
import type { ChosenModel } from "./choose-model.ts";
import { Engine, type EngineParts } from "./engine.ts";
import { MetaTools } from "./meta-tools.ts";
import { ScriptTools } from "./script-tools.ts";
import type { OpenSession } from "./session.ts";
import { newStats } from "./session-state.ts";
import { SKILL_TRIGGERS, skillTriggers } from "./skill-triggers.ts";
import type { Skills } from "./skills.ts";
import type { SpawnTask } from "./spawn-subagents.ts";

/** What one child is made of, beside what it shares with the agent it works for. */
export interface ChildParts extends Pick<EngineParts, "settings" | "model"> {
  readonly id: string;
  readonly callId: string;
  readonly description: string;
}

/**
 * The engine of an agent that works for another one. What is alive in the conversation is shared; history, settings,
 * model, tools, read tracker and todos are its own. Its words stay in its transcript; its calls, its questions to the
 * person and what it costs go up.
 */
export class ChildEngine extends Engine {
  override readonly above: { readonly engine: Engine; idOf(callId: string): string };
  override readonly children: Children;
  override readonly requests: Requests;
  override readonly skills: Skills;
  override readonly undo: Engine["undo"];
  /** The agent's name, numbered when others of that name are at work. */
  readonly name: string;
  readonly #parts: ChildParts;
  readonly #made: Record<string, number> = {};
  #isOver = false;

  constructor(above: Engine, parts: ChildParts) {
    const hooks = above.hooks.filter(({ name }) => name !== SKILL_TRIGGERS);
    super({
      options: above.options,
      folders: above.folders,
      trusted: above.trusted,
      settings: childSettings(above.settings, parts.settings),
      model: parts.model,
      models: above.models,
      tools: above.tools,
      hooks,
      sessions: above.sessions,
      session: silentSession(above.session),
      state: {
        ...above.state,
        get auto() {
          return above.state.auto;
        },
        selection: {
          agent: parts.settings.agent.name,
          mode: parts.settings.mode?.name,
          provider: parts.model.provider.name,
          model: parts.model.model,
          think: parts.settings.model.think,
        },
        window: undefined,
        step: 0,
        stats: newStats(above.timestamp()),
        cost: 0,
      },
      estimate: above.estimate,
      log: undefined,
      now: () => new Date(),
    });
    this.#parts = parts;
    this.children = above.children;
    this.skills = above.skills;
    this.undo = above.undo;
    hooks.push(skillTriggers(this));
    const { agent } = parts.settings;
    const sameName = this.children.all.filter((other) => other.agent === agent.name && other.status === "running");
    this.name = sameName.length === 0 ? agent.name : `${agent.name} #${sameName.length + 1}`;
    this.above = { engine: above, idOf: (callId) => `${parts.callId}/${parts.id}/${callId}` };
    this.requests = asked(above.requests, this.name, this.above.idOf);
    this.services = {
      ...above.services,
      reads: createReadTracker({ ...(above.state.readBefore ?? this.settings.readBefore) }),
      todos: createTodoList(),
    };
    const isOwn = (source: ToolSource) => source === above.availability || source instanceof MetaTools;
    const shared = above.sources.filter((source) => !isOwn(source));
    const below = (source: ToolSource) =>
      source instanceof ScriptTools ? source.below(this) : spawningBelow(source, this);
    this.sources.push(...shared.map(below), new MetaTools(this));
    this.rebuildTools();
    this.#keep({ status: "running" });
  }

  get depth(): number {
    return depthOf(this);
  }

  /** How often it called which tool itself; the counters it has also hold what its own children did. */
  get made(): Readonly<Record<string, number>> {
    return this.#made;
  }

  /** Its prompt, as it is: directives are a person's. */
  say(text: string): void {
    const message: Message = {
      id: this.newId(),
      role: "user",
      kind: "normal",
      at: this.timestamp(),
      parts: [{ type: "text", text }],
    };
    this.session.history.add(message);
    this.#record(message);
  }

  /** Nothing is heard of it from here on; calls that a crash left open are settled. */
  finish(ending: Pick<SavedChild, "status" | "error">): void {
    for (const call of this.calls.open())
      this.emit({ type: "call-changed", call: { ...call, status: "cancelled", by: "user" } });
    this.#isOver = true;
    this.#keep(ending);
  }

  override emit(event: Event): void {
    if (this.#isOver) return;
    switch (event.type) {
      case "call-changed":
        return this.#tellCall(event.call);
      case "call-printed":
        return this.above.engine.emit({ ...event, callId: this.above.idOf(event.callId) });
      case "message-added":
        return this.#record(event.message);
      case "reply-finished":
        if (event.message.usage) this.countUsage(event.message.usage);
        this.#showWords(event.message);
        return this.#record(event.message);
      case "notice":
        return this.above.engine.emit({ ...event, text: `${this.name}: ${event.text}` });
    }
  }

  /** In place of those of the agent it works for. */
  override useServers(servers: ToolSource): void {
    const others = this.sources.filter(({ ofServers }) => !ofServers);
    this.sources.splice(0, this.sources.length, ...others, spawningBelow(servers, this));
  }

  override useSettings(settings: EngineParts["settings"]): void {
    this.settings = childSettings(this.above.engine.settings, settings);
  }

  override countCall(tool: string, failed: boolean): void {
    super.countCall(tool, failed);
    this.above.engine.countCall(tool, failed);
  }

  override countUsage(usage: Usage, model: ChosenModel = this.model): void {
    super.countUsage(usage, model);
    this.above.engine.countUsage(usage, model);
  }

  override newId(): string {
    return this.above.engine.newId();
  }

  override debug(what: string, error: unknown): void {
    this.above.engine.debug(`${this.name}: ${what}`, error);
  }

  #tellCall(call: ToolCall): void {
    const isSettled = SETTLED.has(call.status);
    this.calls.take(call);
    if (isSettled && call.parentId === undefined) {
      this.countCall(call.tool, call.status !== "done");
      this.#made[call.tool] = (this.#made[call.tool] ?? 0) + 1;
    }
    const { engine, idOf } = this.above;
    const id = idOf(call.id);
    // The agent above was cancelled and has settled what was left, while this one still cleaned up.
    if (isSettled && engine.calls.isSettled(id)) return;
    const parentId = call.parentId === undefined ? this.#parts.callId : idOf(call.parentId);
    engine.emit({ type: "call-changed", call: { ...call, id, parentId } });
  }

  /** What it says on its way is a line of its call's output; its last words are the result. */
  #showWords(message: Message): void {
    const [line = ""] = textOf(message).trim().split("\n");
    if (line === "" || !message.parts.some(({ type }) => type === "tool-call")) return;
    this.above.engine.emit({ type: "call-printed", callId: this.#parts.callId, line: `${this.name}: ${line}` });
  }

  #record(message: Message): void {
    this.children.add(this.#parts.id, message);
    this.#log({ type: "child-message", child: this.#parts.id, message });
  }

  #keep(ending: Pick<SavedChild, "status" | "error">): void {
    const { id, callId, description } = this.#parts;
    const child: SavedChild = {
      id,
      callId: this.above.engine instanceof ChildEngine ? this.above.engine.above.idOf(callId) : callId,
      name: this.name,
      agent: this.settings.agent.name,
      model: `${this.model.provider.name}/${this.model.model}`,
      description,
      calls: Object.values(this.#made).reduce((sum, count) => sum + count, 0),
      ...ending,
    };
    this.children.take(child);
    this.#log({ type: "child", child });
  }

  #log(record: Parameters<OpenSession["log"]["append"]>[0]): void {
    let top: Engine = this;
    while (top.above) top = top.above.engine;
    top.session.log.append(record);
  }
}

/** A history of its own; what is worth keeping goes into the records of children. The id is shared for the cache. */
function silentSession({ log }: OpenSession): OpenSession {
  const nothing = () => undefined;
  return {
    history: new History(),
    log: { id: log.id, file: log.file, started: true, append: nothing, start: nothing, flush: nothing, close: nothing },
  };
}

/** The person's dialogs, saying who asks. */
function asked(requests: Requests, name: string, idOf: (callId: string) => string): Requests {
  const signed = <K extends RequestKind>(kind: K, ask: RequestTypes[K]["ask"]): RequestTypes[K]["ask"] => {
    if (kind !== "approval") return ask;
    const approval = ask as RequestTypes["approval"]["ask"];
    const who = approval.who === undefined ? name : `${name}: ${approval.who}`;
    // `kind` says which member of the union this is.
    return { ...approval, callId: idOf(approval.callId), who } as RequestTypes[K]["ask"];
  };
  return {
    open: (kind, ask, signal) => requests.open(kind, signed(kind, ask), signal),
    answer: (requestId, answer) => requests.answer(requestId, answer),
    get pending() {
      return requests.pending;
    },
  };
}

/** The other way to set agents to work: kept from an agent whose filter does not name it, and else its own. */
function spawningBelow(source: ToolSource, child: ChildEngine): ToolSource {
  const below = (known: KnownTool): KnownTool => {
    if (!/(^|__)spawn_subagent$/.test(known.tool.name)) return known;
    if (!mayDelegate(child, [known.tool.name, ...(known.aliases ?? [])]))
      return { ...known, unavailable: { value: NOT_DELEGATED } };
    // The server's is bound to the conversation; what this agent spawns stands below it, with its policy.
    const run: Tool["run"] = async (input, access) => {
      const { spawnSubagents } = await import("./spawn-subagents.ts");
      const { tasks } = input as { readonly tasks: readonly SpawnTask[] };
      return JSON.stringify(await spawnSubagents(child, tasks, access), null, 2);
    };
    return { ...known, tool: { ...known.tool, run } };
  };
  return {
    known: () => source.known().map(below),
    ...(source.ofServers && { ofServers: true }),
    ...(source.settled && { settled: () => source.settled!() }),
  };
}
