import type { Preview } from "../protocol/request.ts";
import type { CallOutput } from "../protocol/tool-call.ts";
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

  /** A returned sentence refuses the call before policy is asked (read-before-write). */
  pre?(input: Input, access: ToolAccess): Promise<string | undefined>;
  /** Record what happened; may not change the output. Runs only after a run that succeeded. */
  post?(input: Input, access: ToolAccess): Promise<void>;
  /** Files this call will touch, unresolved, for policy, sandbox and dialog. Default: none. */
  paths?(input: Input): { readonly read?: readonly string[]; readonly write?: readonly string[] };
  /** What the approval dialog shows, such as a diff. A throw means no preview. */
  preview?(input: Input, access: ToolAccess): Promise<Preview>;
  /** Safe beside its siblings? Default: true. */
  readonly parallel?: boolean;
  /** May it run in a confined process? Default: true. */
  readonly sandboxable?: boolean;
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
