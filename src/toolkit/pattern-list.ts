import { wildcard } from "../text/wildcard.ts";
import type { Written } from "./known-tool.ts";

/** A list of patterns, made ready for many names: a thousand tools meet every list of every layer. */
export interface PatternList {
  /** Undefined: the list is empty. */
  readonly first: Written<string> | undefined;
  /** The first entry that fits one of the names; plain names before patterns. */
  find(names: readonly string[]): Written<string> | undefined;
}

export function patternList(entries: readonly Written<string>[]): PatternList {
  const plain = new Map<string, Written<string>>();
  const patterns: { readonly entry: Written<string>; readonly fits: (name: string) => boolean }[] = [];
  for (const entry of entries)
    if (entry.value.includes("*")) patterns.push({ entry, fits: wildcard(entry.value) });
    else if (!plain.has(entry.value)) plain.set(entry.value, entry);
  return {
    first: entries[0],
    find(names) {
      for (const name of names) {
        const entry = plain.get(name);
        if (entry) return entry;
      }
      return patterns.find(({ fits }) => names.some(fits))?.entry;
    },
  };
}
