import type { Message } from "../protocol/message.ts";
import type { CallOutput, ToolCall } from "../protocol/tool-call.ts";

/** A message a hook adds. `eject` removes it after the next model request. */
export interface Injection {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly eject?: boolean;
}

/**
 * The points in a turn where others may step in (aura 5 and 16). Every method is optional and returns the one thing
 * it may change there, or nothing. A throw never breaks the turn: it becomes a notice and the hook is skipped.
 */
export interface Hooks {
  readonly name: string;
  /** Before each model request. `skip` ends the turn; `noTools` sends no tools with this request. */
  beforeChat?(turn: { readonly step: number; readonly history: readonly Message[] }): Promise<
    | {
        readonly inject?: readonly Injection[];
        readonly appendSystem?: string;
        readonly skip?: boolean;
        readonly noTools?: boolean;
      }
    | undefined
  >;
  /** The outgoing messages of this request only. */
  transformMessages?(messages: readonly Message[]): Promise<readonly Message[] | undefined>;
  /** After a reply is complete. An injection forces another step. */
  afterResponse?(reply: Message): Promise<{ readonly inject?: readonly Injection[] } | undefined>;
  /** Plugin point 0b: replace the input or block the call. */
  beforeTool?(call: { readonly id: string; readonly tool: string; readonly input: unknown }): Promise<
    | {
        readonly input?: unknown;
        readonly block?: string;
        readonly inject?: readonly Injection[];
      }
    | undefined
  >;
  /** User pre-hook point 3b: block, or add text before the output. */
  preHook?(call: {
    readonly id: string;
    readonly tool: string;
    readonly input: unknown;
    readonly paths: readonly string[];
  }): Promise<
    | {
        readonly block?: string;
        readonly text?: string;
      }
    | undefined
  >;
  /** User post-hook point 4b: add text after the output. */
  postHook?(call: {
    readonly id: string;
    readonly tool: string;
    readonly input: unknown;
    readonly output: string;
    readonly paths: readonly string[];
  }): Promise<{ readonly text?: string } | undefined>;
  /** Point 4d: diagnostics for files a call wrote. */
  diagnose?(paths: readonly string[]): Promise<string | undefined>;
  /** Point 6: replace the output. */
  afterTool?(
    call: ToolCall,
    output: CallOutput,
  ): Promise<{ readonly output?: string; readonly inject?: readonly Injection[] } | undefined>;
  /** A model request failed after its retries. */
  onError?(failure: { readonly kind: string; readonly message: string }): Promise<"retry" | "skip" | undefined>;
  beforeCompaction?(): Promise<"skip" | undefined>;
  afterCompaction?(summary: string): Promise<void>;
  onAgentSwitch?(change: {
    readonly from: string;
    readonly to: string;
    readonly reason: "user" | "cycle" | "failover" | "task" | "resume";
  }): Promise<void>;
  /** The guardrail point (step 2b): a returned sentence blocks the call. */
  guardrail?(call: { readonly tool: string; readonly input: unknown }): Promise<string | undefined>;
}
