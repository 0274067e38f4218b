/** The two sides of a diff. A side that does not exist is undefined: a new or a deleted file. */
export interface DiffSides {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The name on the `---` line. */
  readonly from: string;
  /** The name on the `+++` line; another than `from` makes a rename. */
  readonly to: string;
}

const CONTEXT = 3;
/** Myers is quadratic in the number of edits; past this the changed middle is shown as replaced whole. */
const TIMEOUT_MS = 300;

/**
 * A unified diff with three lines of context (format: GNU diffutils, "Detailed Description of Unified Format", with
 * git's rename headers). Line endings are not compared; equal sides give only headers, or nothing without a rename.
 */
export async function unifiedDiff(sides: DiffSides): Promise<string> {
  const before = linesOf(sides.before ?? "");
  const after = linesOf(sides.after ?? "");
  const hunks = hunksOf(await compare(before, after));
  const headers = headersOf(sides, hunks.length > 0);
  return [...headers, ...hunks].map((line) => `${line}\n`).join("");
}

type Step = { readonly sign: " " | "-" | "+"; readonly text: string };

function headersOf({ before, after, from, to }: DiffSides, hasHunks: boolean): string[] {
  const exists = before !== undefined && after !== undefined;
  const headers = exists && from !== to ? [`rename from ${from}`, `rename to ${to}`] : [];
  if (!hasHunks && exists) return headers;
  return [
    ...headers,
    `--- ${before === undefined ? "/dev/null" : from}`,
    `+++ ${after === undefined ? "/dev/null" : to}`,
  ];
}

async function compare(before: readonly string[], after: readonly string[]): Promise<Step[]> {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;

  const same = (lines: readonly string[]) => lines.map((text): Step => ({ sign: " ", text }));
  return [
    ...same(before.slice(0, head)),
    ...(await compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail))),
    ...same(before.slice(before.length - tail)),
  ];
}

async function compareMiddle(before: readonly string[], after: readonly string[]): Promise<Step[]> {
  const whole = () => [
    ...before.map((text): Step => ({ sign: "-", text })),
    ...after.map((text): Step => ({ sign: "+", text })),
  ];
  const known = new Set(before);
  if (!after.some((line) => known.has(line))) return whole();
  const { diffArrays } = await import("diff");
  const changes = diffArrays([...before], [...after], { timeout: TIMEOUT_MS });
  if (!changes) return whole();
  return changes.flatMap(({ added, removed, value }) =>
    value.map((text): Step => ({ sign: added ? "+" : removed ? "-" : " ", text })),
  );
}

function hunksOf(steps: readonly Step[]): string[] {
  const lines: string[] = [];
  let before = 0;
  let after = 0;
  let at = 0;
  for (const [from, to] of hunkSpans(steps)) {
    for (; at < from; at++) {
      before++;
      after++;
    }
    const hunk = steps.slice(from, to);
    const removed = hunk.filter((step) => step.sign !== "+").length;
    const added = hunk.filter((step) => step.sign !== "-").length;
    lines.push(`@@ -${range(before, removed)} +${range(after, added)} @@`);
    lines.push(...hunk.map((step) => step.sign + step.text));
    before += removed;
    after += added;
    at = to;
  }
  return lines;
}

/** Step ranges `[from, to)` around the changes, those whose contexts touch joined into one. */
function hunkSpans(steps: readonly Step[]): [number, number][] {
  const spans: [number, number][] = [];
  steps.forEach((step, index) => {
    if (step.sign === " ") return;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(steps.length, index + CONTEXT + 1);
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else spans.push([from, to]);
  });
  return spans;
}

/** `start,count` of a hunk that begins after `before` lines; an empty range names the line before it. */
function range(before: number, count: number): string {
  return `${count === 0 ? before : before + 1}${count === 1 ? "" : `,${count}`}`;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
