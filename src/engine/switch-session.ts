import { makeTitle } from "../context/title.ts";
import { textOf } from "../protocol/message.ts";
import type { SessionMeta } from "../sessions/session-record.ts";
import { askModel } from "./ask-model.ts";
import type { Engine } from "./engine.ts";
import type { OpenSession } from "./session.ts";
import { addUsage, newStats } from "./session-state.ts";
import { setThink, useAgent, useMode, useModel } from "./switch-selection.ts";

/**
 * Goes on in another session: its messages, todos, counters and choices take the place of ours. Each thing that cannot
 * be restored is a warning; the rest still is. Flags win over what the session remembers.
 */
export async function enterSession(engine: Engine, next: OpenSession): Promise<readonly string[]> {
  const warnings: string[] = [];
  if (engine.session !== next) engine.session.log.close();
  engine.session = next;
  engine.composed = undefined;
  const { saved } = next;
  engine.calls.replace(saved?.calls ?? []);
  engine.children.replace(saved?.children ?? []);
  // A turn that was broken off has no end in the log, and still has its number.
  const { turns = [], open } = saved?.undo ?? {};
  engine.turnCount = Math.max(saved?.turn ?? 0, open?.turn ?? 0, turns.at(-1)?.turn ?? 0);
  engine.undo.restore(saved?.undo);
  const { state, services, options } = engine;
  state.name = saved?.name;
  state.title = saved?.title;
  state.stats = saved?.stats ?? newStats(engine.timestamp());
  engine.totals = Object.values(saved?.spent ?? {}).reduce(addUsage, { input: 0, output: 0 });
  services.todos.replace(saved?.todos ?? { summary: "", items: [] });
  const meta = saved?.meta;
  if (state.done !== (meta?.done ?? false)) {
    state.done = meta?.done ?? false;
    engine.rebuildTools();
  }
  if (meta?.verbose !== undefined && options.verbose === undefined) state.verbose = meta.verbose;
  if (meta?.window) state.window = meta.window;
  state.readBefore = meta?.readBefore ?? undefined;
  state.sandbox = meta?.sandbox ?? undefined;
  engine.availability.restart(meta?.loadedTools ?? []);
  engine.rebuildTools();
  Object.assign(services.reads.policy, state.readBefore ?? engine.settings.readBefore);
  if (meta) await restoreSelection(engine, meta, warnings);
  for (const prompt of saved?.queue ?? []) warnings.push(`It ended before this prompt was sent: ${prompt}`);
  if (saved?.queue.length) next.log.append({ type: "queue", prompts: [] });
  return warnings;
}

/** The agent first: it brings a model, a mode and thinking of its own. */
async function restoreSelection(engine: Engine, meta: SessionMeta, warnings: string[]): Promise<void> {
  const { options, state } = engine;
  const attempt = async (what: string, restore: () => Promise<unknown>) => {
    try {
      await restore();
    } catch (error) {
      warnings.push(`its ${what} could not be restored: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const { agent, mode, provider, model, think } = meta;
  if (agent !== undefined && options.agent === undefined && agent !== engine.settings.agent.name)
    await attempt("agent", () => useAgent(engine, agent, "resume"));
  const chosen = options.model ?? options.provider ?? options.script ?? (options.noop ? "noop" : undefined);
  const sameModel = model === engine.model.model && provider === engine.model.provider.name;
  if (model !== undefined && provider !== undefined && !sameModel && chosen === undefined)
    await attempt("model", () => useModel(engine, `${provider}/${model}`));
  if (think !== undefined && options.think === undefined) state.selection.think = think;
  if (mode !== undefined && options.mode === undefined && (mode ?? undefined) !== engine.settings.mode?.name)
    await attempt("mode", () => useMode(engine, mode ?? undefined));
  else setThink(engine, state.selection.think);
}

/** Tells every screen what the session now shows. */
export function showSession(engine: Engine): void {
  engine.emit({
    type: "history-replaced",
    history: engine.session.history.forDisplay(),
    calls: engine.calls.all(),
  });
}

/** An untitled session is called after its first prompt, in a model's words where the configuration asks for them. */
export async function titleIfNone(engine: Engine): Promise<void> {
  const { state, session, settings } = engine;
  const { disabled, prompt, agent, max_length: length } = settings.features.title;
  if (state.title !== undefined || disabled) return;
  const first = session.history.messages.find(({ role, kind }) => role === "user" && kind === "normal");
  if (!first) return;
  const ask = askModel(engine, prompt, agent);
  const words = async (text: string) => {
    const answer = await ask?.(text);
    return answer?.kind === "text" ? answer.text : undefined;
  };
  retitle(engine, await makeTitle(textOf(first), length, words));
}

export function retitle(engine: Engine, title: string): void {
  engine.state.title = title;
  engine.session.log.append({ type: "title", title });
}
