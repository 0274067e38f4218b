import { resolve } from "node:path";
import { isInside } from "../system/paths.ts";
import type { JudgedCall } from "./policy.ts";

/** True when a call asks to run in a folder outside the session's (`workdir`). Judged by the text: it does no I/O. */
export function leavesFolder({ input, cwd, home }: JudgedCall): boolean {
  const workdir = (input as { readonly workdir?: unknown } | null)?.workdir;
  if (typeof workdir !== "string" || workdir.trim() === "") return false;
  return workdir.includes("$") || !isInside(cwd, resolve(cwd, workdir.trim().replace(/^~(?=\/|$)/, home)));
}
