import type { CommandResult } from "../commands/command.ts";
import type { CommandRegistry } from "../commands/registry.ts";
import { runTurn, type TurnOutcome } from "../loop/run-turns.ts";
import type { Conversation, Suggestion } from "../protocol/conversation.ts";
import type { Event, TurnEnd } from "../protocol/event.ts";
import type { Intent } from "../protocol/intent.ts";
import type { Usage } from "../protocol/message.ts";
import type { Engine } from "./engine.ts";
import { createControls } from "./live-controls.ts";
import { createTurn } from "./live-turn.ts";
import { preparePrompt } from "./prepare-prompt.ts";
import { addUsage } from "./session-state.ts";
import { showStatus, statusOf } from "./status.ts";
import { createSuggester, type Suggester } from "./suggest.ts";
import { nextInCycle, refresh } from "./switch-selection.ts";
import { titleIfNone } from "./switch-session.ts";

/** A switch over the intents, and the one thing that runs at a time: a turn. */
export class LiveConversation implements Conversation {
  readonly #engine: Engine;
  readonly #commands: CommandRegistry;
  readonly #suggester: Suggester;
  #toldClashes: ReadonlySet<string>;
  #queue: string[] = [];
  #running: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  /** The turn is told as finished; what is left of it, such as its title, takes a moment more. */
  #isWindingUp = false;
  #closing: Promise<void> | undefined;

  constructor(engine: Engine, commands: CommandRegistry) {
    this.#engine = engine;
    this.#commands = commands;
    this.#toldClashes = new Set(commands.clashes);
    this.#suggester = createSuggester(engine, commands);
  }

  get id(): string {
    return this.#engine.session.log.id;
  }

