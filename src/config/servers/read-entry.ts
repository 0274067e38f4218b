import { parseDuration } from "../../text/duration.ts";
import { nearest } from "../../text/nearest.ts";
import { checkCondition } from "../condition.ts";
import type { McpServerEntry } from "../config.ts";
import type { ServerDef, ServerErrorCode, ServerPlace, Transport } from "../mcp-server.ts";
import { isTree } from "../traced.ts";

/** Something wrong in one definition; `path` lies inside it. */
export interface EntryIssue {
  readonly code: ServerErrorCode;
  readonly path: readonly string[];
  readonly message: string;
}

type Field = keyof McpServerEntry | "type";

/** The fields of Aura's own files. `type` is another word for `transport`. */
const NEUTRAL_FIELDS: readonly Field[] = [
  "description",
  "transport",
  "type",
  "command",
  "args",
  "env",
  "cwd",
  "url",
  "headers",
  "input",
  "enabledTools",
  "disabledTools",
  "deferred",
  "proxy",
  "disabled",
  "condition",
  "timeout",
  "callTimeout",
  "scope",
];

/**
 * Reads one definition as its file has it and checks all that can be checked without its name and environment. Nulls
 * are as good as absent.
 * @param known the fields this kind of file may have
 */
export function readEntry(
  data: unknown,
  known: readonly string[] = NEUTRAL_FIELDS,
): { readonly entry: McpServerEntry; readonly issues: readonly EntryIssue[] } {
  const issues: EntryIssue[] = [];
  const say = (code: ServerErrorCode, message: string, ...path: string[]) => issues.push({ code, path, message });
  if (!isTree(data)) {
    say("parse-error", "expected a map of settings");
    return { entry: {}, issues };
  }
  const entry: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(data)) {
    if (value === null || value === undefined) continue;
    if (!known.includes(field)) {
      const near = nearest(field, known);
      const hint = near === undefined ? `known: ${[...known].sort().join(", ")}` : `did you mean "${near}"?`;
      say("unknown-field", `unknown key "${field}" (${hint})`, field);
      continue;
    }
    const read = READERS[field as Field](value);
    if ("problem" in read) say(read.code ?? "parse-error", `${field}: ${read.problem}`, field, ...(read.path ?? []));
    else entry[field] = read.value;
  }
  const { type, ...plain } = entry as McpServerEntry & { type?: Transport };
  if (type !== undefined && plain.transport !== undefined && type !== plain.transport)
    say("unknown-field", `type: says "${type}" and transport "${plain.transport}": write only transport`, "type");
  const result: McpServerEntry = { ...plain, ...(type !== undefined && { transport: plain.transport ?? type }) };
  if (issues.length === 0) checkTogether(result, say);
  return { entry: result, issues };
}

/** A name tools can be called by: lower-cased letters, digits, `-` and single `_`; `proxy` is taken. */
export function checkName(name: string): EntryIssue | undefined {
  const lower = name.toLowerCase();
  if (lower === "proxy")
    return {
      code: "reserved-name",
      path: [],
      message: '"proxy" is reserved for calling proxied tools; take another name',
    };
  if (/^[a-z0-9_-]+$/.test(lower) && !lower.includes("__") && !lower.endsWith("_")) return undefined;
  const better = lower
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/_{2,}/g, "_")
    .replace(/^-+|[-_]+$/g, "");
  const hint = better === "" ? "" : ` (try "${better}")`;
  return {
    code: "bad-name",
    path: [],
    message: `a server's name is made of letters, digits, "-" and single "_"${hint}`,
  };
}

export const CONNECT_TIMEOUT = 10_000;
export const CALL_TIMEOUT = 1_200_000;

