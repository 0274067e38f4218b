import type { ServerDef, ServerWarning, ServerWarningCode } from "../mcp-server.ts";
import type { Tree } from "../traced.ts";
import { secretsIn } from "./check-server.ts";
import { serverDef } from "./read-entry.ts";
import type { Target, Writing } from "./targets/target.ts";
import { toTarget } from "./targets/translate.ts";

/**
 * One definition as an entry of the target's file, and a warning for everything the target cannot say. Undefined: it
 * has to be left out. @param data the file as it is
 */
export function writeEntry(
  target: Target,
  server: ServerDef,
  data: Tree,
): { readonly entry?: Tree; readonly warnings: readonly ServerWarning[] } {
  const warnings: ServerWarning[] = [];
  const warn = (code: ServerWarningCode, message: string) =>
    warnings.push({ code, server: server.name, message: `${server.name}, ${message} (${target.title})` });
  if (server.disabled && !target.says.includes("disabled")) {
    warn("disabled-omitted", "disabled: the file cannot say it, so the server is left out");
    return { warnings };
  }
  const plain = server.transport === "in-memory" ? asProgram(server, warn) : server;
  for (const field of LOSABLE)
    if (!target.says.includes(field) && isSaid(plain, field))
      warn("field-dropped", `${field}: there is no word for it`);
  for (const field of ofTheOtherTransport(plain))
    warn(field === "command" ? "command-ignored" : "field-dropped", `${field}: not for a ${plain.transport} server`);
  for (const where of secretsIn(plain))
    warn("literal-secret", `${where}: looks like a secret and is copied as it is; write \${NAME} instead`);
  const out: Writing = {
    warn,
    text: (value, field) => toTarget(value, target.references, field, warn),
    texts: (values, field) => values.map((value, at) => toTarget(value, target.references, `${field}.${at}`, warn)),
    map: (values, field) =>
      Object.fromEntries(
        Object.entries(values).map(([key, value]) => [
          key,
          toTarget(value, target.references, `${field}.${key}`, warn),
        ]),
      ),
  };
  return { entry: target.write(plain, out, data), warnings };
}

/** What only some targets, or none, have a word for. */
const LOSABLE = ["description", "cwd", "deferred", "proxy", "condition", "timeout", "callTimeout", "input"] as const;
const DEFAULTS = serverDef("x", {});

function isSaid(server: ServerDef, field: (typeof LOSABLE)[number]): boolean {
  return server[field] !== undefined && server[field] !== "" && server[field] !== DEFAULTS[field];
}

function ofTheOtherTransport({ transport, command, args, env, url, headers }: ServerDef): readonly string[] {
  const isFull = (value: object) => Object.keys(value).length > 0;
  if (transport === "stdio") return [...(url ? ["url"] : []), ...(isFull(headers) ? ["headers"] : [])];
  return [...(command ? ["command"] : []), ...(isFull(args) ? ["args"] : []), ...(isFull(env) ? ["env"] : [])];
}

/** Ours, for others: the same server over standard input and output. */
function asProgram(server: ServerDef, warn: Writing["warn"]): ServerDef {
  warn("in-memory-as-stdio", "transport: an in-process server is written as the program aura mcp serve");
  return { ...server, transport: "stdio", command: "aura", args: ["mcp", "serve", server.name, ...server.args] };
}
