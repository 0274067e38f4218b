import { resolve } from "node:path";
import type { Controls } from "../commands/controls.ts";
import { visible } from "../config/resolve.ts";
import { explain, explanationLines } from "../policy/explain.ts";
import { describePolicy } from "../policy/rules.ts";
import type { Message } from "../protocol/message.ts";
import { textOf } from "../protocol/message.ts";
import type { PickItem } from "../protocol/request.ts";
import type { ToolCall } from "../protocol/tool-call.ts";
import { exportSession, isStructured } from "../sessions/export.ts";
import { shortId } from "../sessions/session-id.ts";
import { checkName } from "../sessions/session-name.ts";
import { parseTodos, renderTodos } from "../workspace/todos.ts";
import { childTranscript } from "./child-transcript.ts";
import { compactSession } from "./compact-session.ts";
import type { Engine } from "./engine.ts";
import { jobControls } from "./job-controls.ts";
import { judgedCall, policyInForce } from "./judge-call.ts";
import { listModels } from "./list-models.ts";
import { mcpControls } from "./mcp-controls.ts";
import { overview } from "./overview.ts";
import { decideConditions } from "./prepare-tools.ts";
import { newStats } from "./session-state.ts";
import { reload, setThink, useAgent, useMode, useModel } from "./switch-selection.ts";
import { enterSession, retitle, showSession, titleIfNone } from "./switch-session.ts";
import { undoControls } from "./undo-controls.ts";

const NEVER = new AbortController().signal;

/** What commands may do, bound to this conversation. `idle` is false while a turn runs. */
export function createControls(engine: Engine, idle: () => boolean): Controls {
  const ask = engine.requests;
  const needIdle = (what: string) => {
    if (!idle()) throw new Error(`${what} must wait until the turn is over: press Esc first, or wait`);
  };
  return {
    session: sessionControls(engine, needIdle),
    agent: {
      get current() {
        return engine.settings.agent.name;
      },
      names: visible(engine.config.agents).map(nameAndWords),
      use: (name) => useAgent(engine, name),
      get mode() {
        return engine.settings.mode?.name;
      },
      modes: visible(engine.config.modes).map(nameAndWords),
      useMode: (name) => useMode(engine, name),
      get think() {
        return engine.state.selection.think;
      },
      setThink: (level) => setThink(engine, level),
    },
    model: {
      get current() {
        return `${engine.model.provider.name}/${engine.model.model}`;
      },
      list: () => listModels(engine),
      use: (reference) => useModel(engine, reference),
    },
    tools: {
      async decided() {
        engine.rebuildTools();
        await decideConditions(engine, NEVER);
        return engine.tools.statuses;
      },
      get todos() {
        return renderTodos(engine.services.todos);
      },
      replaceTodos: (text) => engine.services.todos.replace(parseTodos(text)),
    },
    policy: {
      describe: () =>
        describePolicy(policyInForce(engine), engine.services.approvals, {
          agent: engine.settings.agent.name,
          ...(engine.settings.mode && { mode: engine.settings.mode.name }),
        }),
      async explainCommand(command) {
        const call = await judgedCall(engine, undefined, "Bash", { command });
        return explanationLines(explain(call, policyInForce(engine), engine.services.approvals)).join("\n");
      },
      get readBefore() {
        return engine.services.reads.policy;
      },
      setReadBefore(what, on) {
        const { policy } = engine.services.reads;
        if (what !== "delete") policy.write = on;
        if (what !== "write") policy.delete = on;
        engine.state.readBefore = { ...policy };
        engine.session.log.append({ type: "meta", meta: { readBefore: { ...policy } } });
      },
      sandbox: {
        describe: () => engine.sandbox.describe(),
        set(on) {
          engine.state.sandbox = on;
          engine.session.log.append({ type: "meta", meta: { sandbox: on } });
        },
      },
      async dry(command) {
        const { dryRun } = await import("./dry-run.ts");
        return dryRun(engine, command);
      },
    },
    context: {
      get usage() {
        const { used, window } = engine.contextUsage();
        return { used, ...(window !== undefined && { window }), messages: engine.session.history.forModel().length };
      },
      async compact() {
        needIdle("/compact");
        const before = engine.contextUsage().used;
        if (!(await compactSession(engine, { forced: true }))) return "There is nothing to compact yet.";
        return `Compacted: about ${before} tokens before, ${engine.contextUsage().used} now.`;
      },
      drop(count) {
        needIdle("/drop");
        const { dropped, ids } = engine.session.history.drop(count === "all" ? Number.POSITIVE_INFINITY : count);
        if (dropped > 0) engine.session.log.append({ type: "dropped", ids });
        if (dropped > 0) showSession(engine);
        return dropped;
      },
      insert(role, text) {
        // The system prompt is one and stays as it is; a later instruction of that weight goes in as a marked user message.
        const words = role === "system" ? `<system>\n${text}\n</system>` : text;
        const message = {
          id: engine.newId(),
          role: role === "assistant" ? "assistant" : "user",
          kind: "synthetic",
          at: engine.timestamp(),
          parts: [{ type: "text", text: words }],
        } as const;
        engine.session.history.insert(message);
        engine.emit({ type: "message-added", message });
      },
      setWindow(tokens) {
        engine.state.window = tokens;
        engine.session.log.append({ type: "meta", meta: { window: tokens } });
      },
    },
    mcp: mcpControls(engine),
    settings: {
      get verbose() {
        return engine.state.verbose;
      },
      setVerbose(on) {
        engine.state.verbose = on;
        engine.session.log.append({ type: "meta", meta: { verbose: on } });
      },
      get auto() {
        return engine.state.auto;
      },
      setAuto(on) {
        engine.state.auto = on;
        engine.session.log.append({ type: "meta", meta: { auto: on } });
      },
      overview: () => overview(engine),
      trust: async () => (await import("./trust-project.ts")).trustProject(engine, () => reload(engine)),
      reload: () => reload(engine),
    },
    delegation: delegationControls(engine),
    jobs: jobControls(engine),
    undo: undoControls(engine, needIdle),
    isAttended: engine.options.canAsk === true,
    async pick(title, items) {
      const result = await ask.open("pick", { title, items }, NEVER).answered;
      return result === "withdrawn" ? null : result.answer;
    },
    async edit(title, text) {
      const result = await ask.open("edit", { title, text }, NEVER).answered;
      return result === "withdrawn" ? null : result.answer;
    },
  };
}