/** The definition with its defaults. @param entry without issues */
export function serverDef(name: string, entry: McpServerEntry, place: ServerPlace = {}): ServerDef {
  const { transport, args, env, headers, deferred, proxy, disabled, timeout, callTimeout, scope, ...optional } = entry;
  const said = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(said) as { [K in keyof typeof optional]?: Exclude<(typeof optional)[K], undefined> }),
    name: name.toLowerCase(),
    transport: transport ?? "stdio",
    args: args ?? [],
    env: env ?? {},
    headers: headers ?? {},
    deferred: deferred ?? false,
    proxy: proxy ?? false,
    disabled: disabled ?? false,
    timeout: timeout ?? CONNECT_TIMEOUT,
    callTimeout: callTimeout ?? CALL_TIMEOUT,
    scope: scope ?? "project",
    ...place,
  };
}

function checkTogether(
  entry: McpServerEntry,
  say: (code: ServerErrorCode, message: string, ...path: string[]) => void,
): void {
  const { transport = "stdio", command, url, enabledTools, disabledTools } = entry;
  if (enabledTools !== undefined && disabledTools !== undefined)
    say(
      "both-filters",
      "enabledTools and disabledTools are both set (an empty list counts); keep one of them",
      "disabledTools",
    );
  if (transport === "stdio" && !command)
    say("stdio-no-command", `command is missing${url ? " (for a server behind a url say transport: http)" : ""}`);
  if ((transport === "http" || transport === "sse") && !url) say("remote-no-url", `url is missing (${transport})`);
}

type Read =
  | { readonly value: unknown }
  | { readonly problem: string; readonly code?: ServerErrorCode; readonly path?: readonly string[] };

const text = (value: unknown): Read =>
  typeof value === "string"
    ? { value }
    : typeof value === "number" || typeof value === "boolean"
      ? { value: String(value) }
      : { problem: "expected a text" };
const flag = (value: unknown): Read => (typeof value === "boolean" ? { value } : { problem: "expected true or false" });
const texts = (value: unknown): Read => {
  if (!Array.isArray(value)) return { problem: "expected a list of texts" };
  const bad = value.findIndex((item) => "problem" in text(item));
  return bad < 0 ? { value: value.map(String) } : { problem: "expected texts only", path: [String(bad)] };
};
const textMap = (value: unknown): Read => {
  if (!isTree(value)) return { problem: "expected a map of texts" };
  const said = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  const bad = said.find(([, item]) => "problem" in text(item));
  if (bad) return { problem: `${bad[0]}: expected a text`, path: [bad[0]] };
  return { value: Object.fromEntries(said.map(([key, item]) => [key, String(item)])) };
};
/** In milliseconds afterwards; a bare number is that already. */
const duration = (value: unknown): Read => {
  const ms = typeof value === "number" ? value : typeof value === "string" ? parseDuration(value) : undefined;
  if (ms !== undefined && ms > 0 && Number.isFinite(ms)) return { value: ms };
  return { problem: `${JSON.stringify(value)} is not a duration such as 10s or 5m` };
};
const TRANSPORTS: readonly string[] = ["stdio", "http", "sse", "in-memory"] satisfies Transport[];
const transport = (value: unknown): Read =>
  TRANSPORTS.includes(value as string)
    ? { value }
    : {
        problem: `${JSON.stringify(value)} is none of ${TRANSPORTS.join(", ")}${near(String(value))}`,
        code: "unknown-transport",
      };
const near = (value: string) => {
  const word = nearest(value, TRANSPORTS);
  return word === undefined ? "" : ` (did you mean "${word}"?)`;
};
const scope = (value: unknown): Read =>
  value === "project" || value === "user" ? { value } : { problem: "expected project or user" };
const condition = (value: unknown): Read => {
  if (typeof value !== "string") return { problem: "expected a text" };
  const problem = value === "" ? undefined : checkCondition(value);
  return problem === undefined ? { value } : { problem };
};

const READERS: Readonly<Record<Field, (value: unknown) => Read>> = {
  description: text,
  transport,
  type: transport,
  command: text,
  args: texts,
  env: textMap,
  cwd: text,
  url: text,
  headers: textMap,
  input: (value) => ({ value }),
  enabledTools: texts,
  disabledTools: texts,
  deferred: flag,
  proxy: flag,
  disabled: flag,
  condition,
  timeout: duration,
  callTimeout: duration,
  scope,
};
