/** Finds the paths that match a few typed letters best, a piece of the work at a time, and the faster while typing on. */
import { LEAST_TOGETHER, NONE, nameStart, scoreApart, scoreTogether } from "./fuzzy.ts";

export interface FuzzyIndex {
  readonly size: number;
  /** Adds a path; a trailing slash belongs to a folder's name. */
  add(path: string): void;
  /** Among the paths that are there now. Ends the search before, if that one still runs. */
  begin(query: string, limit: number, isOffered?: (path: string) => boolean): FuzzySearch;
}

export interface FuzzySearch {
  /** Goes on until `isOver`, which is asked now and then. Whether everything is searched. */
  advance(isOver?: () => boolean): boolean;
  /** The best matches so far, best first, at most `limit`; equally good ones in the order they were added. */
  best(): readonly string[];
}

/** Between two looks at the clock. */
const CHUNK = 256;

/**
 * What a search leaves to that of a longer query, which can only match fewer: those that may have its letters in a row,
 * and those that may have them apart, which matter only when there are too few of the first.
 */
interface Left {
  readonly together: readonly Int32Array[];
  readonly apart: readonly Int32Array[];
}

export function createFuzzyIndex(): FuzzyIndex {
  const paths: string[] = [];
  const folded: string[] = [];
  const letters: number[] = [];
  /** Where the last segment begins. */
  const names: number[] = [];
  let last: { readonly query: string; readonly size: number; left(): Left } | undefined;

  return {
    get size() {
      return paths.length;
    },
    add(path) {
      const lower = path.toLowerCase();
      paths.push(path);
      folded.push(lower === path ? path : lower);
      letters.push(letterSet(lower));
      names.push(nameStart(lower));
    },
    begin(query, limit, isOffered = () => true) {
      const wanted = query.toLowerCase();
      const set = letterSet(wanted);
      const size = paths.length;
      const goesOn = last?.size === size && wanted.startsWith(last.query);
      const from: Left = goesOn ? last!.left() : { together: [everything(size)], apart: [] };
      const best = createBest(limit);
      const take = (id: number, score: number) => {
        if (best.wants(id, score) && isOffered(paths[id]!)) best.take(id, score);
      };

      const together = createSieve(from.together, (id) => {
        if ((letters[id]! & set) !== set) return "drop";
        const score = scoreTogether(wanted, folded[id]!, names[id]!);
        if (score === NONE) return "fall";
        take(id, score);
        return "keep";
      });
      let apart: Sieve | undefined;
      const sieveApart = () =>
        createSieve([...together.fallen(), ...from.apart], (id) => {
          if ((letters[id]! & set) !== set) return "drop";
          const score = scoreApart(wanted, folded[id]!, names[id]!);
          if (score === NONE) return "drop";
          take(id, score);
          return "keep";
        });

      last = {
        query: wanted,
        size,
        left: () => ({
          together: together.kept(),
          apart: apart === undefined ? [...together.fallen(), ...from.apart] : apart.kept(),
        }),
      };
      return {
        advance(isOver = () => false) {
          if (!together.advance(isOver)) return false;
          if (best.floor() >= LEAST_TOGETHER) return true;
          apart ??= sieveApart();
          return apart.advance(isOver);
        },
        best: () => best.ids().map((id) => paths[id]!),
      };
    },
  };
}

function everything(size: number): Int32Array {
  const ids = new Int32Array(size);
  for (let id = 0; id < size; id++) ids[id] = id;
  return ids;
}

interface Sieve {
  /** Whether all went through. */
  advance(isOver: () => boolean): boolean;
  /** What was kept, and what did not go through yet. */
  kept(): readonly Int32Array[];
  fallen(): readonly Int32Array[];
}

function createSieve(sources: readonly Int32Array[], judge: (id: number) => "keep" | "fall" | "drop"): Sieve {
  const most = sources.reduce((sum, source) => sum + source.length, 0);
  const kept = new Int32Array(most);
  const fallen = new Int32Array(most);
  let keeps = 0;
  let falls = 0;
  let source = 0;
  let at = 0;
  return {
    advance(isOver) {
      for (; source < sources.length; source++, at = 0) {
        const ids = sources[source]!;
        while (at < ids.length) {
          for (const end = Math.min(ids.length, at + CHUNK); at < end; at++) {
            const id = ids[at]!;
            const verdict = judge(id);
            if (verdict === "keep") kept[keeps++] = id;
            else if (verdict === "fall") fallen[falls++] = id;
          }
          if (isOver()) return source === sources.length - 1 && at === ids.length;
        }
      }
      return true;
    },
    kept: () => [
      kept.subarray(0, keeps),
      sources[source]?.subarray(at) ?? kept.subarray(0, 0),
      ...sources.slice(source + 1),
    ],
    fallen: () => [fallen.subarray(0, falls)],
  };
}

/** Digits share a few bits, and what is neither letter nor digit one. */
const DIGIT_BIT = 26;
const OTHER_BIT = 31;

/** One bit per letter. What lacks a bit of the query cannot match it. */
function letterSet(text: string): number {
  let set = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x61 && code <= 0x7a) set |= 1 << (code - 0x61);
    else set |= 1 << (code >= 0x30 && code <= 0x39 ? DIGIT_BIT + (code % 5) : OTHER_BIT);
  }
  return set;
}

/** Keeps the `limit` highest scores, highest first, the lowest id first of equal ones. */
function createBest(limit: number) {
  const kept: { id: number; score: number }[] = [];
  const isBetter = (id: number, score: number, than: { id: number; score: number }) =>
    score > than.score || (score === than.score && id < than.id);
  return {
    /** Nothing below this is wanted. */
    floor: () => (kept.length < limit ? NONE : (kept[kept.length - 1]?.score ?? Number.POSITIVE_INFINITY)),
    wants: (id: number, score: number) => kept.length < limit || (limit > 0 && isBetter(id, score, kept[limit - 1]!)),
    take(id: number, score: number) {
      let at = kept.length;
      while (at > 0 && isBetter(id, score, kept[at - 1]!)) at--;
      kept.splice(at, 0, { id, score });
      if (kept.length > limit) kept.pop();
    },
    ids: () => kept.map(({ id }) => id),
  };
}
