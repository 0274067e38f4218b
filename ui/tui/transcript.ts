/**
 * Turns items into terminal lines, each once. Keeps only what a redraw after a resize needs: the newest items, and how
 * much of the streaming block has already scrolled away.
 */
import { neutralise } from "../../src/text/neutralise.ts";
import { depthOf } from "../view/reduce.ts";
import { blockName, type Item, type ViewState } from "../view/view-state.ts";
import { formatDuration } from "../view/wording.ts";
import type { MarkdownTools } from "./markdown.ts";
import { callLines, type ItemStyle, renderItem } from "./render-item.ts";
import { clipLine, type Line, paint, span } from "./spans.ts";
import type { Theme } from "./theme.ts";

/** Items kept for a redraw; no window shows more. */
const KEPT_ITEMS = 120;
/** A resumed conversation prints at most this many items. */
const MAX_PRINTED = 300;

export interface LiveLines {
  /** Lines at the top that did not fit and are now scrollback. */
  readonly scrolled: readonly string[];
  readonly lines: readonly string[];
}

export interface Spinner {
  readonly picture: string;
  /** Milliseconds since the turn began; undefined when that is not known. */
  readonly elapsed: number | undefined;
}

export class Transcript {
  private kept: Item[] = [];
  private previous: Item["kind"] | undefined;
  /** How many lines of a streaming block are scrollback already. */
  private scrolled: { readonly block: string; readonly lines: number } | undefined;

  constructor(
    private readonly theme: Theme,
    private readonly tools: () => MarkdownTools,
    private readonly welcome: () => readonly string[],
  ) {}

  /** The lines of items that have just finished. */
  print(items: readonly Item[], width: number, verbose: boolean): string[] {
    const skipped = Math.max(0, items.length - MAX_PRINTED);
    const out: string[] = skipped > 0 ? [this.paint([span(`… ${skipped} earlier items`, "faint")])] : [];
    for (const item of items.slice(skipped)) out.push(...this.printItem(item, width, verbose));
    return out;
  }

  /** What is still moving, in at most `height` lines; older lines of a streaming reply become scrollback. */
  live(view: ViewState, width: number, height: number, spinner: Spinner): LiveLines {
    const style = this.style(view.status?.verbose ?? false);
    const tail = this.activity(view, width, spinner);
    const room = Math.max(1, height - tail.length);
    const reply = this.replyLines(view, width, style);
    const cut = Math.max(0, reply.lines.length - room);
    const scrolled = reply.lines.slice(0, cut).map((line) => this.paint(line));
    if (cut > 0 && reply.block !== undefined) {
      const already = this.scrolled?.block === reply.block ? this.scrolled.lines : 0;
      this.scrolled = { block: reply.block, lines: already + cut };
    }
    const lines = [...reply.lines.slice(cut), ...tail].map((line) => this.paint(line));
    return { scrolled, lines: lastOf(lines, height) };
  }

  /** The newest lines again, at a new width, to fill a wiped window of `rows`. */
  redraw(width: number, rows: number, verbose: boolean): readonly string[] {
    const items = this.kept;
    this.kept = [];
    this.previous = undefined;
    this.scrolled = undefined;
    const all = [...this.greeting(width), ...items.flatMap((item) => this.printItem(item, width, verbose))];
    return lastOf(all, rows);
  }

  /** What stands above everything, once. */
  greeting(width: number): string[] {
    const lines = this.welcome();
    if (lines.length > 0) this.previous = "bookmark";
    return lines.map((line) => this.paint(clipLine([span(neutralise(line), "faint")], width)));
  }

  clear(): void {
    this.kept = [];
    this.previous = undefined;
    this.scrolled = undefined;
  }

  private printItem(item: Item, width: number, verbose: boolean): string[] {
    this.kept.push(item);
    if (this.kept.length > KEPT_ITEMS) this.kept.shift();
    const lines = renderItem(item, this.previous, width, this.style(verbose));
    if (lines.length > 0) this.previous = item.kind;
    const already = item.kind === "reply" && this.scrolled?.block === item.block ? this.scrolled.lines : 0;
    if (already > 0) this.scrolled = undefined;
    return lines.slice(already).map((line) => this.paint(line));
  }

  private replyLines(view: ViewState, width: number, style: ItemStyle): { lines: Line[]; block: string | undefined } {
    const { reply } = view;
    if (reply === undefined || reply.text.trim() === "") return { lines: [], block: undefined };
    const block = blockName(reply.messageId, reply.blocks);
    const item: Item = { kind: "reply", key: "live", block, text: reply.text, first: reply.blocks === 0 };
    const lines = renderItem(item, this.previous, width, style);
    return { lines: this.scrolled?.block === block ? lines.slice(this.scrolled.lines) : lines, block };
  }

  /** Thinking, calls and the spinner. */
  private activity(view: ViewState, width: number, spinner: Spinner): Line[] {
    const out: Line[] = [];
    const thinking = view.reply?.thinking.trim() ?? "";
    if (thinking !== "" && view.status?.verbose) {
      out.push(
        [],
        ...renderItem({ kind: "thinking", key: "live", text: thinking }, undefined, width, this.style(true)).slice(-6),
      );
    }
    if (view.calls.length > 0 && this.previous !== "call") out.push([]);
    for (const call of view.calls) out.push(...callLines(call, depthOf(call, view.calls), width, spinner.picture));
    const running = view.calls.some((call) => call.status === "running");
    if (view.status?.busy && !running && view.requests.length === 0) {
      const word =
        thinking !== "" ? "thinking…" : view.reply !== undefined && view.reply.text !== "" ? "writing…" : "working…";
      const time =
        spinner.elapsed === undefined || spinner.elapsed < 1_000
          ? ""
          : ` ${formatDuration(Math.floor(spinner.elapsed / 1_000) * 1_000).replace(".0s", "s")}`;
      out.push([], [span(`${spinner.picture} `, "accent"), span(`${word}${time}`, "faint")]);
    }
    return out;
  }

  private style(verbose: boolean): ItemStyle {
    return { ...this.tools(), verbose };
  }

  private paint(line: Line): string {
    return paint(line, this.theme);
  }
}

function lastOf<T>(list: readonly T[], count: number): readonly T[] {
  return count > 0 ? list.slice(-count) : [];
}
