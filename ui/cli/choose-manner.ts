import type { Manner } from "../simple/line.ts";
import type { RootValues } from "./root-options.ts";

/**
 * The face that only appends lines, when it is asked for: by a flag, or on a terminal by ACCESSIBLE or by a terminal
 * that can do no more. Undefined: the screen, or headless.
 */
export function chooseManner(
  root: Pick<RootValues, "accessible" | "simple">,
  env: Readonly<Record<string, string | undefined>>,
  onTerminal: boolean,
): Manner | undefined {
  if (root.accessible) return "accessible";
  const wished = root.accessible ?? /^(1|true|yes|on)$/i.test(env["ACCESSIBLE"] ?? "");
  if (onTerminal && (wished || env["TERM"] === "dumb")) return "accessible";
  return root.simple ? "simple" : undefined;
}

/** Both ends are a terminal: somebody sits there. */
export function isOnTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
