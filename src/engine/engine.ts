import type { Config } from "../config/config.ts";
import type { TurnSettings } from "../config/settings.ts";
import { type ContextUsage, createUsageMeter, type Estimate, type UsageMeter } from "../context/usage.ts";
import { createRequests, type Requests } from "../loop/requests.ts";
import type { Event } from "../protocol/event.ts";
import type { Usage } from "../protocol/message.ts";
import type { Answer } from "../protocol/request.ts";
import { SETTLED } from "../protocol/tool-call.ts";
import { costOf } from "../providers/cost.ts";
import type { Log } from "../system/log.ts";
import type { PersonalFolders } from "../system/paths.ts";
import { type ShortenedText, shortenMiddle } from "../text/truncate.ts";
import type { Hooks } from "../toolkit/hooks.ts";
import type { ToolSet } from "../toolkit/tool-set.ts";
import { type CallBook, createCallBook } from "./call-book.ts";
import type { ChosenModel, Models } from "./choose-model.ts";
import { createHub, type Hub } from "./hub.ts";
import type { OpenOptions } from "./open-options.ts";
import { recordEvent } from "./record-event.ts";
import type { TrustedConfig } from "./resolve-config.ts";
import type { Services } from "./services.ts";
import type { OpenSession, Sessions } from "./session.ts";
import { addUsage, countCall, countPrompt, countRequest, countTurn, type SessionState } from "./session-state.ts";
import type { StatusCommand } from "./status-command.ts";

/** What an engine is made of; `open-conversation.ts` gathers it. */
export interface EngineParts {
  readonly options: OpenOptions;
  readonly folders: PersonalFolders;
  readonly trusted: TrustedConfig;
  readonly settings: TurnSettings;
  readonly model: ChosenModel;
  readonly models: Models;
  readonly tools: ToolSet;
  readonly hooks: readonly Hooks[];
  readonly sessions: Sessions;
  readonly session: OpenSession;
  readonly state: SessionState;
  readonly estimate: Estimate;
  readonly log: Log | undefined;
  readonly now: () => Date;
}

/**
 * Everything alive in one conversation, and the one way facts leave it. What the conversation does with it is in the
 * functions beside this file; they take the engine as their first parameter.
 */
export class Engine {
  readonly options: OpenOptions;
  readonly folders: PersonalFolders;
  readonly models: Models;
  readonly hooks: readonly Hooks[];
  readonly sessions: Sessions;
  readonly state: SessionState;
  readonly estimate: Estimate;
  readonly hub: Hub;
  readonly requests: Requests;
  readonly calls: CallBook = createCallBook();
  readonly meter: UsageMeter;
  trusted: TrustedConfig;
  settings: TurnSettings;
  model: ChosenModel;
  tools: ToolSet;
  session: OpenSession;
  services!: Services; // set right after construction: services report through `emit`
  turnCount = 0;
  /** Agents still to be tried when a provider fails for good. */
  fallbacks: string[];
  /** Tokens of the whole session. */
  totals: Usage = { input: 0, output: 0 };
  /** What the status line said last, so that it is told only when it changes. */
  shownStatus = "";
  /** Only where a screen shows a status line. */
  statusCommand: StatusCommand | undefined;
  /** The system prompt of this session; composed anew only when what it is made of changes. */
  composed: { readonly key: string; readonly text: string } | undefined;
  readonly #log: Log | undefined;
  readonly #now: () => Date;
  #ids = 0;

  constructor(parts: EngineParts) {
    this.options = parts.options;
    this.folders = parts.folders;
    this.trusted = parts.trusted;
    this.settings = parts.settings;
    this.fallbacks = [...parts.settings.fallback];
    this.model = parts.model;
    this.models = parts.models;
    this.tools = parts.tools;
    this.hooks = parts.hooks;
    this.sessions = parts.sessions;
    this.session = parts.session;
    this.state = parts.state;
    this.estimate = parts.estimate;
    this.meter = createUsageMeter(parts.estimate);
    this.#log = parts.log;
    this.#now = parts.now;
    this.hub = createHub((event) => recordEvent(this.session.log, event));
    this.requests = createRequests((event) => this.emit(event));
  }

  get config(): Config {
    return this.trusted.config;
  }

  get cwd(): string {
    return this.options.cwd;
  }

  /** Tells everyone a fact, after counting and recording it. */
  emit(event: Event): void {
    if (event.type === "call-changed") {
      this.calls.take(event.call);
      // A Batch counts once, for all its sub-calls (aura 2.15).
      if (SETTLED.has(event.call.status) && event.call.parentId === undefined)
        this.state.stats = countCall(this.state.stats, event.call.tool, event.call.status !== "done");
    }
    if (event.type === "turn-started") this.state.stats = countTurn(this.state.stats);
    if (event.type === "message-added" && event.message.role === "user" && event.message.kind === "normal")
      this.state.stats = countPrompt(this.state.stats);
    if (event.type === "reply-finished" && event.message.usage) this.countUsage(event.message.usage);
    if (event.type === "notice") this.#log?.write(event.level, event.text);
    this.hub.emit(event);
  }

  answer(requestId: string, answer: Answer): void {
    const request = this.requests.pending.find((open) => open.id === requestId);
    if (request?.kind === "approval" && answer.kind === "approval")
      this.session.log.append({ type: "answer", callId: request.callId, answer: answer.value });
    this.requests.answer(requestId, answer);
  }

  /** Unique within a session, also after it is resumed. */
  newId(): string {
    return `${this.#now().getTime().toString(36)}-${(++this.#ids).toString(36)}`;
  }

  timestamp(): string {
    return this.#now().toISOString();
  }

  window(): number | undefined {
    return this.state.window ?? this.settings.model.context ?? this.model.info?.context;
  }

  contextUsage(): ContextUsage {
    const fixed = this.estimate(this.composed?.text ?? "") + this.#toolTokens();
    return this.meter.measure(this.session.history.forModel(), fixed, this.window());
  }

  /** Cuts the middle of long output and keeps the whole in a file. */
  shorten(text: string): Promise<ShortenedText> {
    const {
      max_lines: maxLines,
      head_lines: headLines,
      tail_lines: tailLines,
    } = this.settings.features.tools.bash.truncation;
    return shortenMiddle(text, { maxLines, headLines, tailLines }, (whole) => this.services.saveOutput(whole));
  }

  debug(what: string, error: unknown): void {
    this.#log?.write("error", what, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }

  async close(): Promise<void> {
    this.statusCommand?.close();
    await this.services.close();
    for (const tool of this.tools.active) await tool.close?.();
    this.models.close();
    this.session.log.close();
    this.hub.close();
  }

  /** One more model request was paid for. */
  countUsage(usage: Usage): void {
    const { state, model } = this;
    state.stats = countRequest(state.stats, usage);
    this.totals = addUsage(this.totals, usage);
    const cost = costOf(usage, model.info?.price);
    state.cost = state.cost === undefined || cost === undefined ? undefined : state.cost + cost;
    this.session.log.append({ type: "usage", provider: model.provider.name, model: model.model, usage });
  }

  #measured: { readonly tools: ToolSet; readonly tokens: number } | undefined;
  #toolTokens(): number {
    if (this.#measured?.tools !== this.tools)
      this.#measured = { tools: this.tools, tokens: this.estimate(JSON.stringify(this.tools.schemas)) };
    return this.#measured.tokens;
  }
}
