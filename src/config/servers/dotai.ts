import type { ServerDef, ServerError, ServerErrorCode, ServerWarning } from "../mcp-server.ts";
import { isTree, type Tree } from "../traced.ts";
import { readYaml } from "../yaml-file.ts";
import { checkName, readEntry, serverDef } from "./read-entry.ts";
import type { Imported } from "./read-target.ts";

/** What an entry of `.ai/config.yaml` may say (other-systems 3.1). */
const FIELDS = [
  "transport",
  "command",
  "url",
  "args",
  "env",
  "headers",
  "enabledTools",
  "disabledTools",
  "scope",
] as const;

/**
 * dotai's servers: `servers:`, a list with names, or `mcpServers:`, a map. Its other sections are none of ours. Of a
 * name that comes twice the last whole entry wins.
 */
export function readDotai(text: string, file: string): Imported {
  const yaml = readYaml(text, file);
  const [broken] = yaml.problems;
  if (broken) return failed("parse-error", `${file}:${broken.line ?? 1}: ${broken.message}`);
  const data = isTree(yaml.data) ? yaml.data : {};
  const { servers: list, mcpServers: map } = data;
  if (list !== undefined && map !== undefined)
    return failed(
      "parse-error",
      `${file}:${yaml.lineOf(["mcpServers"])}: servers and mcpServers are both there; keep one`,
    );
  const servers = new Map<string, ServerDef>();
  const errors: ServerError[] = [];
  const warnings: ServerWarning[] = [];
  const add = (name: string, value: unknown, path: readonly PropertyKey[]) => {
    const { oauth, ...fields } = isTree(value) ? value : ({} as Tree);
    if (oauth !== undefined)
      warnings.push({ code: "field-dropped", server: name, message: `${name}, oauth: Aura asks for it by itself` });
    const { entry, issues } = readEntry(isTree(value) ? fields : value, FIELDS);
    const bad = checkName(name);
    for (const { code, path: inner, message } of [...(bad ? [bad] : []), ...issues]) {
      const line = yaml.lineOf([...path, ...inner]);
      errors.push({ code, server: name, message: `${file}:${line}: ${name}: ${message}` });
    }
    const line = yaml.lineOf(path);
    if (!bad && issues.length === 0) {
      const server = serverDef(name, entry, { file, ...(line !== undefined && { line }) });
      servers.set(server.name, server);
    }
  };
  if (isTree(map)) for (const [name, value] of Object.entries(map)) add(name, value, ["mcpServers", name]);
  else if (Array.isArray(list))
    list.forEach((item: unknown, at) => {
      const { name, ...rest } = isTree(item) ? item : ({} as Tree);
      add(typeof name === "string" ? name : "", rest, ["servers", at]);
    });
  else if (list !== undefined || map !== undefined)
    return failed(
      "parse-error",
      `${file}: expected servers: a list of definitions with names, or mcpServers: a map of them`,
    );
  return { servers: [...servers.values()], errors, warnings };
}

function failed(code: ServerErrorCode, message: string): Imported {
  return { servers: [], errors: [{ code, message }], warnings: [] };
}
