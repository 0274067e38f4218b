import { normalize, posix, win32 } from "node:path";
import { defaultLimits, LIMIT_BOUNDS, type ScriptLimits } from "../script/limits.ts";
import { isScriptName } from "../script/read-source.ts";
import type { ScriptDef } from "../script/script-tool.ts";
import { toolOf } from "../script/tool-aliases.ts";
import { type DirError, type DirErrorCode, dirError } from "./problems.ts";
import type { HeadedFile } from "./read-head.ts";

/** A `kind: script` file as a definition, or the first thing wrong with it (other-systems 4.3). */
export function readScript(name: string, head: HeadedFile): ScriptDef | { readonly error: DirError } {
  const { fields, file, body } = head;
  const refuse = (code: DirErrorCode, message: string, ...path: readonly PropertyKey[]) => ({
    error: dirError(code, file, message, head.lineOf(...path)),
  });
  const { path, allowed_tools: allowed = [], limits = {} } = fields;
  if (typeof path !== "string" || path.trim() === "")
    return refuse("missing-path", '"path" is missing: the script, relative to the workspace', "path");
  if (!isScriptName(path)) return refuse("bad-extension", `path: "${path}" is not a .js or .mjs file`, "path");
  if (leavesWorkspace(path))
    return refuse("path-escape", `path: "${path}" leads out of the workspace; write it relative to it`, "path");
  if (!Array.isArray(allowed) || !allowed.every((tool) => typeof tool === "string" && tool !== ""))
    return refuse("bad-frontmatter", "allowed_tools: expected a list of tool names", "allowed_tools");
  if (typeof limits !== "object" || limits === null || Array.isArray(limits))
    return refuse("bad-limit", `limits: expected a map of ${LIMITS.join(", ")}`, "limits");
  for (const [key, value] of Object.entries(limits)) {
    const problem = whatIsWrong(key, value);
    if (problem !== undefined) return refuse("bad-limit", problem, "limits", key);
  }
  return {
    name,
    description: typeof fields["description"] === "string" && body === "" ? fields["description"] : body,
    path,
    allowedTools: allowed,
    limits: { ...defaultLimits(allowed.map(toolOf).some(delegates)), ...limits },
  };
}

const LIMITS = Object.keys(LIMIT_BOUNDS);

function whatIsWrong(key: string, value: unknown): string | undefined {
  // A typing slip in a safety bound must not quietly mean the default.
  if (!Object.hasOwn(LIMIT_BOUNDS, key)) return `limits: there is no "${key}"; known: ${LIMITS.join(", ")}`;
  const { least, most } = LIMIT_BOUNDS[key as keyof ScriptLimits];
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return undefined;
  return `limits.${key}: ${JSON.stringify(value)} is not a whole number from ${least} to ${most}`;
}

const delegates = (tool: string): boolean => tool === "Task" || tool.endsWith("__spawn_subagent");

function leavesWorkspace(path: string): boolean {
  if (posix.isAbsolute(path) || win32.isAbsolute(path) || path.startsWith("~") || path.startsWith("$")) return true;
  return /^\.\.(?:[/\\]|$)/.test(normalize(path));
}
