import { join } from "node:path";
import type { ServerDef, ServerErrorCode } from "../../mcp-server.ts";
import { isTree, type Tree } from "../../traced.ts";
import { type Part, parseReferences } from "../env-references.ts";
import { NOT_PORTABLE } from "./reference-syntaxes.ts";
import { wrongKeys } from "./shapes.ts";
import { present, type Reading, some, type Target, type Writing } from "./target.ts";

const STDIO = ["command", "args", "env", "env_vars", "cwd"] as const;
const REMOTE = ["url", "bearer_token_env_var", "http_headers", "env_http_headers"] as const;
const BOTH = ["enabled", "startup_timeout_sec", "tool_timeout_sec", "enabled_tools", "disabled_tools"] as const;
/** Of one transport alone, and not ours to write. */
const REMOTE_ONLY = [...REMOTE, "oauth", "oauth_resource", "scopes"];

/** Codex: tables `mcp_servers.NAME` of `config.toml` (`codex-rs/config/src/mcp_types.rs`). Its values are literal. */
export const codex: Target = {
  name: "codex",
  title: "Codex",
  alias: ["codex-cli"],
  format: "toml",
  files: ({ cwd, user, env }, scope) => [
    join(scope === "project" ? join(cwd, ".codex") : env["CODEX_HOME"] || join(user, ".codex"), "config.toml"),
  ],
  mapPath: () => ["mcp_servers"],
  references: NOT_PORTABLE,
  says: ["cwd", "timeout", "callTimeout", "enabledTools", "disabledTools", "disabled"],
  owned: [...STDIO, ...REMOTE, ...BOTH, "startup_timeout_ms"],
  write(server, out) {
    if (server.transport === "sse") out.warn("sse-as-http", "transport: sse is written as http there");
    patternsIn(server, out);
    return present({
      ...(server.transport === "stdio" ? writeStdio(server, out) : writeRemote(server, out)),
      enabled: server.disabled ? false : undefined,
      startup_timeout_sec: server.timeout === 10_000 ? undefined : server.timeout / 1000,
      tool_timeout_sec: server.callTimeout === 1_200_000 ? undefined : server.callTimeout / 1000,
      enabled_tools: server.enabledTools,
      disabled_tools: server.disabledTools,
    });
  },
  read(entry, from) {
    for (const message of misplaced(entry)) from.fail(...message);
    // What is in the wrong place, or must not be there, has been said.
    from.drop(entry, [...this.owned, ...("url" in entry ? [] : REMOTE_ONLY), "bearer_token"]);
    const seconds = (key: string) => (typeof entry[key] === "number" ? (entry[key] as number) * 1000 : undefined);
    return present({
      transport: "url" in entry ? "http" : "stdio",
      command: from.text(entry["command"], "command"),
      args: from.texts(entry["args"], "args"),
      cwd: entry["cwd"],
      env: readEnv(entry, from),
      url: from.text(entry["url"], "url"),
      headers: readHeaders(entry, from),
      disabled: entry["enabled"] === false ? true : undefined,
      timeout: seconds("startup_timeout_sec") ?? entry["startup_timeout_ms"],
      callTimeout: seconds("tool_timeout_sec"),
      ...readFilters(entry, from),
    });
  },
  check: (entry) => [
    ...misplaced(entry).map(([, message]) => message),
    ...wrongKeys(
      entry,
      {
        command: "text",
        args: "list",
        env: "map",
        env_vars: "list",
        cwd: "text",
        url: "text",
        bearer_token_env_var: "text",
        http_headers: "map",
        env_http_headers: "map",
        enabled: "flag",
        startup_timeout_sec: "number",
        tool_timeout_sec: "number",
        enabled_tools: "list",
        disabled_tools: "list",
      },
      "url" in entry ? [] : ["command"],
    ),
  ],
};

/** The one variable a text is made of, behind `before`. */
function only(text: string, before = ""): (Part & { kind: "variable" }) | undefined {
  const parts = parseReferences(text);
  const rest = before === "" ? parts : parts.slice(1);
  if (before !== "" && !(parts[0]?.kind === "text" && parts[0].text.toLowerCase() === before)) return undefined;
  return rest.length === 1 && rest[0]!.kind === "variable" ? rest[0] : undefined;
}

const literal = (text: string): string | undefined => {
  const parts = parseReferences(text);
  if (parts.some(({ kind }) => kind === "variable")) return undefined;
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
};

