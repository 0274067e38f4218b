import { compact, needsCompaction } from "../context/compaction.ts";
import { prune } from "../context/prune.ts";
import { needsTrim, repeatedInjections } from "../context/trim.ts";
import { askModel } from "./ask-model.ts";
import type { Engine } from "./engine.ts";

/**
 * Makes room when the context is nearly full, or at once when `forced`. Returns whether the history got shorter.
 * A summary is asked of the model only when the configuration names a prompt or an agent for it; without one a digest
 * is made here, which costs no request.
 */
export async function compactSession(engine: Engine, { forced, keep }: CompactWish): Promise<boolean> {
  const { history, log } = engine.session;
  const { compaction } = engine.settings.features;
  if (compaction.prune.mode === "iteration" && engine.window() !== undefined) pruneHistory(engine);
  trimInjections(engine);
  const settings = {
    threshold: compaction.threshold,
    maxTokens: compaction.max_tokens,
    keepLastMessages: keep ?? compaction.keep_last_messages,
    toolResultMaxLength: compaction.tool_result_max_length,
    truncationRetries: compaction.truncation_retries,
    chunks: compaction.chunks,
  };
  if (!forced && !needsCompaction(engine.contextUsage(), settings)) return false;
  const { todos } = engine.services;
  const { prompt, agent } = compaction;
  const ask = askModel(engine, prompt, agent);
  const result = await compact(history.messages, {
    settings,
    todos,
    forced,
    newId: () => engine.newId(),
    at: engine.timestamp(),
    ...(ask && { ask }),
  });
  if (result.kind === "failed")
    engine.emit({ type: "notice", level: "warn", text: `Compaction failed: ${result.reason}` });
  if (result.kind !== "compacted") return false;
  history.replace(new Set(result.replaced), result.messages);
  log.append({ type: "compaction", replaced: result.replaced, messages: result.messages, summary: result.summary });
  engine.state.stats = { ...engine.state.stats, compactions: engine.state.stats.compactions + 1 };
  engine.emit({ type: "compaction-finished", removed: result.replaced.length, summary: result.summary });
  return true;
}

export interface CompactWish {
  /** Now, whether or not the context is full. */
  readonly forced: boolean;
  /** Messages to keep, instead of the configured number. */
  readonly keep?: number;
}

/** What hooks keep saying is told once when the context fills up. */
function trimInjections(engine: Engine): void {
  const { trim_threshold: trimThreshold, trim_max_tokens: trimMaxTokens } = engine.settings.features.compaction;
  if (!needsTrim(engine.contextUsage(), { trimThreshold, trimMaxTokens })) return;
  const { history, log } = engine.session;
  const ids = repeatedInjections(history.messages);
  if (ids.size === 0) return;
  history.remove(ids);
  log.append({ type: "dropped", ids: [...ids] });
}

function pruneHistory(engine: Engine): void {
  const { history } = engine.session;
  const { protect_percent: protectPercent, arg_threshold: argThreshold } = engine.settings.features.compaction.prune;
  const changed = prune(history.messages, { protectPercent, argThreshold }, engine.window()!, engine.estimate);
  if (changed.length === 0) return;
  history.rewrite(changed);
  for (const message of changed) engine.session.log.append({ type: "message", message });
}
