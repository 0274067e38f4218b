import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { type ConfigProblem, problem } from "./problems.ts";
import type { Origin } from "./traced.ts";

type Path = readonly PropertyKey[];

/** A YAML text as data that knows its line numbers. */
export interface YamlText {
  /** Nulls are gone: a key without a value is as good as absent. `{}` for an empty text. */
  readonly data: unknown;
  readonly problems: readonly ConfigProblem[];
  /** The line of the key or item at `path`, or of the nearest thing above it that is written. */
  lineOf(path: Path): number | undefined;
  /** The place of every scalar and of every empty list, by dotted path, from `below` on. */
  origins(below: Path): ReadonlyMap<string, Origin>;
}

export function readYaml(text: string, file: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const problems = document.errors.map((error) => problem(file, lineAt(error.pos[0]), firstLine(error.message)));
  let data: unknown = {};
  try {
    if (problems.length === 0) data = withoutNulls(document.toJS({ maxAliasCount: 100 })) ?? {};
  } catch (error) {
    // An alias without its anchor, or more aliases than any person writes.
    problems.push(problem(file, undefined, firstLine((error as Error).message)));
  }
  return {
    data,
    problems,
    lineOf: (path) => {
      const offset = offsetOf(document, path);
      return offset === undefined ? undefined : lineAt(offset);
    },
    origins: (below) => {
      const found = new Map<string, Origin>();
      const start = nodeAt(document, below);
      if (start) collect(document, start, "", (path, offset) => found.set(path, { file, line: lineAt(offset) }));
      return found;
    },
  };
}

function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNulls(item)]));
}

function resolved(document: Document, node: unknown): Node | undefined {
  return (isAlias(node) ? node.resolve(document) : node) as Node | undefined;
}

function nodeAt(document: Document, path: Path): Node | undefined {
  let node = resolved(document, document.contents);
  for (const key of path) {
    if (isMap(node)) node = resolved(document, pairOf(node, key)?.value);
    else if (isSeq(node)) node = resolved(document, node.items[Number(key)]);
    else return undefined;
  }
  return node;
}

function offsetOf(document: Document, path: Path): number | undefined {
  let node = resolved(document, document.contents);
  let offset = node?.range?.[0];
  for (const key of path) {
    if (isMap(node)) {
      const pair = pairOf(node, key);
      if (!pair) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = resolved(document, pair.value);
    } else if (isSeq(node)) {
      node = resolved(document, node.items[Number(key)]);
      offset = node?.range?.[0] ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

function pairOf(map: { readonly items: readonly { key: unknown; value: unknown }[] }, key: PropertyKey) {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key));
}

function collect(document: Document, node: Node, path: string, add: (path: string, offset: number) => void): void {
  const below = (key: unknown) => (path === "" ? String(key) : `${path}.${String(key)}`);
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const item = resolved(document, value);
      if (!isScalar(key) || !item) continue;
      // An empty list says something: it takes the place of one that is not.
      if (isScalar(item) || (isSeq(item) && item.items.length === 0)) add(below(key.value), key.range?.[0] ?? 0);
      else collect(document, item, below(key.value), add);
    }
  } else if (isSeq(node)) {
    node.items.forEach((value, at) => {
      const item = resolved(document, value);
      if (!item) return;
      if (isScalar(item)) add(below(at), item.range?.[0] ?? 0);
      else collect(document, item, below(at), add);
    });
  }
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0]!.replace(/:$/, "");
}
