import type { ServerDef, ServerError } from "../mcp-server.ts";
import { expandReferences } from "./env-references.ts";

export type ExpandedServer =
  | { readonly ok: true; readonly server: ServerDef }
  | { readonly ok: false; readonly errors: readonly ServerError[] };

/**
 * Fills environment variables into command, args, env values, url and header values, in one pass (other-systems 1.5,
 * 5.2). Every unset one is an `env-missing` error that names the variable, the server and the file.
 */
export function expandServer(server: ServerDef, env: Readonly<Record<string, string | undefined>>): ExpandedServer {
  const missing = new Map<string, string>();
  const expand = (text: string, where: string): string => {
    const expanded = expandReferences(text, env);
    for (const name of expanded.missing) if (!missing.has(name)) missing.set(name, where);
    return expanded.text;
  };
  const values = (map: Readonly<Record<string, string>>, where: string) =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, expand(value, `${where}.${key}`)]));

  const expanded: ServerDef = {
    ...server,
    ...(server.command !== undefined && { command: expand(server.command, "command") }),
    args: server.args.map((arg, at) => expand(arg, `args.${at}`)),
    env: values(server.env, "env"),
    ...(server.url !== undefined && { url: expand(server.url, "url") }),
    headers: values(server.headers, "headers"),
  };
  if (missing.size === 0) return { ok: true, server: expanded };
  const errors = [...missing].map(([name, where]): ServerError => {
    const place = server.file === undefined ? "" : ` (${server.file}${server.line ? `:${server.line}` : ""})`;
    const message = `server "${server.name}", ${where}: the environment variable ${name} is not set${place}; set it, or write \${${name}:-} to do without`;
    return { code: "env-missing", server: server.name, message };
  });
  return { ok: false, errors };
}
