/**
 * Turns items into terminal lines, each once. Keeps only what a redraw after a resize needs: the newest items, and how
 * much of the streaming block has already scrolled away.
 */
import { neutralise } from "../../src/text/neutralise.ts";
import type { Item, ViewState } from "../view/view-state.ts";
import { activityLines, liveReply, type Spinner } from "./live-lines.ts";
import type { MarkdownTools } from "./markdown.ts";
import { markPrompt } from "./prompt-mark.ts";
import { type ItemStyle, renderItem } from "./render-item.ts";
import { type Line, paint, span, wrapLine } from "./spans.ts";
import type { Theme } from "./theme.ts";

/** Items kept for a redraw, and their size in characters; no window shows more. */
const KEPT_ITEMS = 120;
const KEPT_CHARS = 100_000;
/** A resumed conversation prints at most this many items. */
const MAX_PRINTED = 300;

export interface LiveLines {
  /** Lines at the top that did not fit and are now scrollback. */
  readonly scrolled: readonly string[];
  readonly lines: readonly string[];
}

export class Transcript {
  private kept: { readonly item: Item; readonly size: number }[] = [];
  private keptChars = 0;
  private previous: Item["kind"] | undefined;
  /** How many lines of a streaming block are scrollback already. */
  private scrolled: { readonly block: string; readonly lines: number } | undefined;

  constructor(
    private readonly theme: () => Theme,
    private readonly tools: () => MarkdownTools,
    private readonly welcome: () => readonly string[],
    /** Stands in front of a prompt that a person typed; takes no cells. */
    private readonly mark: string,
  ) {}

  /** The lines of items that have just finished. */
  print(items: readonly Item[], width: number, verbose: boolean): string[] {
    const skipped = Math.max(0, items.length - MAX_PRINTED);
    const out: string[] = skipped > 0 ? [this.paint([span(`… ${skipped} earlier items`, "faint")])] : [];
    for (const item of items.slice(skipped)) {
      this.keep(item);
      out.push(...this.printItem(item, width, verbose));
    }
    return out;
  }

  /** What is still moving, in at most `height` lines; older lines of a streaming reply become scrollback. */
  live(view: ViewState, width: number, height: number, spinner: Spinner): LiveLines {
    const style = this.style(view.status?.verbose ?? false);
    const tail = activityLines(view, this.previous, width, style, spinner);
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
    this.previous = undefined;
    this.scrolled = undefined;
    const all = [...this.greeting(width), ...this.kept.flatMap(({ item }) => this.printItem(item, width, verbose))];
    return lastOf(all, rows);
  }

  /** What stands above everything, once. */
  greeting(width: number): string[] {
    const lines = this.welcome();
    if (lines.length > 0) this.previous = "bookmark";
    return lines.flatMap((line) => wrapLine([span(neutralise(line), "faint")], width)).map((line) => this.paint(line));
  }

  clear(): void {
    this.kept = [];
    this.keptChars = 0;
    this.previous = undefined;
    this.scrolled = undefined;
  }

  private keep(item: Item): void {
    const size = sizeOf(item);
    this.kept.push({ item, size });
    this.keptChars += size;
    while (this.kept.length > KEPT_ITEMS || (this.keptChars > KEPT_CHARS && this.kept.length > 1)) {
      this.keptChars -= this.kept.shift()?.size ?? 0;
    }
  }

  private printItem(item: Item, width: number, verbose: boolean): readonly string[] {
    const lines = renderItem(item, this.previous, width, this.style(verbose));
    if (lines.length > 0) this.previous = item.kind;
    const already = item.kind === "reply" && this.scrolled?.block === item.block ? this.scrolled.lines : 0;
    if (already > 0) this.scrolled = undefined;
    const painted = lines.slice(already).map((line) => this.paint(line));
    return markPrompt(item, painted, this.mark);
  }

  private replyLines(view: ViewState, width: number, style: ItemStyle): { lines: Line[]; block: string | undefined } {
    const item = liveReply(view);
    if (item === undefined) return { lines: [], block: undefined };
    const lines = renderItem(item, this.previous, width, style);
    return { lines: this.scrolled?.block === item.block ? lines.slice(this.scrolled.lines) : lines, block: item.block };
  }

  private style(verbose: boolean): ItemStyle {
    const { lexer, highlighter } = this.tools();
    return { lexer, highlighter, verbose };
  }

  private paint(line: Line): string {
    return paint(line, this.theme());
  }
}

/** Characters an item holds, about. */
function sizeOf(item: Item): number {
  return item.kind === "call" ? JSON.stringify(item.call).length : item.text.length;
}

function lastOf<T>(list: readonly T[], count: number): readonly T[] {
  return count > 0 ? list.slice(-count) : [];
}
