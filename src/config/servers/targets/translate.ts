import type { ServerWarningCode } from "../../mcp-server.ts";
import { joined, type Part, parseReferences, writeReferences, writeVariable } from "../env-references.ts";
import type { ReferenceSyntax } from "./target.ts";

type Warn = (code: ServerWarningCode, message: string) => void;

/** A neutral text in the target's spelling. Nothing is ever looked up: a reference stays one, or is warned about. */
export function toTarget(neutral: string, syntax: ReferenceSyntax, field: string, warn: Warn): string {
  const parts = parseReferences(neutral);
  const text = parts.map((part) => (part.kind === "text" ? part.text : reference(part, syntax, field, warn))).join("");
  // Where the target has references, it must read the same ones out of what was written as texts.
  const bare = parts.map((part) => (part.kind === "variable" && !syntax.defaults ? withoutDefault(part) : part));
  if (syntax.write && writeReferences(partsOf(text, syntax).parts) !== writeReferences(bare))
    warn("env-not-portable", `${field}: a plain "$" or "{" here would be read as a reference`);
  return text;
}

function reference(
  part: Part & { readonly kind: "variable" },
  syntax: ReferenceSyntax,
  field: string,
  warn: Warn,
): string {
  if (!syntax.write) {
    warn(syntax.without ?? "env-not-portable", `${field}: \${${part.name}} is not replaced there and stays as typed`);
    return writeVariable(part);
  }
  if (part.fallback === undefined) return syntax.write(part.name);
  if (syntax.defaults) return writeVariable(part);
  warn(
    "env-default-lost",
    `${field}: ${part.name} has no default there: without the variable it is not ${JSON.stringify(part.fallback)}`,
  );
  return syntax.write(part.name);
}

/** A target's text in the neutral spelling. What only looks like a reference there is read as one, with a warning. */
export function toNeutral(text: string, syntax: ReferenceSyntax, field: string, warn: Warn): string {
  const { parts, notes, unknown } = partsOf(text, syntax);
  for (const [code, message] of notes) warn(code, `${field}: ${message}`);
  for (const match of unknown) warn("env-not-portable", `${field}: ${match} means nothing here and stays as typed`);
  if (syntax.defaults) return writeReferences(parts);
  const read = parts.flatMap((part) => (part.kind === "text" ? lookalikes(part.text, field, warn, unknown) : [part]));
  return writeReferences(read);
}

const LOOKALIKE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

function lookalikes(text: string, field: string, warn: Warn, unknown: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(LOOKALIKE)) {
    const [whole, name, fallback] = match;
    if (unknown.includes(whole)) continue;
    warn("env-not-expanded", `${field}: ${whole} is plain text there; it is read as the reference it looks like`);
    parts.push({ kind: "text", text: text.slice(end, match.index) });
    parts.push({ kind: "variable", name: name!, ...(fallback !== undefined && { fallback }) });
    end = match.index + whole.length;
  }
  return [...parts, { kind: "text", text: text.slice(end) }];
}

/** As the target itself reads it. */
function partsOf(
  text: string,
  { pattern, read }: ReferenceSyntax,
): {
  readonly parts: readonly Part[];
  readonly notes: readonly (readonly [ServerWarningCode, string])[];
  readonly unknown: readonly string[];
} {
  const parts: Part[] = [];
  const notes: (readonly [ServerWarningCode, string])[] = [];
  const unknown: string[] = [];
  let end = 0;
  for (const match of pattern ? text.matchAll(pattern) : []) {
    const referred = read?.(match);
    if (!referred) {
      unknown.push(match[0]);
      continue;
    }
    const { note, ...part } = referred;
    if (note) notes.push(note);
    parts.push({ kind: "text", text: text.slice(end, match.index) }, part);
    end = match.index + match[0].length;
  }
  parts.push({ kind: "text", text: text.slice(end) });
  return { parts: joined(parts), notes, unknown };
}

const withoutDefault = ({ name }: { readonly name: string }): Part => ({ kind: "variable", name });
