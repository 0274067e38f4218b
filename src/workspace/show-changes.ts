import type { FileState, PathChange } from "../protocol/file-change.ts";
import { unifiedDiff } from "../text/diff.ts";
import { decodeText, detectEncoding } from "../text/text-encoding.ts";
import { binaryKind } from "./file-kind.ts";
import { isSameContent, withoutFullFolders } from "./net-changes.ts";

export interface ShownContents {
  /** Undefined for what is not kept. */
  contentOf(hash: string): Uint8Array | undefined;
  /** What is in it is not shown. */
  isSecret(path: string): boolean;
}

/** Changes as unified diffs, one behind the other; what has no lines to compare is said in words. */
export async function showChanges(changes: readonly PathChange[], contents: ShownContents): Promise<string> {
  const { renames, others } = withRenames(withoutFullFolders(changes));
  const shown = renames.map(([from, to]) => `renamed: ${from} -> ${to}\n`);
  for (const change of others) shown.push(await showOne(change, contents));
  return shown.filter((text) => text !== "").join("\n");
}

/** A file that is gone and one that is new with the same content are one file under another name. */
function withRenames(changes: readonly PathChange[]) {
  const renames: (readonly [string, string])[] = [];
  const moved = new Set<PathChange>();
  for (const gone of changes) {
    if (gone.after || gone.before?.kind !== "file" || gone.before.size === 0) continue;
    const come = changes.find(
      (other) =>
        !other.before && !moved.has(other) && other.after?.kind === "file" && isSameContent(gone.before, other.after),
    );
    if (!come) continue;
    renames.push([gone.path, come.path]);
    moved.add(gone).add(come);
  }
  return { renames, others: changes.filter((change) => !moved.has(change)) };
}

async function showOne({ path, before, after }: PathChange, contents: ShownContents): Promise<string> {
  if (before?.kind !== "file" && after?.kind !== "file") return sayInWords(path, before, after);
  const head = headOf(path, before, after);
  if (isSameContent(before, after)) return head;
  if (contents.isSecret(path)) return `${head || `changed: ${path}\n`}(not shown: it may hold secrets)\n`;
  const texts = [textOf(before, contents), textOf(after, contents)] as const;
  const problem = texts.find((text) => text?.kind === "none");
  if (problem?.kind === "none") return `${head || `changed: ${path}\n`}(${problem.why})\n`;
  const [old, now] = texts.map((text) => (text?.kind === "text" ? text.text : undefined));
  const diff = await unifiedDiff({ before: old, after: now, from: path, to: path });
  return head + (diff || `changed: ${path}\n(only line endings, the end of the last line or the encoding)\n`);
}

type Shown = { readonly kind: "text"; readonly text: string } | { readonly kind: "none"; readonly why: string };

function textOf(state: FileState | undefined, { contentOf }: ShownContents): Shown | undefined {
  if (state?.kind !== "file") return undefined;
  const bytes = state.hash === undefined ? undefined : contentOf(state.hash);
  if (!bytes) return { kind: "none", why: "its content is not kept" };
  const kind = binaryKind(bytes);
  if (kind !== undefined) return { kind: "none", why: `${kind}, ${bytes.length} bytes` };
  return { kind: "text", text: decodeText(bytes, detectEncoding(bytes)) };
}

function headOf(path: string, before: FileState | undefined, after: FileState | undefined): string {
  if (before?.kind !== "file")
    return `new file: ${path}${after?.kind === "file" ? octal(after.mode) : ""}${was(before)}\n`;
  if (after?.kind !== "file") return `deleted: ${path}${was(after, ", now ")}\n`;
  return before.mode === after.mode ? "" : `mode: ${path}${octal(before.mode)} ->${octal(after.mode)}\n`;
}

function sayInWords(path: string, before: FileState | undefined, after: FileState | undefined): string {
  const kind = (after ?? before)?.kind === "link" ? "link" : "folder";
  if (!before) return `new ${kind}: ${path}${after?.kind === "link" ? ` -> ${after.target}` : ""}\n`;
  if (!after) return `deleted ${kind}: ${path}\n`;
  if (before.kind === "directory" && after.kind === "directory")
    return `mode of folder: ${path}${octal(before.mode)} ->${octal(after.mode)}\n`;
  return `changed: ${path}${was(before)}${was(after, ", now ")}\n`;
}

const was = (state: FileState | undefined, words = ", was ") =>
  state?.kind === "link" ? `${words}a link to ${state.target}` : state?.kind === "directory" ? `${words}a folder` : "";
const octal = (mode: number) => ` ${mode.toString(8).padStart(4, "0")}`;
