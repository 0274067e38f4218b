import { lstat, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Manifest, ManifestEntry } from "../sandbox/manifest.ts";
import { hashOf, stateOf, stateOfLink } from "../workspace/path-state.ts";
import type { TreeChange } from "../workspace/tree-change.ts";

/** What a trial would do to the workspace. */
export interface TrialChanges {
  readonly changes: readonly TreeChange[];
  /** For people: one line each, with the bytes of both sides where they are files. */
  readonly seen: readonly SeenChange[];
  /** Files of which only the time changed; `at` in seconds since 1970. */
  readonly touched: readonly Touched[];
  /** The first path that is not as it was when this was made. */
  changedMeanwhile(): Promise<string | undefined>;
}

export interface Touched {
  /** Absolute. */
  readonly path: string;
  readonly at: number;
}

export interface SeenChange {
  /** As seen from the workspace. */
  readonly path: string;
  readonly what: "added" | "modified" | "deleted" | "mode";
  readonly isFolder?: boolean;
  /** A file's content, or where a link leads, by its state. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  bytesBefore?(): Promise<Uint8Array>;
  bytesAfter?(): Promise<Uint8Array>;
}

export type FoundChanges = TrialChanges | { readonly refused: string };

/** More bytes than this are not read to show that they go. */
const MOST_BYTES_GONE = 256 * 1024 * 1024;

/**
 * Compares what the trial left with what is there. `since`: when the trial began, in milliseconds; what somebody else
 * changed after that was perhaps read half by the command.
 */
export async function findChanges(manifest: Manifest, workspace: string, since: number): Promise<FoundChanges> {
  if (manifest.tooMuch) return { refused: "it changes more than can be shown" };
  const trouble = manifest.entries.find((entry) => entry.kind === "trouble");
  if (trouble) return { refused: `it leaves ${trouble.path.slice(1)}, which ${trouble.why}` };
  const changes: TreeChange[] = [];
  const seen: SeenChange[] = [];
  const touched: Touched[] = [];
  const checks: Check[] = [];
  const goneIn = new Map<string, Set<string>>();
  let bytesGone = 0;
  for (const entry of manifest.entries) {
    const path = join(workspace, entry.path);
    const old = await lookAt(path);
    if (old && old.kind !== "folder" && old.changed >= since)
      return { refused: `${entry.path.slice(1)} was changed by another program while it was tried` };
    if (entry.kind === "gone") {
      if (!old) return { refused: `${entry.path.slice(1)} went away while it was tried` };
      bytesGone += old.size;
      if (bytesGone > MOST_BYTES_GONE) return { refused: "it deletes more than can be shown" };
      goneIn.set(dirname(path), (goneIn.get(dirname(path)) ?? new Set()).add(path));
    }
    const found = await compare(entry, path, old);
    if ("refused" in found) return found;
    changes.push(...found.changes);
    seen.push(...found.seen);
    touched.push(...(found.touched ?? []));
    checks.push(...found.checks);
  }
  return { changes, seen, touched, changedMeanwhile: () => firstFalse(checks, goneIn) };
}

interface Found {
  readonly changes: readonly TreeChange[];
  readonly seen: readonly SeenChange[];
  readonly touched?: readonly Touched[];
  readonly checks: readonly Check[];
}
/** What the journal does not check by itself. */
type Check =
  | { readonly kind: "mode"; readonly path: string; readonly mode: number }
  | { readonly kind: "absent"; readonly path: string }
  | { readonly kind: "emptied"; readonly path: string };

const NOTHING: Found = { changes: [], seen: [], checks: [] };

async function compare(
  entry: ManifestEntry,
  path: string,
  old: Standing | undefined,
): Promise<Found | { readonly refused: string }> {
  const shown = entry.path.slice(1);
  switch (entry.kind) {
    case "trouble":
      return NOTHING;
    case "folder": {
      if (old?.kind === "folder")
        return old.mode === entry.mode ? NOTHING : newMode(path, shown, old.mode, entry.mode, true);
      return {
        // What goes to make room for it is looked at where it goes.
        changes: [{ kind: "make-directory", path, mode: entry.mode, ...(!old && { expect: null }) }],
        seen: [{ path: shown, what: "added", isFolder: true }],
        checks: old ? [] : [{ kind: "absent", path }],
      };
    }
    case "gone": {
      if (entry.was === "folder")
        return {
          changes: [{ kind: "remove-directory", path }],
          seen: [{ path: shown, what: "deleted", isFolder: true }],
          checks: [{ kind: "emptied", path }],
        };
      const before = await stateOf(path);
      return {
        changes: [{ kind: "remove", path, expect: before ?? null }],
        seen: [
          { path: shown, what: "deleted", before, ...(old?.kind === "file" && { bytesBefore: () => readFile(path) }) },
        ],
        checks: [],
      };
    }
    case "link": {
      const before = old?.kind === "folder" ? undefined : await stateOf(path);
      const after = stateOfLink(entry.target);
      if (before === after) return NOTHING;
      return {
        changes: [{ kind: "link", path, target: entry.target, expect: before ?? null }],
        seen: [{ path: shown, what: before === undefined ? "added" : "modified", before, after }],
        checks: [],
      };
    }
    case "file":
      return compareFile(entry, path, shown, old);
  }
}

async function compareFile(
  { bytes, mode, links, at }: ManifestEntry & { kind: "file" },
  path: string,
  shown: string,
  old: Standing | undefined,
): Promise<Found | { readonly refused: string }> {
  const before = old && old.kind !== "folder" ? await stateOf(path) : undefined;
  const after = await hashOfFile(bytes);
  if (before === after && old?.kind === "file") {
    const found = old.mode === mode ? NOTHING : newMode(path, shown, old.mode, mode, false);
    return at === old.at ? found : { ...found, touched: [{ path, at }] };
  }
  if (links > 1) return { refused: `${shown} has several names (hard links)` };
  if (old?.kind === "file" && old.links > 1) return { refused: `${shown} has other names elsewhere (hard links)` };
  if (old?.kind === "other") return { refused: `${shown} is not a regular file` };
  const sides = {
    ...(old?.kind === "file" && { bytesBefore: () => readFile(path) }),
    bytesAfter: () => readFile(bytes),
  };
  return {
    changes: [{ kind: "restore", path, mode, state: after, expect: before ?? null, read: () => readFile(bytes) }],
    seen: [{ path: shown, what: before === undefined ? "added" : "modified", before, after, ...sides }],
    checks: old?.kind === "file" ? [{ kind: "mode", path, mode: old.mode }] : [],
  };
}

function newMode(path: string, shown: string, before: number, mode: number, isFolder: boolean): Found {
  return {
    changes: [{ kind: "mode", path, mode }],
    seen: [{ path: shown, what: "mode", isFolder }],
    checks: [{ kind: "mode", path, mode: before }],
  };
}

interface Standing {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly mode: number;
  readonly links: number;
  /** 0 for what is not a file. */
  readonly size: number;
  /** When its content or its properties were changed last, in milliseconds. */
  readonly changed: number;
  /** When its content was, in whole seconds. */
  readonly at: number;
}

async function lookAt(path: string): Promise<Standing | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return undefined;
  const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "other";
  const size = kind === "file" ? found.size : 0;
  return {
    kind,
    mode: found.mode & 0o7777,
    links: found.nlink,
    size,
    changed: found.ctimeMs,
    at: Math.floor(found.mtimeMs / 1000),
  };
}

async function firstFalse(
  checks: readonly Check[],
  goneIn: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string | undefined> {
  for (const { path, ...check } of checks) {
    if (check.kind === "emptied") {
      const names = await readdir(path).catch(() => undefined);
      if (names === undefined || names.some((name) => goneIn.get(path)?.has(join(path, name)) !== true)) return path;
      continue;
    }
    const now = await lookAt(path);
    if (check.kind === "mode" ? now?.mode !== check.mode : now !== undefined) return path;
  }
  return undefined;
}

async function hashOfFile(path: string): Promise<string> {
  return hashOf(await readFile(path));
}
