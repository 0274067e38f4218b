/** What still moves at the end of the transcript: the streaming reply, thinking, calls and the spinner. Pure. */
import { callTree } from "../view/call-tree.ts";
import { blockName, type Item, type ViewState } from "../view/view-state.ts";
import { formatDuration } from "../view/wording.ts";
import { callLines, type ItemStyle, type Moment, renderItem } from "./render-item.ts";
import { type Line, span } from "./spans.ts";

export interface Spinner extends Moment {
  /** Milliseconds since the turn began; undefined when that is not known. */
  readonly elapsed: number | undefined;
}

/** The unfinished block of the streaming reply; undefined when nothing of it is to be seen. */
export function liveReply(view: ViewState): Extract<Item, { kind: "reply" }> | undefined {
  const { reply } = view;
  if (reply === undefined || reply.text.trim() === "") return undefined;
  const block = blockName(reply.messageId, reply.blocks);
  return { kind: "reply", key: "live", block, text: reply.text, first: reply.blocks === 0 };
}

/** Thinking, calls and the spinner, below the reply. `previous` is the kind of what stands above. */
export function activityLines(
  view: ViewState,
  previous: Item["kind"] | undefined,
  width: number,
  style: ItemStyle,
  spinner: Spinner,
): Line[] {
  const out: Line[] = [];
  const thinking = view.reply?.thinking.trim() ?? "";
  if (thinking !== "" && style.verbose) {
    const item: Item = { kind: "thinking", key: "live", text: thinking.slice(-THINKING_CHARS) };
    out.push([], ...renderItem(item, undefined, width, style).slice(-THINKING_LINES));
  }
  if (view.calls.length > 0 && previous !== "call") out.push([]);
  for (const call of callTree(view.calls)) out.push(...callLines(call, width, spinner));
  const running = view.calls.some((call) => call.status === "running");
  if (view.status?.busy && !running && view.requests.length === 0) {
    const time =
      spinner.elapsed === undefined || spinner.elapsed < 1_000
        ? ""
        : ` ${formatDuration(Math.floor(spinner.elapsed / 1_000) * 1_000).replace(".0s", "s")}`;
    out.push([], [span(`${spinner.picture} `, "accent"), span(`${activityWord(view)}${time}`, "faint")]);
  }
  return out;
}

/** What the model does at the moment. */
export function activityWord(view: ViewState): string {
  if ((view.reply?.thinking.trim() ?? "") !== "") return "thinking…";
  return view.reply !== undefined && view.reply.text !== "" ? "writing…" : "working…";
}

const THINKING_LINES = 6;
/** More than these lines hold in any window. */
const THINKING_CHARS = 4_000;
