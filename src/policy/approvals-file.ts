import { readFile } from "node:fs/promises";
import type { Document, Node, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { withLock, writeAtomically } from "../system/atomic-file.ts";
import type { Rule } from "./policy.ts";
import { isRedundant } from "./redundant.ts";

/** Something in an approvals file that is not as aura 6.6 has it. Such a file grants nothing. */
export interface ApprovalsProblem {
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly message: string;
}
export type ApprovalsReading =
  | { readonly kind: "rules"; readonly rules: readonly Rule[] }
  | { readonly kind: "broken"; readonly problems: readonly ApprovalsProblem[] };

/** Reads one approvals file; a missing or empty one has no rules. Throws what the file system throws, but ENOENT. */
export async function readApprovals(file: string, from: Rule["from"]): Promise<ApprovalsReading> {
  return readText(await textOf(file), file, from);
}

/**
 * Adds a pattern to the file, sorted by byte value and once, in place of those it makes superfluous, while holding its lock and with what others wrote
 * meanwhile; comments stay. Folder and file (mode 0644) are made on demand. A broken file is left as it is. Throws what
 * the file system throws.
 */
export async function addApproval(file: string, from: Rule["from"], pattern: string): Promise<ApprovalsReading> {
  return withLock(file, async () => {
    const before = await textOf(file);
    const reading = await readText(before, file, from);
    if (reading.kind === "broken") return reading;
    if (reading.rules.some((rule) => rule.pattern === pattern || isRedundant(pattern, rule.pattern))) return reading;
    const after = await withPattern(before, pattern);
    await writeAtomically(file, after, { mode: 0o644 });
    return readText(after, file, from);
  });
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

async function readText(text: string, file: string, from: Rule["from"]): Promise<ApprovalsReading> {
  if (text.trim() === "") return { kind: "rules", rules: [] };
  // Not needed by a start without approvals, and slow to load.
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineOf = (node: unknown) => lines.linePos((node as Node).range?.[0] ?? 0).line;
  const problems: ApprovalsProblem[] = document.errors.map((error) => ({
    file,
    line: lines.linePos(error.pos[0]).line,
    message: error.message,
  }));
  const rules: Rule[] = [];
  const object = (node: unknown, message: string) => problems.push({ file, line: node ? lineOf(node) : 1, message });
  const root = document.contents;
  if (root !== null && !isEmpty(root) && !yaml.isMap(root)) object(root, "must be a mapping with the key tool_auto");
  for (const { key, value } of yaml.isMap(root) ? root.items : []) {
    if (!yaml.isScalar(key) || key.value !== "tool_auto") object(key, `unknown key "${key}": only tool_auto is known`);
    else if (yaml.isSeq(value)) for (const item of value.items) readItem(item);
    else if (value !== null && !isEmpty(value)) object(value, "tool_auto must be a list of patterns");
  }
  return problems.length > 0 ? { kind: "broken", problems } : { kind: "rules", rules };

  function readItem(item: unknown): void {
    if (yaml.isScalar(item) && typeof item.value === "string" && item.value !== "")
      rules.push({ pattern: item.value, from, file, line: lineOf(item) });
    else object(item, "every item of tool_auto must be a text that is not empty");
  }
  function isEmpty(node: unknown): boolean {
    return yaml.isScalar(node) && node.value === null;
  }
}

/** The text of a sound file with one pattern more. */
async function withPattern(text: string, pattern: string): Promise<string> {
  const yaml = await import("yaml");
  const document = yaml.parseDocument(text);
  const present = document.get("tool_auto");
  const list = yaml.isSeq<Scalar<string>>(present) ? present : makeList(document, yaml.isMap(document.contents));
  giveCommentsTheirPlace(document, list, text);
  list.flow = false;
  list.items.push(document.createNode(pattern) as Scalar<string>);
  const seen = new Set<string>();
  list.items = list.items
    .filter(({ value }) => !isRedundant(value, pattern))
    .sort((a, b) => Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))
    .filter(({ value }) => !seen.has(value) && seen.add(value));
  return document.toString({ indent: 4, lineWidth: 0 });
}

function makeList(document: Document, hasMap: boolean): YAMLSeq<Scalar<string>> {
  if (!hasMap) document.contents = document.createNode({}) as Document["contents"];
  document.set("tool_auto", document.createNode([]));
  return document.get("tool_auto") as YAMLSeq<Scalar<string>>;
}

/**
 * The parser hands a comment above the first item to the list. It belongs to the item, which may move; only one on the
 * key's own line is about the list, and goes above the key, where it stays.
 */
function giveCommentsTheirPlace(document: Document, list: YAMLSeq<Scalar<string>>, text: string): void {
  const lines = list.commentBefore?.split("\n") ?? [];
  const heading = /^tool_auto:[ \t]*#/m.test(text) ? lines.shift() : undefined;
  const root = document.contents as YAMLMap<Scalar, unknown>;
  const key = root.items.find((pair) => pair.key.value === "tool_auto")?.key;
  if (key && heading !== undefined) key.commentBefore = [...(key.commentBefore?.split("\n") ?? []), heading].join("\n");
  const [first] = list.items;
  if (!first) return;
  first.commentBefore = lines.length > 0 ? lines.join("\n") : null;
  list.commentBefore = null;
}
