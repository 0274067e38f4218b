import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ConditionFacts } from "../config/condition.ts";
import type { Engine } from "./engine.ts";

/** How long a `bash:` condition may take (aura 10). */
const COMMAND_MS = 120_000;
const OUTPUT_BYTES = 64 * 1024;

/** What conditions ask about, as it is in this conversation now; the same question is asked of the machine only once. */
export function conditionFacts(engine: Engine, signal: AbortSignal): ConditionFacts {
  const { state, services, model, settings, totals, session } = engine;
  const { stats } = state;
  const items = services.todos.items;
  const runs = new Map<string, Promise<boolean>>();
  return {
    todo: { total: items.length, open: items.filter(({ status }) => status !== "completed").length },
    auto: state.auto,
    context: engine.contextUsage().percent ?? 0,
    counts: {
      // The system prompt counts as a message.
      history: session.history.forModel().length + 1,
      tool_errors: stats.tools.errors,
      tool_calls: stats.tools.calls,
      turns: stats.turns,
      compactions: stats.compactions,
      iteration: state.step,
      tokens_total: totals.input + totals.output,
    },
    model: {
      name: model.model,
      context: engine.window() ?? 0,
      params: model.info?.parameters ?? 0,
      capabilities: [
        ...(model.info?.capabilities ?? []),
        ...(settings.model.context === undefined ? [] : ["context_override"]),
      ],
    },
    exists: (path) =>
      stat(resolve(engine.cwd, path.replace(/^~(?=$|\/)/, engine.folders.user))).then(
        () => true,
        () => false,
      ),
    succeeds(command) {
      const run = runs.get(command) ?? exitsWell(engine, command, signal);
      runs.set(command, run);
      return run;
    },
  };
}

async function exitsWell({ services, cwd }: Engine, command: string, signal: AbortSignal): Promise<boolean> {
  try {
    const result = await services.shell.exec(command, {
      cwd,
      signal,
      timeoutMs: COMMAND_MS,
      maxOutputBytes: OUTPUT_BYTES,
    });
    return result.kind === "exited" && result.code === 0;
  } catch {
    return false; // no shell, no folder: then it did not exit with 0
  }
}
