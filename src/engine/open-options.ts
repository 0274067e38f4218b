import type { ThinkLevel } from "../protocol/status.ts";

/** What a front end decides before a conversation opens: flags and environment, already merged. */
export interface OpenOptions {
  /** Absolute working directory of the session. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What commands run in, where that is less than `env`: without what a file of secrets added. */
  readonly commandEnv?: Readonly<Record<string, string | undefined>>;
  /** Global home; "" disables it; undefined means the usual place. */
  readonly home?: string;
  /** Project homes, lowest first; undefined means `./.aura` when it exists. */
  readonly config?: readonly string[];
  /** `config` was named by the environment alone, relative to wherever it is started. */
  readonly isConfigFromEnv?: boolean;
  readonly agent?: string;
  readonly mode?: string;
  /** A task definition whose filters and features hold. */
  readonly task?: string;
  readonly provider?: string;
  /** `model` or `provider/model`. */
  readonly model?: string;
  /** Name of a prompt that replaces the agent's system prompt. */
  readonly system?: string;
  readonly think?: ThinkLevel;
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  /** Only these MCP servers, and none of those: names or patterns. */
  readonly includeMcps?: readonly string[];
  readonly excludeMcps?: readonly string[];
  /** The first request waits until every MCP server has answered or failed. */
  readonly withMcp?: boolean;
  /** Of this product, as servers are told. */
  readonly version?: string;
  readonly maxSteps?: number;
  readonly tokenBudget?: number;
  /** `path=value` (aura 17.6). */
  readonly overrides?: readonly string[];
  /** Template variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Session id prefix or name to go on with; "" = whichever the person chooses. */
  readonly resume?: string;
  /** Go on with the newest session of this directory. */
  readonly continueLast?: boolean;
  /** A model script that replaces every provider. */
  readonly script?: string;
  /** Play the script without its pauses. */
  readonly instant?: boolean;
  /** Answer every request with `[noop]` instead of asking a model. */
  readonly noop?: boolean;
  readonly auto?: boolean;
  readonly verbose?: boolean;
  /** Confirm-tier calls run unasked. */
  readonly approveAll?: boolean;
  /** Saved approvals do not count. */
  readonly ignoreApprovals?: boolean;
  /** Take the project's own configuration as trusted, this time. */
  readonly trust?: boolean;
  /** A person sits there: open also without a model or a session to go on with, and ask for one. */
  readonly setUp?: boolean;
  /** A person sits there who can be asked: the model gets Ask. */
  readonly canAsk?: boolean;
  /** A screen shows the status line: a command of the person's may write it. */
  readonly statusCommand?: boolean;
  /** Absolute: a directory whose `tools/*.md` are offered too, once trusted by their content. */
  readonly agentDir?: string;
  /** Do not open without every server this directory declares. */
  readonly needsServersOf?: string;
  /** Go on with the session of this name, or begin one with it. */
  readonly sessionName?: string;
  /** Write a debug log into the write home. */
  readonly debug?: boolean;
  /** Where this product's shipped files are (sample configuration, demo). */
  readonly shipped: string;
}
