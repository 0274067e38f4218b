import type { Config } from "../config/config.ts";
import type { TurnSettings } from "../config/settings.ts";
import { type ContextUsage, createUsageMeter, type Estimate, type UsageMeter } from "../context/usage.ts";
import { createRequests, type Requests } from "../loop/requests.ts";
import type { Model } from "../policy/models/model.ts";
import { createModelShelf } from "../policy/models/model-shelf.ts";
import { createShellReader, type ShellReader } from "../policy/shell/shell-reader.ts";
import type { Event } from "../protocol/event.ts";
import type { Usage } from "../protocol/message.ts";
import type { Answer } from "../protocol/request.ts";
import { SETTLED } from "../protocol/tool-call.ts";
import { costOf } from "../providers/cost.ts";
import type { Job } from "../shell/jobs.ts";
import type { Log, LogLevel } from "../system/log.ts";
import type { PersonalFolders } from "../system/paths.ts";
import { hasRipgrep } from "../system/ripgrep.ts";
import { type ShortenedText, shortenMiddle } from "../text/truncate.ts";
import type { Hooks } from "../toolkit/hooks.ts";
import type { ToolSource } from "../toolkit/known-tool.ts";
import type { ToolSet } from "../toolkit/tool-set.ts";
import { wordEnding } from "../tools/job-words.ts";
import { absentServers } from "./absent-servers.ts";
import { Availability } from "./availability.ts";
import { type CallBook, createCallBook } from "./call-book.ts";
import { type Children, createChildren } from "./children.ts";
import type { ChosenModel, Models } from "./choose-model.ts";
import { acceptedModels } from "./command-models.ts";
import { gatherTools } from "./gather-tools.ts";
import { createHub, type Hub } from "./hub.ts";
import { knownSecrets, withoutSecrets } from "./known-secrets.ts";
import type { Mcp } from "./mcp.ts";
import type { OpenOptions } from "./open-options.ts";
import { recordEvent } from "./record-event.ts";
import type { TrustedConfig } from "./resolve-config.ts";
import { Sandbox } from "./sandbox.ts";
import type { Services } from "./services.ts";
import type { OpenSession, Sessions } from "./session.ts";
import { addUsage, countCall, countPrompt, countRequest, countTurn, type SessionState } from "./session-state.ts";
import { Skills } from "./skills.ts";
import type { StatusCommand } from "./status-command.ts";
import { Undo } from "./undo.ts";

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
  readonly shellReader: ShellReader = createShellReader();
  trusted: TrustedConfig;
  settings: TurnSettings;
  model: ChosenModel;
  tools: ToolSet;
  /** Where tools come from besides those built in; after a change of one, `rebuildTools`. */
  readonly sources: ToolSource[] = [];
  /** What of this session decides which of them are offered. */
  readonly availability: Availability;
  /** The agents it set to work. */
  readonly children: Children = createChildren();
  /** Of an agent that was set to work: who did, and what its calls are called there. */
  readonly above: { readonly engine: Engine; idOf(callId: string): string } | undefined = undefined;
  readonly skills: Skills = new Skills();
  /** What calls may reach beyond what policy lets through. */
  readonly sandbox: Sandbox;
  /** What its turns changed on disk. */
  readonly undo: Undo = new Undo(this);
  /** Servers of the conversation; only where some are configured. */
  mcp: Mcp | undefined;
  session: OpenSession;
  services!: Services; // set right after construction: services report through `emit`
  turnCount = 0;
  /** Agents still to be tried when a provider fails for good. */
  fallbacks: string[];
  /** Tokens of the whole session. */
  totals: Usage = { input: 0, output: 0 };
  /** What the status line said last, so that it is told only when it changes. */
  shownStatus = "";
  /** Called after a command in the background was started or ended. */
  onJob: (() => void) | undefined;
  /** The first look's question whether to trust the project: `/trust` takes its place. */
  trustQuestion: AbortController | undefined;
  /** Only where a screen shows a status line. */
  statusCommand: StatusCommand | undefined;
  /** The system prompt of this session; composed anew only when what it is made of changes. */
  composed:
    | { readonly key: string; readonly base: string /** With what servers say. */; readonly text: string }
    | undefined;
  readonly #closing = new AbortController();
  readonly #endings = new Set<Promise<void>>();
  readonly #models = createModelShelf((problem) => this.emit({ type: "notice", level: "warn", text: problem }));
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
    this.availability = new Availability(
      () => this.tools,
      (names) => this.loadTools(names),
      () => absentServers(this),
      hasRipgrep(parts.options.env["PATH"]) ? new Map() : new Map([["Rg", "rg not found"]]),
    );
    this.sources.push(this.availability);
    this.hooks = parts.hooks;
    this.sessions = parts.sessions;
    this.session = parts.session;
    this.state = parts.state;
    this.estimate = parts.estimate;
    this.meter = createUsageMeter(parts.estimate);
    this.#log = parts.log;
    this.#now = parts.now;
    this.hub = createHub((event) => recordEvent(this.session.log, event));
    this.sandbox = new Sandbox(this);
    this.requests = createRequests((event) => this.emit(event));
  }

  get config(): Config {
    return this.trusted.config;
  }

  /** Aborted when the conversation closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
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
        this.countCall(event.call.tool, event.call.status !== "done");
    }
    if (event.type === "turn-started") this.state.stats = countTurn(this.state.stats);
    if (event.type === "message-added" && event.message.role === "user" && event.message.kind === "normal")
      this.state.stats = countPrompt(this.state.stats);
    if (event.type === "reply-finished" && event.message.usage) this.countUsage(event.message.usage);
    if (event.type === "notice") this.#log?.write(event.level, event.text);
    this.hub.emit(event);
  }

  /** Asks every source anew what it knows; from the next model request on that is what is offered. */
  rebuildTools(): void {
    this.tools = gatherTools(this.config, this.settings, this.sources, this.availability);
  }

  /** Deferred tools whose schemas the model wants; they stay for the rest of the session. */
  loadTools(names: readonly string[]): void {
    const loadedTools = [...new Set([...this.availability.loaded, ...names])];
    this.availability.loaded = loadedTools;
    this.session.log.append({ type: "meta", meta: { loadedTools } });
    this.rebuildTools();
  }

  /** Until every source knows all it will know; with servers that may take as long as their time limits. */
  async settleSources(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.settled?.()));
    this.rebuildTools();
  }

  /** What trusted homes say about commands we know nothing of. */
  async shellModels(): Promise<readonly Model[]> {
    const { homes } = this.config;
    const all = [...homes.projects, ...(homes.global === undefined ? [] : [homes.global])];
    return this.#models(await acceptedModels(all, this.trusted));
  }

  /** A command in the background was started or ended. */
  jobChanged(job: Job): void {
    if (this.closing.aborted) return;
    const ending = wordEnding(job);
    if (ending !== undefined) this.emit({ type: "notice", level: "info", text: ending });
    this.onJob?.();
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

  /** `text` without the secrets we know of. */
  redact(text: string): string {
    if (this.#secrets?.of !== this.config)
      this.#secrets = { of: this.config, values: knownSecrets(this.config, this.options) };
    return withoutSecrets(text, this.#secrets.values);
  }
  #secrets: { readonly of: Config; readonly values: readonly string[] } | undefined;

  debug(what: string, error: unknown): void {
    this.#log?.write("error", what, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }

  /** For the debug log alone. */
  trace(level: LogLevel, text: string): void {
    this.#log?.write(level, text);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.statusCommand?.close();
    await this.mcp?.close();
    await Promise.all(this.#endings);
    await this.services.close();
    await this.undo.close();
    for (const tool of this.tools.active) await tool.close?.();
    this.models.close();
    this.session.log.close();
    this.hub.close();
  }

  /** The tools of these servers are known from now on. */
  useServers(servers: ToolSource): void {
    this.sources.push(servers);
  }

  /** Something that goes on ending after its owner is gone; the conversation closes when it has. */
  letEnd(ending: Promise<void>): void {
    if (this.above) return this.above.engine.letEnd(ending);
    this.#endings.add(ending);
    void ending.finally(() => this.#endings.delete(ending));
  }

  /** What is in force from now on. */
  useSettings(settings: TurnSettings): void {
    this.settings = settings;
  }

  countCall(tool: string, failed: boolean): void {
    this.state.stats = countCall(this.state.stats, tool, failed);
  }

  /** One more model request was paid for. */
  countUsage(usage: Usage, model: ChosenModel = this.model): void {
    const { state } = this;
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
