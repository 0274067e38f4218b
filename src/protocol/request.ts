import type { Because, Offered, Scope } from "./verdict.ts";

/** What an approval dialog shows beside the command or path. */
export interface Preview {
  readonly title: string;
  /** Unified diff, one or several files. */
  readonly diff?: string;
  /**
   * How it is known: the command was run on a copy, a stand-in for the shell ran it (which may differ from the real
   * one), or it was only read. Absent: the tool knows its own effect.
   */
  readonly kind?: "run" | "simulated" | "judged";
  /** Everything that would change, by path. */
  readonly changes?: readonly PreviewedChange[];
  /** What the command printed when it was tried. */
  readonly output?: string;
  /** What to know beside it, one sentence each. */
  readonly notes?: readonly string[];
}

export interface PreviewedChange {
  /** As seen from the workspace. */
  readonly path: string;
  readonly what: "added" | "modified" | "deleted" | "renamed" | "mode";
  /** Of a renamed file: its old path. */
  readonly from?: string;
  /** Lines, where it is a text. */
  readonly added?: number;
  readonly removed?: number;
}

export interface Question {
  readonly text: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect: boolean;
  /** The answer is a key or password: a screen does not show it. */
  readonly secret?: boolean;
}

export interface PickItem {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** More about it, for a screen that shows one item at a time in full. */
  readonly preview?: string;
  readonly group?: string;
  readonly current?: boolean;
}

export type ApprovalAnswer =
  | {
      readonly allow: true;
      readonly scope: Scope;
      /** Which of the offered patterns is remembered; without it the one in `pattern`. */
      readonly pattern?: string;
    }
  | { readonly allow: false; readonly feedback?: string }
  /** No person said so: there was nobody to be asked, for this reason. */
  | { readonly allow: false; readonly nobody: string };

/** Everything the engine may need a person for, with the shape of its answer. */
export interface RequestTypes {
  approval: {
    ask: {
      readonly callId: string;
      readonly tool: string;
      /** Who wants to make the call, when it is not the agent a person talks to: a subagent, a script tool. */
      readonly who?: string;
      /** One line: what the tool does. */
      readonly about: string;
      /** The whole command, the path, or the pretty-printed arguments. */
      readonly detail: string;
      /** What session, project and global would remember; without it only `once` is a valid scope. */
      readonly pattern?: string;
      /** Why no pattern, or none broader than this very call, is offered. */
      readonly noPattern?: string;
      /** The pattern may be remembered for the session but not saved: `project` and `global` are no answers then. */
      readonly sessionOnly?: true;
      /** Patterns to choose from, the narrowest first, with what else each would allow; `pattern` is one of them. */
      readonly patterns?: readonly Offered[];
      readonly because: Because;
      /** How a shell command was read: a command, what it does or what it runs a line, indented by what belongs where. */
      readonly explained?: readonly string[];
      readonly preview?: Preview;
    };
    answer: ApprovalAnswer;
  };
  question: {
    ask: {
      readonly questions: readonly Question[];
      /** Who asks, when it is not the model: the name of a server. */
      readonly from?: string;
    };
    answer: readonly (readonly string[])[] | null;
  };
  /** A text to be read and approved, or sent back with a word; null is no answer, which approves nothing. */
  review: {
    ask: { readonly title: string /** Markdown. */; readonly text: string };
    answer: { readonly approved: true } | { readonly approved: false; readonly feedback?: string } | null;
  };
  pick: { ask: { readonly title: string; readonly items: readonly PickItem[] }; answer: string | null };
  edit: { ask: { readonly title: string; readonly text: string }; answer: string | null };
}
export type RequestKind = keyof RequestTypes;
export type Request = {
  [K in RequestKind]: { readonly id: string; readonly kind: K } & RequestTypes[K]["ask"];
}[RequestKind];
export type RequestOf<K extends RequestKind> = Extract<Request, { kind: K }>;
export type Answer = {
  [K in RequestKind]: { readonly kind: K; readonly value: RequestTypes[K]["answer"] };
}[RequestKind];
