import type { Usage } from "../protocol/message.ts";
import type { ThinkLevel } from "../protocol/status.ts";
import type { SessionStats } from "../sessions/session-record.ts";

/** What a person chose, or the configuration chose for them. */
export interface Selection {
  agent: string;
  mode: string | undefined;
  provider: string;
  model: string;
  think: ThinkLevel;
}

/** The changing part of a conversation that is not its messages. Owned by the live conversation. */
export interface SessionState {
  readonly selection: Selection;
  verbose: boolean;
  auto: boolean;
  /** The model has the Done tool. */
  done: boolean;
  name: string | undefined;
  title: string | undefined;
  /** Tokens, as set by `/window`. */
  window: number | undefined;
  /** As set by `/readbefore`; undefined: as configured. */
  readBefore: { readonly write: boolean; readonly delete: boolean } | undefined;
  /** As set by `/sandbox`; undefined: as configured. */
  sandbox?: boolean | undefined;
  /** 0 while idle. */
  step: number;
  stats: SessionStats;
  /** US dollars; undefined once a model without a price was used. */
  cost: number | undefined;
}

export function newStats(startedAt: string): SessionStats {
  return {
    startedAt,
    interactions: 0,
    turns: 0,
    iterations: 0,
    parseRetries: 0,
    compactions: 0,
    tools: { calls: 0, errors: 0, freq: {} },
    tokens: { input: 0, output: 0 },
  };
}

export function countTurn(stats: SessionStats): SessionStats {
  return { ...stats, turns: stats.turns + 1 };
}

/** One thing a person said: several may be answered in one turn. */
export function countPrompt(stats: SessionStats): SessionStats {
  return { ...stats, interactions: stats.interactions + 1 };
}

export function countRequest(stats: SessionStats, usage: Usage): SessionStats {
  const { input, output } = stats.tokens;
  return {
    ...stats,
    iterations: stats.iterations + 1,
    tokens: { input: input + usage.input, output: output + usage.output },
  };
}

export function countCall(stats: SessionStats, tool: string, failed: boolean): SessionStats {
  const { calls, errors, freq } = stats.tools;
  return {
    ...stats,
    tools: { calls: calls + 1, errors: errors + (failed ? 1 : 0), freq: { ...freq, [tool]: (freq[tool] ?? 0) + 1 } },
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  const sum = (x: number | undefined, y: number | undefined) => (x ?? 0) + (y ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: sum(a.cached, b.cached),
    cacheWritten: sum(a.cacheWritten, b.cacheWritten),
    reasoning: sum(a.reasoning, b.reasoning),
  };
}
