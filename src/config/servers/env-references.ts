/** A text with references to environment variables, taken apart. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string; readonly fallback?: string };

/**
 * The neutral form: `$VAR`, `${VAR}`, `${VAR:-default}`, and `$$` for one dollar. An unclosed `${VAR`, a trailing `$` and
 * anything else behind a dollar stay as typed. A default is taken as it stands and holds no `}`.
 */
export function parseReferences(text: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [whole, braced, fallback, bare] = match;
    parts.push({ kind: "text", text: text.slice(end, match.index) + (whole === "$$" ? "$" : "") });
    const name = braced ?? bare;
    if (name !== undefined) parts.push({ kind: "variable", name, ...(fallback !== undefined && { fallback }) });
    end = match.index + whole.length;
  }
  parts.push({ kind: "text", text: text.slice(end) });
  return joined(parts);
}

const REFERENCE = /\$\$|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\$([A-Za-z_]\w*)/g;

/** The shortest neutral text that reads as these parts. */
export function writeReferences(parts: readonly Part[]): string {
  return joined(parts)
    .map((part, at, all) =>
      part.kind === "variable" ? writeVariable(part) : escaped(part.text, all[at + 1]?.kind === "variable"),
    )
    .join("");
}

/** `${VAR}` or `${VAR:-default}`. */
export function writeVariable({ name, fallback }: { readonly name: string; readonly fallback?: string }): string {
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`;
}

/** Neighbouring texts as one, empty ones gone. */
export function joined(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.kind === "text" && last?.kind === "text")
      result[result.length - 1] = { kind: "text", text: last.text + part.text };
    else if (part.kind === "variable" || part.text !== "") result.push(part);
  }
  return result;
}

export interface Expanded {
  readonly text: string;
  /** Names without a value and without a default, in order. */
  readonly missing: readonly string[];
}

/** One pass: what a variable holds is never looked at again. A default stands in for an unset or empty variable. */
export function expandReferences(text: string, env: Readonly<Record<string, string | undefined>>): Expanded {
  const missing: string[] = [];
  const texts = parseReferences(text).map((part) => {
    if (part.kind === "text") return part.text;
    const value = Object.hasOwn(env, part.name) ? env[part.name] : undefined;
    if (part.fallback !== undefined) return value || part.fallback;
    if (value === undefined) missing.push(part.name);
    return value ?? "";
  });
  return { text: texts.join(""), missing };
}

/** Dollars that would be read as more than a dollar are doubled; one before a variable would swallow its own. */
function escaped(text: string, beforeVariable: boolean): string {
  const safe = text.replace(/\$(?=[$A-Za-z_{])/g, "$$$$");
  return beforeVariable ? safe.replace(/\$$/, "$$$$") : safe;
}
