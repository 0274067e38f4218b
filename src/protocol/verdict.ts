/** Why a verdict is what it is: the deciding rule and where it is written. */
export interface Because {
  /** The pattern as written, or a short sentence for a decision no pattern made. */
  readonly rule: string;
  readonly from:
    | "default"
    | "mode"
    | "agent"
    | "features"
    | "project"
    | "global"
    | "session"
    | "plugin"
    | "guardrail"
    | "server"
    | "built-in";
  /** The file that holds the rule, when a file does. */
  readonly file?: string;
  /** 1-based line in `file`. */
  readonly line?: number;
}

/** One pattern a person may choose, and what it would newly let through besides the call they are asked about. */
export interface Offered {
  readonly pattern: string;
  /** It may be remembered for the session but not saved. */
  readonly sessionOnly?: true;
  /** Commands of this session and ordinary ones; not all there are. */
  readonly allows: readonly string[];
}

/**
 * A pattern an approval may save. Absent (`pattern` undefined in a verdict) when nothing reusable is safe to offer:
 * then a person can only allow the call once.
 */
export type Verdict =
  | { readonly kind: "auto"; readonly because: Because }
  | {
      readonly kind: "confirm";
      readonly because: Because;
      readonly pattern?: string;
      /** Why nothing reusable, or nothing broader than this very call, is offered. */
      readonly noPattern?: string;
      /** The pattern may be remembered for the session but not saved. */
      readonly sessionOnly?: true;
      /** At most three to choose from, the narrowest first; `pattern` is what counts when nobody chooses. */
      readonly patterns?: readonly Offered[];
      /** How a shell command was read: a command, what it does or what it runs a line, indented by what belongs where. */
      readonly explained?: readonly string[];
    }
  | { readonly kind: "deny"; readonly because: Because };

export type Scope = "once" | "session" | "project" | "global";
