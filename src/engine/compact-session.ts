import { compact, needsCompaction, type SummaryAnswer } from "../context/compaction.ts";
import { prune } from "../context/prune.ts";
import { textOf } from "../protocol/message.ts";
import type { Engine } from "./engine.ts";

/**
 * Makes room when the context is nearly full, or at once when `forced`. Returns whether the history got shorter.
 * A summary is asked of the model only when the configuration names a prompt or an agent for it; without one a digest
 * is made here, which costs no request.
 */
export async function compactSession(engine: Engine, { forced }: { readonly forced: boolean }): Promise<boolean> {
  const { history, log } = engine.session;
  const { compaction } = engine.settings.features;
  if (compaction.prune.mode === "iteration" && engine.window() !== undefined) pruneHistory(engine);
  const settings = {
    threshold: compaction.threshold,
    maxTokens: compaction.max_tokens,
    keepLastMessages: compaction.keep_last_messages,
    toolResultMaxLength: compaction.tool_result_max_length,
    truncationRetries: compaction.truncation_retries,
    chunks: compaction.chunks,
  };
  if (!forced && !needsCompaction(engine.contextUsage(), settings)) return false;
  const { todos } = engine.services;
  const ask = summaryRequest(engine);
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

function pruneHistory(engine: Engine): void {
  const { history } = engine.session;
  const { protect_percent: protectPercent, arg_threshold: argThreshold } = engine.settings.features.compaction.prune;
  const changed = prune(history.messages, { protectPercent, argThreshold }, engine.window()!, engine.estimate);
  if (changed.length === 0) return;
  history.rewrite(changed);
  for (const message of changed) engine.session.log.append({ type: "message", message });
}

/** Asks the session's own model, with the configured prompt as its system prompt. */
function summaryRequest(engine: Engine): ((prompt: string) => Promise<SummaryAnswer>) | undefined {
  const { prompt: promptName, agent } = engine.settings.features.compaction;
  const body =
    engine.config.prompts.get(promptName.toLowerCase())?.body ?? engine.config.agents.get(agent.toLowerCase())?.body;
  if (body === undefined) return undefined;
  return async (prompt) => {
    const { provider, model } = engine.model;
    const message = {
      id: engine.newId(),
      role: "user",
      kind: "normal",
      at: engine.timestamp(),
      parts: [{ type: "text", text: prompt }],
    } as const;
    const request = { model, system: body, messages: [message], tools: [], think: "off" } as const;
    let text = "";
    for await (const part of provider.stream({ ...request, signal: AbortSignal.timeout(120_000) })) {
      if (part.type === "part" && part.part.type === "tool-call") return { kind: "failed", reason: "it called a tool" };
      if (part.type === "part") text += textOf({ ...message, parts: [part.part] });
      if (part.type === "failed") return { kind: "failed", reason: part.failure.message };
    }
    return text.trim() === "" ? { kind: "failed", reason: "the summary was empty" } : { kind: "text", text };
  };
}
