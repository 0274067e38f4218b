import type { PreviewedChange } from "../protocol/request.ts";
import type { SeenChange } from "./trial-changes.ts";

/** What a dialog shows of changes. */
export interface ShownChanges {
  readonly changes: readonly PreviewedChange[];
  readonly diff: string;
  readonly notes: readonly string[];
}

/** Of one text; above this a change is listed without its lines. */
const MOST_BYTES = 256 * 1024;
/** Of all diffs together, in characters. */
const MOST_DIFF = 200_000;
/** A deleted folder with more files than this is listed by its own name. */
const FEW = 10;

export async function showChanges(seen: readonly SeenChange[]): Promise<ShownChanges> {
  const { unifiedDiff } = await import("../text/diff.ts");
  const ours = seen.filter(({ path }) => !isInternal(path));
  const folders = bigGoneFolders(ours);
  const shown = withRenames(ours.filter(({ path }) => !folders.some(({ folder }) => path.startsWith(`${folder}/`))));
  const changes: PreviewedChange[] = [];
  const diffs: string[] = [];
  let room = MOST_DIFF;
  let unshown = 0;
  for (const one of shown) {
    if (one.isFolder && shown.some(({ path }) => path.startsWith(`${one.path}/`))) continue;
    const path = one.isFolder ? `${one.path}/` : one.path;
    const base = {
      path,
      what: one.from === undefined ? one.what : "renamed",
      ...(one.from !== undefined && { from: one.from }),
    } as const;
    const sides = one.isFolder || one.what === "mode" || one.from !== undefined ? undefined : await textsOf(one);
    if (!sides) {
      changes.push(base);
      continue;
    }
    const diff = room > 0 ? await unifiedDiff({ ...sides, from: one.path, to: one.path }) : "";
    if (diff.length > room) {
      unshown++;
      room = 0;
    } else if (room > 0) {
      room -= diff.length;
      diffs.push(diff);
    } else unshown++;
    changes.push({ ...base, ...count(diff) });
  }
  const notes = [
    ...folders.map(({ folder, files }) => `${folder}/ goes with ${files} files in it`),
    ...gitNote(seen),
    ...(unshown > 0 ? [`the lines of ${unshown} more files are not shown`] : []),
  ];
  return { changes, diff: diffs.join(""), notes };
}

/** What git keeps for itself; branches, settings and hooks are shown like other files. */
export const isInternal = (path: string) =>
  /(?:^|\/)\.git\/(?:index$|objects(?:\/|$)|logs(?:\/|$)|COMMIT_EDITMSG$|ORIG_HEAD$|gc\.log$)/.test(path);

function gitNote(seen: readonly SeenChange[]): readonly string[] {
  const internal = seen.filter(({ path, isFolder }) => isInternal(path) && !isFolder);
  if (internal.length === 0) return [];
  const objects = internal.filter(({ path }) => /\.git\/objects\//.test(path)).length;
  const words = [
    ...(internal.some(({ path }) => path.endsWith(".git/index")) ? ["what is staged"] : []),
    ...(objects > 0 ? [`${objects} new ${objects === 1 ? "object" : "objects"}`] : []),
  ];
  return [`in .git: ${words.join(" and ") || "its logs"}`];
}

function bigGoneFolders(seen: readonly SeenChange[]): readonly { readonly folder: string; readonly files: number }[] {
  const gone = seen.filter(({ what }) => what === "deleted");
  const folders = gone.filter(({ isFolder }) => isFolder).map(({ path }) => path);
  return folders
    .filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
    .map((folder) => ({
      folder,
      files: gone.filter(({ path, isFolder }) => !isFolder && path.startsWith(`${folder}/`)).length,
    }))
    .filter(({ files }) => files > FEW);
}

type Renamed = SeenChange & { readonly from?: string };

/** A file that went and one that came with the same bytes are one that was renamed. */
function withRenames(seen: readonly SeenChange[]): readonly Renamed[] {
  const gone = new Map(
    seen.filter(({ what, before }) => what === "deleted" && before !== undefined).map((one) => [one.before, one]),
  );
  const taken = new Set<SeenChange>();
  const renamed = seen.map((one): Renamed => {
    const old = one.what === "added" && one.after !== undefined ? gone.get(one.after) : undefined;
    if (!old || taken.has(old)) return one;
    taken.add(old);
    return { ...one, from: old.path };
  });
  return renamed.filter((one) => !taken.has(one)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Undefined for what is no text, or too much of it. */
async function textsOf(
  one: SeenChange,
): Promise<{ readonly before: string | undefined; readonly after: string | undefined } | undefined> {
  const sides: (string | undefined)[] = [];
  for (const read of [one.bytesBefore, one.bytesAfter]) {
    const bytes = await read?.();
    if (bytes && (bytes.length > MOST_BYTES || bytes.includes(0))) return undefined;
    sides.push(bytes && new TextDecoder().decode(bytes));
  }
  const [before, after] = sides;
  return before === undefined && after === undefined ? undefined : { before, after };
}

function count(diff: string): { readonly added: number; readonly removed: number } {
  const lines = diff.split("\n").filter((line) => !/^(?:---|\+\+\+) /.test(line));
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}