  events(): AsyncIterable<Event> {
    const engine = this.#engine;
    const status = this.#status();
    engine.statusCommand?.changed(status, () => showStatus(engine, this.#activity()));
    return engine.hub.listen({
      type: "opened",
      status,
      history: engine.session.history.forDisplay(),
      calls: engine.calls.all(),
      pending: engine.requests.pending,
      queue: this.#queue,
      todos: { summary: engine.services.todos.summary, items: engine.services.todos.items },
    });
  }

  send(intent: Intent): void {
    if (this.#closing) return;
    switch (intent.type) {
      case "prompt":
        return this.#prompt(intent.text);
      case "command":
        void this.#command(intent.line);
        return;
      case "answer":
        this.#engine.answer(intent.requestId, intent.answer);
        return;
      case "composing":
        void this.#engine.model.provider.warm?.(this.#engine.model.model);
        return;
      case "cycle":
        void this.#command(nextInCycle(this.#engine, intent.what));
        return;
      case "cancel":
        this.#running?.controller.abort();
        return;
      case "drop-queued": {
        const at = intent.text === undefined ? -1 : this.#queue.lastIndexOf(intent.text);
        if (intent.text === undefined) this.#setQueue([]);
        else if (at >= 0) this.#setQueue(this.#queue.toSpliced(at, 1));
      }
    }
  }

  /** For what changed without an intent. */
  tellStatus(): void {
    showStatus(this.#engine, this.#activity());
  }

  /** Commands of files that cannot be had, each once. */
  tellClashes(): void {
    for (const text of this.#commands.clashes)
      if (!this.#toldClashes.has(text)) this.#engine.emit({ type: "notice", level: "error", text });
    this.#toldClashes = new Set(this.#commands.clashes);
  }

  suggest(...input: Parameters<Conversation["suggest"]>): Promise<readonly Suggestion[]> {
    return this.#suggester.suggest(...input);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    this.#suggester.close();
    this.#running?.controller.abort();
    await this.#running?.done;
    await this.#engine.close();
  }

  #prompt(text: string): void {
    if (text.trim() === "") return;
    if (this.#running) return this.#setQueue([...this.#queue, text]);
    const controller = new AbortController();
    const done = this.#runPrompts([text], controller).finally(() => {
      this.#running = undefined;
      this.#isWindingUp = false;
      this.#engine.state.step = 0;
      showStatus(this.#engine, this.#activity());
      const waiting = this.#queue;
      if (waiting.length > 0 && !this.#closing) {
        this.#setQueue(waiting.slice(1));
        this.#prompt(waiting[0]!);
      }
    });
    this.#running = { controller, done };
  }

  async #runPrompts(texts: readonly string[], controller: AbortController): Promise<void> {
    const engine = this.#engine;
    const turn = ++engine.turnCount;
    const before = engine.totals;
    engine.emit({ type: "turn-started", turn });
    showStatus(engine, { ...this.#activity(), busy: true });
    let outcome: TurnOutcome;
    try {
      outcome = await this.#runTurn(texts, controller.signal);
    } catch (error) {
      // A bug of ours must not take the conversation with it: it is told, logged, and every call is settled below.
      engine.debug("turn failed", error);
      outcome = { reason: "failed", error: error instanceof Error ? error.message : String(error) };
    }
    for (const call of engine.calls.open())
      engine.emit({ type: "call-changed", call: { ...call, status: "cancelled", by: "user" } });
    await engine.undo.end();
    await this.#finishTurn(turn, outcome.reason, outcome.error, difference(engine.totals, before));
  }

  async #runTurn(texts: readonly string[], signal: AbortSignal): Promise<TurnOutcome> {
    const engine = this.#engine;
    await refresh(engine);
    this.tellClashes();
    for (const text of texts) {
      const prepared = await preparePrompt(engine, text, signal);
      if (prepared.kind === "refused") return { reason: "failed", error: prepared.reason };
      if (prepared.kind === "empty") return { reason: "answered" };
      engine.undo.begin(engine.turnCount, prepared.message);
      engine.session.history.add(prepared.message);
      engine.emit({ type: "message-added", message: prepared.message });
    }
    const turn = await createTurn(engine, signal, {
      takeQueued: () => {
        const texts = this.#queue;
        this.#setQueue([]);
        return texts;
      },
      activity: () => this.#activity(),
    });
    return runTurn(turn);
  }

  async #finishTurn(turn: number, reason: TurnEnd, error: string | undefined, usage: Usage): Promise<void> {
    const engine = this.#engine;
    engine.session.log.append({ type: "stats", stats: engine.state.stats });
    this.#isWindingUp = true;
    engine.emit({ type: "turn-finished", turn, reason, usage, ...(error !== undefined && { error }) });
    await titleIfNone(engine);
  }

  async #command(line: string): Promise<void> {
    const engine = this.#engine;
    if (this.#isWindingUp) await this.#running?.done;
    const controls = createControls(engine, () => this.#running === undefined);
    const result: CommandResult = (await this.#isMessage(line))
      ? { prompt: line }
      : await this.#commands.run(line, controls);
    const startsTurn = result.prompt !== undefined;
    engine.emit({
      type: "command-finished",
      line,
      failed: result.failed ?? false,
      ...(result.text !== undefined && { text: result.text }),
      ...(result.data !== undefined && { data: result.data }),
      ...(startsTurn && { startsTurn }),
    });
    showStatus(engine, this.#activity());
    if (result.prompt !== undefined) this.#prompt(result.prompt);
  }

  /** `/tmp/x is broken` speaks of a file, where no command has that name (aura 12). */
  async #isMessage(line: string): Promise<boolean> {
    const word = /^\/\S+/.exec(line.trim())?.[0];
    if (word === undefined || this.#commands.find(word)) return false;
    return (await this.#engine.services.files.stat(word).catch(() => undefined)) !== undefined;
  }

  #setQueue(queue: readonly string[]): void {
    if (queue.length === 0 && this.#queue.length === 0) return;
    this.#queue = [...queue];
    this.#engine.emit({ type: "queue-changed", queue: this.#queue });
    showStatus(this.#engine, this.#activity());
  }

  #activity() {
    return { busy: this.#running !== undefined, queued: this.#queue.length };
  }

  #status() {
    return statusOf(this.#engine, this.#activity());
  }
}

function difference(after: Usage, before: Usage): Usage {
  const minus = (key: keyof Usage) => -(before[key] ?? 0);
  return addUsage(after, {
    input: minus("input"),
    output: minus("output"),
    cached: minus("cached"),
    cacheWritten: minus("cacheWritten"),
    reasoning: minus("reasoning"),
  });
}
