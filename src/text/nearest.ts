/**
 * The known name a person most likely meant by `name`: fewest edits, ignoring case, and at most a third of the name
 * (but one edit is always allowed). Undefined when nothing is that near.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let limit = Math.max(1, Math.floor(wanted.length / 3));
  for (const candidate of known) {
    const edits = distance(wanted, candidate.toLowerCase(), limit);
    if (edits > limit) continue;
    if (best !== undefined && edits === limit) continue;
    best = candidate;
    limit = edits;
    if (limit === 0) break;
  }
  return best;
}

/**
 * Edits between two words: insert, remove, replace, or swap two neighbours (optimal string alignment distance,
 * Damerau 1964). Any number above `limit` means "more than limit".
 */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min(last[column]! + 1, line[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (row > 1 && column > 1 && swapped) edits = Math.min(edits, before[column - 2]! + 1);
      line.push(edits);
    }
    before = last;
    last = line;
  }
  return last[b.length]!;
}
