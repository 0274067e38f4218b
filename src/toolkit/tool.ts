import type { Preview } from "../protocol/request.ts";
import type { CallOutput } from "../protocol/tool-call.ts";
import type { CheckedInput } from "./check-input.ts";
import type { Described, ObjectSchema } from "./json-schema.ts";
import type { ToolAccess } from "./tool-access.ts";

/** What a tool returns: text for the model, or text with images or a diff. */
export type ToolResult = CallOutput | string;

/**
 * Three things every tool says, one thing every tool does, and what a few tools add. Optional members are
 * capabilities; callers test for presence, and the default is written beside each.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** Shown to the model after the description, as `Usage:`. */
  readonly usage?: string;
  /** Shown to the model last, one line each, as `Examples:`. */
  readonly examples?: readonly string[];
  readonly input: ObjectSchema;

  /** The work. A throw becomes a failed call, its message what the model reads. */
  run(input: Input, access: ToolAccess): Promise<ToolResult>;

  /** Checks input itself, where `input` is a foreign schema with more than ours has words for. Default: by `input`. */
  check?(input: unknown): Promise<CheckedInput>;
  /** A returned sentence refuses the call before policy is asked (read-before-write). */
  pre?(input: Input, access: ToolAccess): Promise<string | undefined>;
  /** Record what happened; may not change the output. Runs only after a run that succeeded. */
  post?(input: Input, access: ToolAccess): Promise<void>;
  /** Files this call will touch, unresolved, for policy, sandbox and dialog. Default: none. */
  paths?(input: Input): { readonly read?: readonly string[]; readonly write?: readonly string[] };
  /** What the approval dialog shows, such as a diff. A throw means no preview. */
  preview?(input: Input, access: ToolAccess): Promise<Preview | undefined>;
  /**
   * The built-in call this one amounts to, where it is one of ours under another name (`mcp__coding__bash` is `Bash`):
   * policy judges it as both, the stricter verdict counts. Default: only itself.
   */
  sameAs?(input: Input): { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } | undefined;
  /**
   * Why this call wants a person's yes although no rule may ask for one (a server's permission mode). Deny still
   * denies, and what exempts a call from a confirm rule exempts it from this. Default: it wants none.
   */
  asks?(input: Input): string | undefined;
  /** All it does is make another call, which is judged by itself: rules that ask are left to that one. Default: false. */
  readonly passesOn?: boolean;
  /** What its run itself may change on disk: nothing, or what it asks `files` for. Default: anything at all. */
  readonly changes?: "nothing" | "files";
  /** Safe beside its siblings? Default: true. */
  readonly parallel?: boolean;
  /** May it run in a confined process? Default: true. */
  readonly sandboxable?: boolean;
  /** A call of it that succeeds ends the turn, after all calls of its reply (Done). Default: false. */
  readonly endsTurn?: boolean;
  /** The pipeline shortens long output by cutting its middle lines (Bash). Default: false. */
  readonly cutsMiddle?: boolean;
  /** Release what it holds, once, when the conversation ends. */
  close?(): Promise<void>;
}

/** Infers the input type of a tool from its schema. */
export function defineTool<const S extends ObjectSchema>(
  tool: Omit<Tool<Described<S>>, "input"> & { readonly input: S },
): Tool {
  // The registry holds tools of all inputs; the pipeline checks input against the schema before any of these run.
  return tool as unknown as Tool;
}
