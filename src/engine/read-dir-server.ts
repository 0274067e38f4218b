import type { ServerError } from "../config/mcp-server.ts";
import { checkName, readEntry, serverDef } from "../config/servers/read-entry.ts";
import type { ReadServer } from "../extensions/agent-dir/tool-folder.ts";

const FIELDS = ["transport", "command", "args", "env", "cwd", "url", "headers", "disabled", "callTimeout"];

/** A3S's own default, where its file says nothing of it. */
const CALL_TIMEOUT_MS = 60_000;

/** A `kind: mcp` head of A3S (other-systems 4.2) in the neutral form. Keys it does not know are passed over. */
export const readDirServer: ReadServer = (name, fields, place) => {
  const data = neutral(fields);
  const { entry, issues } = readEntry(data);
  const problems = [checkName(name), ...issues].filter((issue) => issue !== undefined);
  if (problems.length === 0)
    return { server: serverDef(name, { ...entry, ...description(place) }, { file: place.file }) };
  return { errors: problems.map(({ code, message }): ServerError => ({ code, server: name, message })) };
};

const description = ({ description }: { readonly description?: string }) =>
  description === undefined ? {} : { description };

function neutral(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { transport, enabled, tool_timeout_secs: seconds, ...rest } = fields;
  const inner =
    typeof transport === "object" && transport !== null ? (transport as Record<string, unknown>) : undefined;
  const said = inner ? (inner["type"] ?? inner["kind"] ?? inner["transport"]) : transport;
  const all: Record<string, unknown> = {
    ...rest,
    ...inner,
    transport: said === "streamable-http" ? "http" : said,
    ...(enabled === false && { disabled: true }),
    callTimeout: typeof seconds === "number" ? seconds * 1000 : (seconds ?? CALL_TIMEOUT_MS),
  };
  return Object.fromEntries(FIELDS.filter((key) => all[key] !== undefined).map((key) => [key, all[key]]));
}
