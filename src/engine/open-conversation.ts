import { existsSync } from "node:fs";
import { join } from "node:path";
import { createCommands } from "../commands/registry.ts";
import type { Config } from "../config/config.ts";
import type { Features } from "../config/features.ts";
import type { TurnSettings } from "../config/settings.ts";
import { createEstimate } from "../context/estimate.ts";
import type { Conversation } from "../protocol/conversation.ts";
import { openLog } from "../system/log.ts";
import { type PersonalFolders, personalFolders } from "../system/paths.ts";
import type { Hooks } from "../toolkit/hooks.ts";
import { type ChosenModel, createModels, type Models } from "./choose-model.ts";
import { customCommands } from "./custom-commands.ts";
import { Engine } from "./engine.ts";
import { mayHaveEntries } from "./entry-trust.ts";
import type { ExecutableEntry } from "./executable-entries.ts";
import { gatherTools } from "./gather-tools.ts";
import { LiveConversation } from "./live-conversation.ts";
import { openMcp } from "./mcp.ts";
import { MetaTools } from "./meta-tools.ts";
import type { OpenOptions } from "./open-options.ts";
import type { ProjectFacts } from "./project-entries.ts";
import { choicesOf } from "./resolve-choices.ts";
import { loadTrusted, problemsOf, resolveTrusted, type TrustedConfig, trustNotice } from "./resolve-config.ts";
import { ScriptTools } from "./script-tools.ts";
import { openServices } from "./services.ts";
import { type OpenSession, openSessionsIn, type Sessions } from "./session.ts";
import { newStats } from "./session-state.ts";
import { skillTriggers } from "./skill-triggers.ts";
import { createStatusCommand } from "./status-command.ts";
import { enterSession } from "./switch-session.ts";
import { tokenizers } from "./tokenizers.ts";

export type Opened =
  | {
      readonly kind: "opened";
      readonly conversation: Conversation;
      readonly notes: readonly string[];
      /** For a person at a screen: what instructs the model here, and the first time how to begin. */
      readonly greeting: () => Promise<readonly string[]>;
      /** The person, asked how to start, chose the demo. */
      readonly wantsDemo: () => boolean;
      /** How a screen looks, where no flag says otherwise; read anew when the configuration was. */
      readonly ui: () => UiSettings;
      /** The person wants to go on with a session and has to choose which. */
      readonly picksSession: boolean;
      /** There is something to resume. */
      readonly isSaved: () => boolean;
    }
  /** `noModel`: everything else is fine; a screen may offer to set one up. */
  | { readonly kind: "refused"; readonly problem: string; readonly noModel?: true };

export type UiSettings = Features["ui"];

/** Configuration → services → tools → a conversation. Expected obstacles are values; nothing is printed. */
export async function openConversation(options: OpenOptions): Promise<Opened> {
  const opened = await openEngine(options);
  if (opened.kind === "refused") return opened;
  const { engine, notes, picksSession } = opened;
  let wantsDemo = false;
  const commands = createCommands(() => customCommands(engine));
  const conversation = new LiveConversation(engine, commands);
  engine.onJob = () => conversation.tellStatus();
  if (options.canAsk && engine.sandbox.wish()) void tellEnforced(engine, conversation);
  const needsModel = engine.model.provider.name === "none";
  const settleTrust = async () => {
    await askForTrust(engine);
    conversation.tellStatus();
  };
  if (options.setUp && !needsModel) void settleTrust();
  if (needsModel)
    void import("./first-run.ts").then(async ({ setUpModel }) => {
      const how = await setUpModel(engine);
      if (how !== "demo") void settleTrust();
      wantsDemo = how === "demo";
      if (wantsDemo) engine.emit({ type: "exit-requested" });
      else conversation.tellStatus();
    });
  return {
    kind: "opened",
    conversation,
    notes: [...notes, ...commands.clashes],
    greeting: async () => (await import("./greeting.ts")).greeting(engine),
    wantsDemo: () => wantsDemo,
    picksSession,
    ui: () => engine.settings.features.ui,
    isSaved: () => engine.session.log.started,
  };
}

/** Where the project would run something that nobody has accepted; elsewhere nothing is loaded for it. */
async function askForTrust(engine: Engine): Promise<void> {
  const { dirTools } = engine.trusted;
  if ((await waitingIn(engine)).length + (dirTools?.untrusted.files.length ?? 0) === 0) return;
  const [trust, { reload }] = await Promise.all([import("./trust-project.ts"), import("./switch-selection.ts")]);
  await trust.askForTrust(engine, () => reload(engine));
}

async function waitingIn(facts: ProjectFacts): Promise<readonly ExecutableEntry[]> {
  if (!mayHaveEntries(facts.trusted.config, facts.options)) return [];
  return (await import("./project-entries.ts")).waitingEntries(facts);
}

