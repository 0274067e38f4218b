import type { ServerDef, ServerWarning, ServerWarningCode } from "../mcp-server.ts";
import { parseReferences } from "./env-references.ts";

/** What a definition says to no effect, or should not say in a file. */
export function warningsOf(server: ServerDef): readonly ServerWarning[] {
  const { transport, command, url, deferred, proxy } = server;
  const isRemote = transport === "http" || transport === "sse";
  const warn = (code: ServerWarningCode, message: string): ServerWarning => ({
    code,
    server: server.name,
    message: `${message}${placeOf(server)}`,
  });
  return [
    ...(isRemote && command ? [warn("command-ignored", `command: a ${transport} server is reached by its url`)] : []),
    ...(!isRemote && url ? [warn("field-dropped", `url: a ${transport} server has none`)] : []),
    ...(deferred && proxy ? [warn("proxied-wins", "deferred and proxy are both set: proxy wins")] : []),
    ...secretsIn(server).map((where) =>
      warn(
        "literal-secret",
        `${where}: looks like a secret written out; put it into the environment and write \${NAME}`,
      ),
    ),
  ];
}

/** Dotted places of texts that look like secrets instead of references to them. */
export function secretsIn(server: Pick<ServerDef, "args" | "env" | "headers" | "url">): readonly string[] {
  const named = [
    ...Object.entries(server.env).map(([key, value]) => ({ where: `env.${key}`, key, value })),
    ...Object.entries(server.headers).map(([key, value]) => ({ where: `headers.${key}`, key, value })),
  ];
  const plain = [
    ...server.args.map((value, at) => ({ where: `args.${at}`, value })),
    ...(server.url === undefined ? [] : [{ where: "url", value: server.url }]),
  ];
  return [
    ...named.filter(({ key, value }) => isTokenLike(value) || (SECRET_NAME.test(key) && isLongWord(value))),
    ...plain.filter(({ value }) => isTokenLike(value)),
  ].map(({ where }) => where);
}

const SECRET_NAME = /(?:token|key|secret|password|passwd|authorization|cookie|credential)s?$/i;
/** The beginnings that issuers of keys put before them so that scanners find them. */
const ISSUED =
  /(?:^|[^A-Za-z0-9])(?:sk-[\w-]{16,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_\w{30,}|lin_api_\w{16,}|eyJ[\w-]{10,}\.[\w-]{10,}\.)/;

const literalOf = (text: string) =>
  parseReferences(text)
    .map((part) => (part.kind === "text" ? part.text : " "))
    .join("");
const isTokenLike = (text: string) => ISSUED.test(literalOf(text));
/** Twelve characters or more in one piece, some of them digits; a path or address is none. */
const isLongWord = (text: string) => {
  const word = literalOf(text).replace(/^(?:Bearer|Basic|Token)\s+/i, "");
  return /^[^\s/]{12,}$/.test(word) && /\d/.test(word);
};

const placeOf = ({ file, line }: ServerDef) => (file === undefined ? "" : ` (${file}${line ? `:${line}` : ""})`);
