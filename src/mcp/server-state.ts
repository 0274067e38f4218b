/** Where one server stands. */
export type ServerState =
  /** Known from when it last ran; it starts when one of its tools is called. */
  | { readonly kind: "idle" }
  | { readonly kind: "connecting" }
  | { readonly kind: "connected" }
  | { readonly kind: "needs-auth" }
  | { readonly kind: "failed"; readonly reason: string }
  /** It ended by itself and is started anew, at the latest when one of its tools is called. */
  | { readonly kind: "crashed"; readonly reason: string }
  | { readonly kind: "disabled"; readonly reason: string };

export interface ServerStatus {
  readonly name: string;
  readonly transport: string;
  readonly state: ServerState;
  /** Tools it is known to have. */
  readonly tools: number;
  /** It could not be reached when it was last tried, and has not been tried since. */
  readonly failedBefore?: true;
  /** Where it is written. */
  readonly file?: string;
}

/** One line for a person. */
export function wordState({ name, state, tools, failedBefore }: ServerStatus): string {
  const count = tools === 1 ? "1 tool" : `${tools} tools`;
  switch (state.kind) {
    case "idle":
      if (failedBefore) return `not started: it could not be reached last time; /mcp reconnect ${name} tries it now`;
      return `not started: it starts when one of its tools is called (${count}, as of its last run)`;
    case "connecting":
      return "connecting …";
    case "connected":
      return `connected (${count})`;
    case "needs-auth":
      return `needs a sign-in: /mcp auth ${name}`;
    case "failed":
      return `failed: ${state.reason}`;
    case "crashed":
      return `ended by itself: ${afterFirstLine(state.reason, "; it is started anew")}`;
    case "disabled":
      return state.reason;
  }
}

/** Why its tools cannot be offered at all; undefined when they can. */
export function wordUnavailable(name: string, state: ServerState): string | undefined {
  switch (state.kind) {
    case "needs-auth":
      return `server "${name}" needs a sign-in: /mcp auth ${name}`;
    case "failed":
      return `server "${name}" failed: ${firstLine(state.reason)}`;
    case "disabled":
      return `server "${name}": ${state.reason}`;
    default:
      return undefined;
  }
}

/** Below the first line of a reason is what the server wrote last. */
export function afterFirstLine(text: string, added: string): string {
  const [first = "", ...rest] = text.split("\n");
  return [first + added, ...rest].join("\n");
}

/** The first line and the last that the server wrote. */
export function briefly(text: string): string {
  const [first = "", ...rest] = text.trimEnd().split("\n");
  return rest.length === 0 ? first : `${first}: ${rest.at(-1)!.trim().slice(0, 200)}`;
}

export const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";