/** Where a screen keeps what was typed: in the global home when there is one. */
export function inputHistoryFile(options: OpenOptions): string {
  const { config, state } = personalFolders(options.env);
  const home = options.home === undefined ? config : options.home;
  return join(home !== "" && existsSync(home) ? home : state, "history");
}

/** Where a person's own keys are; undefined without a global home. */
export function keysFile(options: OpenOptions): string | undefined {
  const home = options.home ?? personalFolders(options.env).config;
  return home === "" ? undefined : join(home, "keys.yaml");
}

/** The engine without anybody to talk to: what inspections and direct tool runs stand on. */
export async function openEngine(options: OpenOptions): Promise<Ready | NotOpened> {
  const folders = personalFolders(options.env);
  const resolved = await resolve(options, folders);
  if (resolved.kind === "refused") return resolved;
  const { trusted, settings, notice } = resolved;
  const { config } = trusted;
  const notes: string[] = [...config.notices, ...(notice === undefined ? [] : [notice])];
  let engine: Engine | undefined;
  const say = (text: string) => {
    if (engine) engine.emit({ type: "notice", level: "warn", text });
    else notes.push(text);
  };

  const models = createModels(options, say);
  const choice = await chooseOrSetUp(models, config, settings, options);
  if (choice.kind !== "chosen") return choice;
  if (choice.chosen.because) notes.push(choice.chosen.because);

  const home = config.homes.write ?? folders.state;
  const now = () => new Date();
  const others = [folders.state, ...(config.homes.global === undefined ? [] : [config.homes.global])];
  const sessions = openSessionsIn({
    dir: join(home, "sessions"),
    alsoIn: others.map((other) => join(other, "sessions")),
    cwd: options.cwd,
    now,
    warn: say,
  });
  const session = await chooseSession(options, sessions);
  if (session.kind === "refused") return session;
  notes.push(...session.warnings);

  const hooks: Hooks[] = [];
  engine = new Engine({
    options,
    folders,
    trusted,
    settings,
    model: choice.chosen,
    models,
    tools: gatherTools(config, settings, []),
    hooks,
    sessions,
    session: session.session,
    state: newState(options, settings, choice.chosen, now()),
    estimate: await createEstimate(settings.features.estimation, tokenizers),
    log: options.debug
      ? openLog(join(home, "logs", "debug.jsonl"), { level: "debug", secrets: secretsOf(config, options) })
      : undefined,
    now,
  });
  const { log } = engine.session;
  engine.services = await openServices({
    options,
    folders,
    config,
    readBefore: settings.readBefore,
    todosChanged: ({ summary, items }) => engine?.emit({ type: "todos-changed", todos: { summary, items } }),
    jobChanged: (job) => engine?.jobChanged(job),
    notice: say,
    beforeFiles: async (paths) => engine?.undo.beforeFiles(paths),
  });
  const scripts = new ScriptTools(engine);
  engine.sources.push(new MetaTools(engine), scripts);
  hooks.push(skillTriggers(engine));
  await engine.skills.refresh(engine, (text) => notes.push(text));
  engine.rebuildTools();
  if (options.statusCommand) engine.statusCommand = openStatusCommand(engine);
  if (session.session.saved) notes.push(...(await enterSession(engine, session.session)));
  const { selection } = engine.state;
  log.append({ type: "meta", meta: { ...selection, mode: selection.mode ?? null } });
  await openMcp(engine, (text) => notes.push(text));
  notes.push(...scripts.conflicts());
  if (options.sessionName !== undefined) nameSession(engine, options.sessionName);
  if (options.needsServersOf !== undefined) {
    const { whichServerIsMissing } = await import("./need-servers.ts");
    const problem = await whichServerIsMissing(engine, options.needsServersOf);
    if (problem !== undefined) {
      await engine.close();
      return { kind: "refused", problem };
    }
  }
  return { kind: "ready", engine, notes, picksSession: session.picks };
}

function nameSession(engine: Engine, name: string): void {
  if (engine.state.name !== undefined) return;
  engine.state.name = name;
  engine.session.log.append({ type: "name", name });
}

interface Ready {
  readonly kind: "ready";
  readonly engine: Engine;
  readonly notes: readonly string[];
  readonly picksSession: boolean;
}

function openStatusCommand(engine: Engine) {
  return createStatusCommand({
    shell: engine.services.shell,
    cwd: engine.cwd,
    command: () => engine.settings.features.ui.statusline,
    onProblem: (text) => engine.emit({ type: "notice", level: "warn", text }),
  });
}

type Refused = { readonly kind: "refused"; readonly problem: string };
type NotOpened = Extract<Opened, { kind: "refused" }>;

