import { nextKeep } from "../context/compaction.ts";
import { resultObjection } from "../context/result-guard.ts";
import type { Gate, Turn } from "../loop/turn.ts";
import type { Message } from "../protocol/message.ts";
import { type LineThrottle, throttleLines } from "../text/throttle-lines.ts";
import { compactSession } from "./compact-session.ts";
import type { Engine } from "./engine.ts";
import { rememberApproval } from "./judge-call.ts";
import { judgeWithAbove } from "./judge-child.ts";
import { openMcp } from "./mcp.ts";
import { preparePrompt } from "./prepare-prompt.ts";
import { prepareTools } from "./prepare-tools.ts";
import { showStatus } from "./status.ts";
import { failOver } from "./switch-selection.ts";
import { systemPrompt } from "./system-prompt.ts";
import { toolAccess } from "./tool-access.ts";
import { underSandbox } from "./under-sandbox.ts";

export interface TurnSurroundings {
  /** The prompts typed meanwhile; the queue is empty afterwards. */
  takeQueued(): readonly string[];
  activity(): { readonly busy: boolean; readonly queued: number };
}

/** Binds the loop's one user turn to this conversation. */
export async function createTurn(engine: Engine, signal: AbortSignal, around: TurnSurroundings): Promise<Turn> {
  const { settings } = engine;
  await openMcp(engine);
  await engine.mcp?.beforeTurn(signal);
  // Sources may know other tools by now, and conditions may have changed since the last request.
  engine.rebuildTools();
  await prepareTools(engine, signal);
  await engine.sandbox.settle();
  const system = await systemPrompt(engine);
  let keep = settings.features.compaction.keep_last_messages;
  const throttles = new Map<string, LineThrottle>();
  return {
    provider: engine.model.provider,
    request: {
      model: engine.model.model,
      think: engine.state.selection.think,
      generation: settings.model.generation,
      cacheKey: engine.session.log.id,
      ...(settings.model.responseFormat && { responseFormat: settings.model.responseFormat }),
    },
    system,
    get tools() {
      return engine.tools;
    },
    prepareTools: () => prepareTools(engine, signal),
    hooks: engine.hooks,
    history: engine.session.history,
    gate: createGate(engine),
    requests: engine.requests,
    limits: { ...settings.limits, parallel: settings.features.tools.parallel },
    signal,
    access({ id }) {
      const throttle = throttleLines((line) =>
        engine.emit({ type: "call-printed", callId: id, line: engine.redact(line) }),
      );
      throttles.set(id, throttle);
      return toolAccess(engine, id, signal, (line) => throttle.push(line));
    },
    beforeCalls: (calls) => engine.undo.beforeCalls(calls, engine.hooks),
    printed(callId) {
      throttles.get(callId)?.flush();
      throttles.delete(callId);
    },
    redact: (text) => engine.redact(text),
    shorten: (text) => engine.shorten(text),
    resultObjection(text, besides) {
      const { mode, result, rejection_message: rejectionMessage } = settings.features.tools;
      const context = engine.contextUsage();
      return resultObjection(
        engine.estimate(text),
        { ...context, used: context.used + besides },
        {
          // Without a window there is no percentage to hold a result to; the fixed limit still stands.
          mode: context.window === undefined ? "tokens" : mode,
          maxPercentage: result.max_percentage,
          maxTokens: result.max_tokens,
          rejectionMessage,
        },
      );
    },
    estimate: engine.estimate,
    async compact(reason) {
      if (reason === "threshold") return compactSession(engine, { forced: false });
      let shorter = await compactSession(engine, { forced: true, keep });
      keep = nextKeep(keep, shorter);
      if (!shorter) shorter = await compactSession(engine, { forced: true, keep });
      return shorter;
    },
    spent: () => tokensSpent(engine),
    unfinished: () => (engine.state.auto ? unfinishedTodos(engine) : undefined),
    failOver: async (failure) => ((await failOver(engine, failure)) ? createTurn(engine, signal, around) : undefined),
    takeQueued: () => prepareQueued(engine, around.takeQueued(), signal),
    emit: (event) => engine.emit(event),
    stepped(step) {
      engine.state.step = step;
      showStatus(engine, around.activity());
    },
    newId: () => engine.newId(),
    now: () => performance.now(),
    timestamp: () => engine.timestamp(),
  };
}

/** Of the whole session: what an agent spends that was set to work is the session's too. */
function tokensSpent({ above, totals }: Engine): number {
  return above ? tokensSpent(above.engine) : totals.input + totals.output;
}

function unfinishedTodos(engine: Engine): string | undefined {
  const left = engine.services.todos.items.filter(({ status }) => status !== "completed");
  if (left.length === 0) return undefined;
  return `${left.length} of the todos are not finished. Go on with them, or mark them completed if they are done.`;
}

function createGate(engine: Engine): Gate {
  return {
    judge: async (call) => underSandbox(engine, call, await judgeWithAbove(engine, call)),
    remember: (scope, pattern) => rememberApproval(engine, scope, pattern),
    approvesAll: () => engine.state.auto || engine.options.approveAll === true,
    outsideSandbox: (call) => engine.sandbox.outside(call),
  };
}

async function prepareQueued(
  engine: Engine,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Message[]> {
  if (texts.length === 0) return [];
  const messages: Message[] = [];
  for (const text of texts) {
    const prepared = await preparePrompt(engine, text, signal);
    if (prepared.kind === "message") messages.push(prepared.message);
    else if (prepared.kind === "refused") engine.emit({ type: "notice", level: "error", text: prepared.reason });
  }
  return messages;
}
