import type { PickItem, RequestOf } from "../../src/protocol/request.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import type { Heard } from "./asking.ts";
import { type Line, line, type Manner } from "./line.ts";

export interface PickAsking {
  readonly kind: "pick";
  readonly request: RequestOf<"pick">;
  readonly prompt: string;
}

/** A longer list is narrowed by a part of a name. */
const LIST_ITEMS = 40;

export function askPick(request: RequestOf<"pick">, manner: Manner) {
  const prompt = manner === "accessible" ? "Number or name: " : "pick> ";
  const asking: PickAsking = { kind: "pick", request, prompt };
  return {
    asking,
    lines: [line(neutralise(request.title), "strong"), ...itemLines(request.items, request.items), HOW],
  };
}

const HOW = line("Type a number or a part of a name; Enter alone leaves it.", "faint");

export function hearPick(asking: PickAsking, typed: string): Heard {
  const { items } = asking.request;
  const text = typed.trim();
  if (text === "") return { answer: { kind: "pick", value: null }, lines: [line("Nothing chosen.")] };
  const take = (item: PickItem): Heard => ({
    answer: { kind: "pick", value: item.id },
    lines: [line(`Chosen: ${neutralise(item.label)}`)],
  });
  const numbered = /^\d+$/.test(text) ? items[Number(text) - 1] : undefined;
  const named = items.find((item) => item.label.toLowerCase() === text.toLowerCase());
  if (numbered ?? named) return take((numbered ?? named)!);
  const words = text.toLowerCase().split(/\s+/);
  const matching = items.filter((item) => {
    const about = `${item.label} ${item.description ?? ""} ${item.group ?? ""}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
  if (matching.length === 1) return take(matching[0]!);
  if (matching.length === 0) return { asking, lines: [line(`Nothing matches "${neutralise(text)}".`, "warn"), HOW] };
  return { asking, lines: [...itemLines(matching, items), HOW] };
}

/** Items keep the numbers they have in the whole list. */
function itemLines(shown: readonly PickItem[], all: readonly PickItem[]): Line[] {
  const lines: Line[] = [];
  let group: string | undefined;
  for (const item of shown.slice(0, LIST_ITEMS)) {
    if (item.group !== undefined && item.group !== group) lines.push(line(`${neutralise(item.group)}:`));
    group = item.group;
    const about = item.description === undefined ? "" : `: ${neutralise(item.description)}`;
    const current = item.current ? " (current)" : "";
    lines.push(line(`${all.indexOf(item) + 1} ${neutralise(item.label)}${current}${about}`));
  }
  const rest = shown.length - LIST_ITEMS;
  return rest > 0 ? [...lines, line(`and ${rest} more`, "faint")] : lines;
}