async function resolve(
  options: OpenOptions,
  folders: PersonalFolders,
): Promise<
  | {
      readonly kind: "resolved";
      readonly trusted: TrustedConfig;
      readonly settings: TurnSettings;
      readonly notice: string | undefined;
    }
  | Refused
> {
  const trusted = await loadTrusted(options, folders);
  const problem = problemsOf(trusted.config);
  if (problem !== undefined) return { kind: "refused", problem };
  try {
    const resolved = resolveTrusted(trusted, await choicesOf(options));
    if (!resolved.ok) return { kind: "refused", problem: resolved.message };
    const { settings, lost } = resolved;
    const waiting = await waitingIn({ options, folders, trusted });
    return { kind: "resolved", trusted, settings, notice: trustNotice(trusted, lost, waiting) };
  } catch (error) {
    return { kind: "refused", problem: error instanceof Error ? error.message : String(error) };
  }
}

async function chooseOrSetUp(models: Models, config: Config, settings: TurnSettings, options: OpenOptions) {
  const choice = await models.choose(config, settings, { provider: options.provider, model: options.model });
  if (choice.kind !== "none") return choice;
  if (!options.setUp) return { kind: "refused", problem: choice.reason, noModel: true } as const;
  const { openUnconfigured } = await import("./first-run.ts");
  return { kind: "chosen", chosen: { provider: openUnconfigured(choice.reason), model: "no model" } } as const;
}

interface SessionChoice {
  readonly kind: "chosen";
  readonly session: OpenSession;
  readonly warnings: readonly string[];
  /** It is a new one until the person has picked another. */
  readonly picks: boolean;
}

async function chooseSession(options: OpenOptions, sessions: Sessions): Promise<SessionChoice | Refused> {
  const { resume, continueLast, cwd, setUp } = options;
  const fresh = (picks: boolean, ...warnings: string[]): SessionChoice => ({
    kind: "chosen",
    session: sessions.fresh(),
    warnings,
    picks,
  });
  if (options.sessionName !== undefined) {
    const name = options.sessionName.toLowerCase();
    const saved = sessions.store.list().sessions.find((session) => session.name?.toLowerCase() === name);
    return saved ? { kind: "chosen", ...(await sessions.open(saved.id)), picks: false } : fresh(false);
  }
  if (resume === undefined && !continueLast) return fresh(false);
  if (resume === "" && !setUp) return { kind: "refused", problem: '--resume: which one? "aura sessions" lists them' };
  if (resume) {
    const found = sessions.store.find(resume);
    if (found.kind !== "found") return { kind: "refused", problem: found.message };
    return { kind: "chosen", ...(await sessions.open(found.session.id)), picks: false };
  }
  const latest = sessions.store.latest(cwd);
  if (!latest) {
    if (!setUp) return { kind: "refused", problem: "there is no saved session to continue" };
    return fresh(false, "There is no saved session to go on with: this is a new one.");
  }
  if (resume === "") return fresh(true);
  if (latest.cwd !== cwd && setUp) return fresh(true, "This folder has no session. Choose one, or Esc for a new one.");
  const { session, warnings } = await sessions.open(latest.id);
  const elsewhere =
    latest.cwd === cwd ? [] : [`This folder has no session: going on with the newest, which is of ${latest.cwd}.`];
  return { kind: "chosen", session, warnings: [...elsewhere, ...warnings], picks: false };
}

function newState(options: OpenOptions, settings: TurnSettings, { provider, model }: ChosenModel, now: Date) {
  return {
    selection: {
      agent: settings.agent.name,
      mode: settings.mode?.name,
      provider: provider.name,
      model,
      think: settings.model.think,
    },
    verbose: options.verbose ?? false,
    auto: options.auto ?? false,
    done: false,
    name: undefined,
    title: undefined,
    window: undefined,
    readBefore: undefined,
    step: 0,
    stats: newStats(now.toISOString()),
    cost: 0,
  };
}

/** Tokens the debug log must never hold. */
function secretsOf(config: Config, { env }: OpenOptions): readonly string[] {
  const configured = [...config.providers.values()].flatMap(({ value }) => value.token ?? []);
  const fromEnv = Object.entries(env).flatMap(([name, value]) =>
    /KEY|TOKEN|SECRET/i.test(name) && value ? [value] : [],
  );
  return [...configured, ...fromEnv];
}

/** What enforces the sandbox shows from the beginning, not only once a command ran. */
async function tellEnforced(engine: Engine, conversation: LiveConversation): Promise<void> {
  try {
    await engine.sandbox.settle();
    conversation.tellStatus();
  } catch (error) {
    engine.debug("sandbox", error);
  }
}
