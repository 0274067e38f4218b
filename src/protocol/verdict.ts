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
    | "built-in";
  /** The file that holds the rule, when a file does. */
  readonly file?: string;
  /** 1-based line in `file`. */
  readonly line?: number;
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
    }
  | { readonly kind: "deny"; readonly because: Because };

export type Scope = "once" | "session" | "project" | "global";
