/** A line or several of a TOML text that belong together. Offsets are half-open. */
export type TomlStatement =
  | {
      readonly kind: "table";
      readonly path: readonly string[];
      readonly isList: boolean;
      readonly start: number;
      readonly end: number;
    }
  | {
      readonly kind: "pair";
      readonly key: readonly string[];
      readonly start: number;
      /** Behind its line break. */
      readonly end: number;
      readonly valueStart: number;
      readonly valueEnd: number;
    };

/**
 * Tables and pairs in their order, by the grammar of TOML 1.0 (https://toml.io/en/v1.0.0), as far as it takes to know
 * where each begins and ends. Comments and blank lines are between them. @param text valid TOML
 */
export function tomlStatements(text: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const start = at;
    const content = skip(text, at, /[ \t]/);
    const first = text[content];
    if (first === undefined || first === "\n" || first === "\r" || first === "#") {
      at = lineEnd(text, content);
    } else if (first === "[") {
      const isList = text[content + 1] === "[";
      const { key } = readKey(text, content + (isList ? 2 : 1));
      at = lineEnd(text, content);
      statements.push({ kind: "table", path: key, isList, start, end: at });
    } else {
      const { key, end } = readKey(text, content);
      const valueStart = skip(text, skip(text, end, /[ \t]/) + 1, /[ \t]/);
      const valueEnd = endOfValue(text, valueStart);
      at = lineEnd(text, valueEnd);
      statements.push({ kind: "pair", key, start, end: at, valueStart, valueEnd });
    }
  }
  return statements;
}

function readKey(text: string, from: number): { readonly key: readonly string[]; readonly end: number } {
  const key: string[] = [];
  let at = from;
  for (;;) {
    at = skip(text, at, /[ \t]/);
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = endOfString(text, at);
      key.push(quote === '"' ? unquoted(text.slice(at, end)) : text.slice(at + 1, end - 1));
      at = end;
    } else {
      const end = skip(text, at, /[A-Za-z0-9_-]/);
      key.push(text.slice(at, end));
      at = end;
    }
    const next = skip(text, at, /[ \t]/);
    if (text[next] !== ".") return { key, end: at };
    at = next + 1;
  }
}

/** Of a basic string; JSON's escapes are TOML's but for `\UXXXXXXXX` and `\e`. */
function unquoted(quoted: string): string {
  const plain = quoted
    .replace(/\\U([0-9A-Fa-f]{8})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll("\t", "\\t");
  try {
    return JSON.parse(plain) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '"' || char === "'") {
      at = endOfString(text, at);
      continue;
    }
    if (char === "#") {
      if (depth === 0) break;
      at = skip(text, at, /[^\n]/);
      continue;
    }
    if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    else if (char === "\n" && depth === 0) break;
    at++;
  }
  while (at > from && /\s/.test(text[at - 1]!)) at--;
  return at;
}

function endOfString(text: string, from: number): number {
  const quote = text[from]!;
  const isLong = text.startsWith(quote.repeat(3), from);
  const closing = isLong ? quote.repeat(3) : quote;
  let at = from + closing.length;
  while (at < text.length && !text.startsWith(closing, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1;
  at += closing.length;
  // Up to two quotes may stand before the closing three.
  if (isLong) for (let more = 0; more < 2 && text[at] === quote; more++) at++;
  return at;
}

function skip(text: string, from: number, what: RegExp): number {
  let at = from;
  while (at < text.length && what.test(text[at]!)) at++;
  return at;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at + 1;
}
