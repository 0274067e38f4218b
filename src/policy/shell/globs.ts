import { isAbsolute, join } from "node:path";
import type { Surroundings } from "./surroundings.ts";

/**
 * The names a pattern stands for right now, as the shell would write them; undefined when there are too many, or the
 * pattern is one we do not read.
 */
export function expandGlob(pattern: string, cwd: string, around: Surroundings): readonly string[] | undefined {
  const segments = pattern.split("/");
  let found = [""];
  let looked = 0;
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    if (!/(?<!\\)[*?[]/.test(segment)) {
      const plain = segment.replace(/\\(.)/g, "$1");
      found = found.map((path) => path + plain + (isLast ? "" : "/"));
      continue;
    }
    const test = testOf(segment);
    if (!test) return undefined;
    const next: string[] = [];
    for (const path of found) {
      const entries = around.entries(isAbsolute(path) ? path : join(cwd, path)) ?? [];
      looked += entries.length;
      if (looked > MAX_ENTRIES) return undefined;
      // Older shells find these two as well.
      const all = /^\\?\./.test(segment) ? [...entries, ...UPWARD] : entries;
      for (const { name, kind } of all)
        if ((!name.startsWith(".") || /^\\?\./.test(segment)) && test.test(name) && (isLast || kind !== "file"))
          next.push(path + name + (isLast ? "" : "/"));
    }
    found = next;
    if (found.length > MAX_ENTRIES) return undefined;
  }
  return found;
}

const UPWARD = [".", ".."].map((name) => ({ name, kind: "folder" as const }));
const MAX_ENTRIES = 4000;

/** One part of a path as a regular expression. */
function testOf(segment: string): RegExp | undefined {
  let source = "";
  for (let at = 0; at < segment.length; at++) {
    const char = segment[at]!;
    if (char === "\\") source += literally(segment[++at] ?? "");
    else if (char === "*") source += "[\\s\\S]*";
    else if (char === "?") source += "[\\s\\S]";
    else if (char === "[") {
      const set = /^\[([!^]?)([\w.-]+)\]/.exec(segment.slice(at));
      if (!set) return undefined;
      source += `[${set[1] ? "^" : ""}${set[2]!.replaceAll(".", "\\.")}]`;
      at += set[0].length - 1;
    } else source += literally(char);
  }
  try {
    // Locales fold case in ranges: more names may fit than we think, so case is ignored.
    return new RegExp(`^${source}$`, "iu");
  } catch {
    return undefined;
  }
}

const literally = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
