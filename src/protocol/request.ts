import type { Because, Scope } from "./verdict.ts";

/** What an approval dialog shows beside the command or path. */
export interface Preview {
  readonly title: string;
  /** Unified diff, one or several files. */
  readonly diff?: string;
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
  | { readonly allow: true; readonly scope: Scope }
  | { readonly allow: false; readonly feedback?: string };

/** Everything the engine may need a person for, with the shape of its answer. */
export interface RequestTypes {
  approval: {
    ask: {
      readonly callId: string;
      readonly tool: string;
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
      readonly because: Because;
      readonly preview?: Preview;
    };
    answer: ApprovalAnswer;
  };
  question: { ask: { readonly questions: readonly Question[] }; answer: readonly (readonly string[])[] | null };
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
