import { firstLineTitle } from "../context/title.ts";
import { textOf } from "../protocol/message.ts";
import type { Engine } from "./engine.ts";
import type { OpenSession } from "./session.ts";
import { addUsage, newStats } from "./session-state.ts";
import { useModel } from "./switch-selection.ts";

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
  engine.turnCount = saved?.turn ?? 0;
  const { state, services, options } = engine;
  state.name = saved?.name;
  state.title = saved?.title;
  state.stats = saved?.stats ?? newStats(engine.timestamp());
  engine.totals = Object.values(saved?.spent ?? {}).reduce(addUsage, { input: 0, output: 0 });
  services.todos.replace(saved?.todos ?? { summary: "", items: [] });
  const meta = saved?.meta;
  if (meta?.verbose !== undefined && options.verbose === undefined) state.verbose = meta.verbose;
  if (meta?.window) state.window = meta.window;
  if (meta?.readBefore) Object.assign(services.reads.policy, meta.readBefore);
  if (meta?.think !== undefined && options.think === undefined) state.selection.think = meta.think;
  const sameModel = meta?.model === engine.model.model && meta?.provider === engine.model.provider.name;
  const chosen = options.model ?? options.provider ?? options.script ?? (options.noop ? "noop" : undefined);
  if (meta?.model !== undefined && meta.provider !== undefined && !sameModel && chosen === undefined) {
    try {
      await useModel(engine, `${meta.provider}/${meta.model}`);
    } catch (error) {
      warnings.push(`its model could not be restored: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return warnings;
}

/** Tells every screen what the session now shows. */
export function showSession(engine: Engine): void {
  engine.emit({
    type: "history-replaced",
    history: engine.session.history.forDisplay(),
    calls: engine.calls.all(),
  });
}

/** An untitled session is called after its first prompt. */
export function titleIfNone(engine: Engine): void {
  const { state, session, settings } = engine;
  if (state.title !== undefined || settings.features.title.disabled) return;
  const first = session.history.messages.find(({ role, kind }) => role === "user" && kind === "normal");
  if (first) retitle(engine, firstLineTitle(textOf(first), settings.features.title.max_length));
}

export function retitle(engine: Engine, title: string): void {
  engine.state.title = title;
  engine.session.log.append({ type: "title", title });
}
