/** Calls and those made under them, as a tree that is read from top to bottom. Pure. */
import { SETTLED } from "../../src/protocol/tool-call.ts";
import type { ShownCall } from "./shown-call.ts";

/** Calls under one parent that are counted instead of shown. */
export interface Folded {
  readonly count: number;
  readonly failed: number;
  readonly open: number;
}

export interface TreeCall {
  readonly call: ShownCall;
  /** How many known calls it runs under. */
  readonly depth: number;
  /** Its siblings that are not shown, told above it. */
  readonly folded?: Folded;
}

/** More calls under one parent than this are folded. */
const MOST_CHILDREN = 8;

/** Every call below the one it runs under; of many children only those that tell most. */
export function callTree(calls: readonly ShownCall[]): TreeCall[] {
  const known = new Set(calls.map((call) => call.id));
  const roots = calls.filter((call) => !isUnder(call, known));
  const children = Map.groupBy(
    calls.filter((call) => isUnder(call, known)),
    (call) => call.parentId,
  );
  const below = (call: ShownCall, depth: number, folded?: Folded): TreeCall[] => {
    const { shown, rest } = fold(children.get(call.id) ?? []);
    const under = shown.flatMap((child, at) => below(child, depth + 1, at === 0 ? rest : undefined));
    return [{ call, depth, ...(folded === undefined ? {} : { folded }) }, ...under];
  };
  return roots.flatMap((root) => below(root, 0));
}

/** A call and all that runs under it, whatever is shown of it. */
export function family(call: ShownCall, calls: readonly ShownCall[]): ShownCall[] {
  const children = calls.filter((other) => other !== call && other.parentId === call.id);
  return [call, ...children.flatMap((child) => family(child, calls))];
}

function isUnder({ id, parentId }: ShownCall, known: ReadonlySet<string>): boolean {
  return parentId !== undefined && parentId !== id && known.has(parentId);
}

/** What runs is shown before the newest that ended, and that before what waits for its turn. */
function fold(children: readonly ShownCall[]): { shown: readonly ShownCall[]; rest?: Folded } {
  if (children.length <= MOST_CHILDREN + 1) return { shown: children };
  const rank = ({ status }: ShownCall) => (SETTLED.has(status) ? 1 : status === "pending" ? 2 : 0);
  const kept = new Set(
    children
      .map((call, at) => ({ call, at, rank: rank(call) }))
      .sort((a, b) => a.rank - b.rank || (a.rank === 1 ? b.at - a.at : a.at - b.at))
      .slice(0, MOST_CHILDREN)
      .map(({ call }) => call),
  );
  const rest = children.filter((call) => !kept.has(call));
  const settled = rest.filter(({ status }) => SETTLED.has(status));
  const failed = settled.filter(({ status }) => status !== "done").length;
  return {
    shown: children.filter((call) => kept.has(call)),
    rest: { count: rest.length, failed, open: rest.length - settled.length },
  };
}