const nameAndWords = ({ name, value }: { name: string; value: { description?: string | undefined } }) => ({
  name,
  description: value.description ?? "",
});

function delegationControls(engine: Engine): Controls["delegation"] {
  return {
    get children() {
      return engine.children.all.map(({ messages: _, ...summary }) => summary);
    },
    transcript(id) {
      const child = engine.children.all.find((one) => one.id === id);
      return child ? childTranscript(child) : "";
    },
    get skills() {
      return engine.skills.all.map(({ name, description, file }) => ({ name, description, from: file }));
    },
    get done() {
      return engine.state.done;
    },
    setDone(on) {
      const before = engine.state.done;
      engine.state.done = on;
      engine.rebuildTools();
      if (on && !engine.tools.find("Done")) {
        engine.state.done = before;
        engine.rebuildTools();
        throw new Error("Done tool is disabled for this agent.");
      }
      engine.session.log.append({ type: "meta", meta: { done: on } });
    },
  };
}

function sessionControls(engine: Engine, needIdle: (what: string) => void): Controls["session"] {
  const { sessions } = engine;
  return {
    get id() {
      return engine.session.log.id;
    },
    get name() {
      return engine.state.name;
    },
    get title() {
      return engine.state.title;
    },
    list: async () => sessions.store.list().sessions.map((saved) => sessionItem(saved, engine.timestamp())),
    async save(title) {
      engine.session.log.start();
      if (title !== undefined) retitle(engine, title);
      else await titleIfNone(engine);
      return engine.state.title ?? engine.session.log.id;
    },
    async rename(name) {
      const check = checkName(name, engine.session.log.id, sessions.store.list().sessions);
      if (check.kind === "refused") throw new Error(check.reason);
      engine.state.name = check.name;
      engine.session.log.append({ type: "name", name: check.name });
      return check.name;
    },
    async fork(title) {
      needIdle("/fork");
      engine.session.log.start();
      engine.session.log.flush();
      const forked = await sessions.fork(engine.session.log.id, title);
      await enterSession(engine, forked.session);
      return forked.title;
    },
    async resume(wanted) {
      needIdle("/resume");
      const found = sessions.store.find(wanted);
      if (found.kind !== "found") throw new Error(found.message);
      if (found.session.id === engine.session.log.id) throw new Error("that session is open already");
      const { session, warnings } = await sessions.open(found.session.id);
      const more = await enterSession(engine, session);
      showSession(engine);
      return { title: engine.state.title ?? shortId(found.session.id), warnings: [...warnings, ...more] };
    },
    lastAnswer: () =>
      engine.session.history
        .forDisplay()
        .filter((message) => message.role === "assistant" && message.kind === "normal")
        .map(textOf)
        .findLast((text) => text.trim() !== ""),
    async export(format, path) {
      const messages = engine.session.history.forExport(isStructured(format) ? "data" : "export");
      const text = exportSession(
        {
          id: engine.session.log.id,
          ...(engine.state.title !== undefined && { title: engine.state.title }),
          cwd: engine.cwd,
          created: engine.state.stats.startedAt,
          calls: askedIn(messages, engine.calls.all()),
          messages,
        },
        format,
      );
      if (path === undefined) return text;
      const target = resolve(engine.cwd, path);
      const files = engine.services.files;
      await files.apply([
        { kind: "write", path: await files.resolve(target, engine.cwd), bytes: new TextEncoder().encode(text) },
      ]);
      return `Exported to ${target}`;
    },
    async clear() {
      needIdle("/clear");
      engine.session.history.clear();
      engine.session.log.append({ type: "cleared" });
      engine.calls.replace([]);
      // With the messages that asked for them gone, their schemas would only take room.
      engine.availability.restart([]);
      engine.session.log.append({ type: "meta", meta: { loadedTools: [] } });
      engine.rebuildTools();
      engine.children.replace([]);
      engine.undo.restore(undefined);
      engine.totals = { input: 0, output: 0 };
      engine.state.stats = { ...newStats(engine.state.stats.startedAt), tools: engine.state.stats.tools };
      showSession(engine);
    },
    stats: () => ({ ...engine.state.stats, ...(engine.state.cost !== undefined && { cost: engine.state.cost }) }),
    exit: () => engine.emit({ type: "exit-requested" }),
  };
}

/** The calls these messages ask for, with the ones made under them: what faded from the conversation is not exported. */
function askedIn(messages: readonly Message[], calls: readonly ToolCall[]): readonly ToolCall[] {
  const asked = new Set(messages.flatMap(({ parts }) => parts.map((part) => "callId" in part && part.callId)));
  return calls.filter(({ id, parentId }) => asked.has(parentId ?? id));
}

export function sessionItem(
  saved: { id: string; name?: string; title?: string; cwd?: string; updated: number; firstPrompt?: string },
  now: string,
): PickItem {
  const minutes = Math.max(0, Math.round((Date.parse(now) - saved.updated) / 60_000));
  const age =
    minutes < 60 ? `${minutes}m` : minutes < 2880 ? `${Math.round(minutes / 60)}h` : `${Math.round(minutes / 1440)}d`;
  return {
    id: saved.id,
    label: [saved.name ?? shortId(saved.id), ...(saved.title ? [`[${saved.title}]`] : []), age].join("  "),
    ...(saved.firstPrompt !== undefined && { description: saved.firstPrompt.slice(0, 60) }),
    preview: [saved.firstPrompt ?? "nothing was asked yet", ...(saved.cwd ? [`in ${saved.cwd}`] : [])].join("\n"),
  };
}