function writeStdio({ command = "", args, env, cwd }: ServerDef, out: Writing): Tree {
  const passed: string[] = [];
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(env)) {
    const plain = literal(value);
    const variable = only(value);
    if (plain !== undefined) values[key] = plain;
    else if (variable?.name === key) {
      passed.push(key);
      noDefault(variable, `env.${key}`, out);
    } else out.warn("env-not-portable", `env.${key}: only a variable of the same name can be passed on; left out`);
  }
  return {
    command: out.text(command, "command"),
    args: some(out.texts(args, "args")),
    env: values,
    env_vars: some(passed),
    cwd,
  };
}

function writeRemote({ url = "", headers }: ServerDef, out: Writing): Tree {
  let bearer: string | undefined;
  const plain: Record<string, string> = {};
  const fromEnv: Record<string, string> = {};
  for (const [key, value] of Object.entries(headers)) {
    const text = literal(value);
    const token = key.toLowerCase() === "authorization" ? only(value, "bearer ") : undefined;
    const variable = token ?? only(value);
    if (text !== undefined) plain[key] = text;
    else if (!variable) {
      out.warn("env-not-portable", `headers.${key}: only a whole value can come from a variable; left out`);
      continue;
    } else if (token) bearer = token.name;
    else fromEnv[key] = variable.name;
    if (variable) noDefault(variable, `headers.${key}`, out);
  }
  return { url: out.text(url, "url"), bearer_token_env_var: bearer, http_headers: plain, env_http_headers: fromEnv };
}

function noDefault(
  { name, fallback }: { readonly name: string; readonly fallback?: string },
  field: string,
  out: Writing,
) {
  if (fallback !== undefined) out.warn("env-default-lost", `${field}: ${name} has no default there`);
}

/** Its lists hold exact names. */
function patternsIn({ enabledTools, disabledTools }: ServerDef, out: Writing): void {
  const field = enabledTools ? "enabledTools" : "disabledTools";
  const pattern = (enabledTools ?? disabledTools)?.find((name) => name.includes("*"));
  if (pattern !== undefined) out.warn("filter-unenforced", `${field}: "${pattern}" is a name there, not a pattern`);
}

function readEnv(entry: Tree, from: Reading): unknown {
  const names = Array.isArray(entry["env_vars"]) ? entry["env_vars"] : [];
  const passed = names.flatMap((item: unknown) => {
    const name = isTree(item) ? item["name"] : item;
    return typeof name === "string" ? [[name, `\${${name}}`]] : [];
  });
  const values = from.map(entry["env"], "env");
  return isTree(values) || values === undefined ? { ...Object.fromEntries(passed), ...values } : values;
}

function readHeaders(entry: Tree, from: Reading): Tree {
  const plain = from.map(entry["http_headers"], "http_headers");
  const named = isTree(entry["env_http_headers"]) ? Object.entries(entry["env_http_headers"]) : [];
  const token = entry["bearer_token_env_var"];
  return {
    ...(isTree(plain) && plain),
    ...Object.fromEntries(named.map(([key, name]) => [key, `\${${name}}`])),
    ...(typeof token === "string" && { Authorization: `Bearer \${${token}}` }),
  };
}

/** Both lists are legal there, the second taking from the first. */
function readFilters(entry: Tree, from: Reading): Tree {
  const { enabled_tools: enabled, disabled_tools: disabled } = entry;
  if (!Array.isArray(enabled) || !Array.isArray(disabled)) return { enabledTools: enabled, disabledTools: disabled };
  from.warn("filters-collapsed", "enabled_tools, disabled_tools: read as one list, enabled without disabled");
  return { enabledTools: enabled.filter((name) => !disabled.includes(name)) };
}

/** Codex refuses a field of the other transport, and a token written out. */
function misplaced(entry: Tree): readonly [ServerErrorCode, string][] {
  const isRemote = "url" in entry && !("command" in entry);
  const wrong = (isRemote ? STDIO : REMOTE_ONLY).filter((key) => key in entry);
  return [
    ...wrong.map((key): [ServerErrorCode, string] => [
      "unknown-field",
      `${key}: Codex refuses it for a ${isRemote ? "server behind a url" : "stdio server"}`,
    ]),
    ...("bearer_token" in entry
      ? [
          ["unknown-field", "bearer_token: Codex refuses a token written out; use bearer_token_env_var"] as [
            ServerErrorCode,
            string,
          ],
        ]
      : []),
  ];
}
