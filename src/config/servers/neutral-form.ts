import { formatDuration } from "../../text/duration.ts";
import type { ServerDef } from "../mcp-server.ts";
import type { Tree } from "../traced.ts";
import { parseReferences, writeReferences } from "./env-references.ts";
import { CALL_TIMEOUT, CONNECT_TIMEOUT } from "./read-entry.ts";
import { sameData } from "./same-data.ts";

/** A definition as a person would write it in `.aura/config/mcp`: defaults left out, but for transport and scope. */
export function neutralForm(server: ServerDef): Tree {
  const { name: _name, file: _file, line: _line, transport, scope, args, env, headers, ...rest } = server;
  const { timeout, callTimeout, deferred, proxy, disabled, ...optional } = rest;
  const { description, command, cwd, url, input, enabledTools, disabledTools, condition } = optional;
  const fields = {
    description,
    transport,
    command,
    args: args.length > 0 ? args : undefined,
    env: filled(env),
    cwd,
    url,
    headers: filled(headers),
    input,
    enabledTools,
    disabledTools,
    deferred: deferred || undefined,
    proxy: proxy || undefined,
    disabled: disabled || undefined,
    condition,
    timeout: timeout === CONNECT_TIMEOUT ? undefined : formatDuration(timeout),
    callTimeout: callTimeout === CALL_TIMEOUT ? undefined : formatDuration(callTimeout),
    scope,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Whether two definitions mean the same, however their references are spelt. */
export function sameServer(a: ServerDef, b: ServerDef): boolean {
  return sameData(neutralForm(respelt(a)), neutralForm(respelt(b)));
}

/** Every reference in its longer spelling. */
export function respelt(server: ServerDef): ServerDef {
  const text = (value: string) => writeReferences(parseReferences(value));
  const values = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, text(value)]));
  return {
    ...server,
    ...(server.command !== undefined && { command: text(server.command) }),
    args: server.args.map(text),
    env: values(server.env),
    ...(server.url !== undefined && { url: text(server.url) }),
    headers: values(server.headers),
  };
}

const filled = (map: Readonly<Record<string, string>>) => (Object.keys(map).length > 0 ? map : undefined);
