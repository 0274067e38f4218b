/**
 * The conversation on the alternate screen, scrolled by us. Only the lines in the window are laid out, from items on
 * disk, so a frame and the memory are the same after ten items and after ten thousand.
 */
import { neutralise } from "../../src/text/neutralise.ts";
import { dropFinished } from "../view/reduce.ts";
import type { Item, ViewState } from "../view/view-state.ts";
import type { Canvas } from "./canvas.ts";
import { panelView, type Size } from "./frame.ts";
import { ItemSpool } from "./item-spool.ts";
import { activityLines, liveReply } from "./live-lines.ts";
import type { MainView, PaintMoment } from "./main-view.ts";
import type { Painter } from "./painter.ts";
import { panelCaret } from "./panel.ts";
import { markPrompt } from "./prompt-mark.ts";
import { type ItemStyle, renderItem } from "./render-item.ts";
import type { Screen } from "./screen.ts";
import { clipLine, type Line, paint, span, wrapLine } from "./spans.ts";
import type { Terminal } from "./terminal.ts";
import { isTiny, tinyFrame } from "./tiny-frame.ts";

const WHEEL_ROWS = 3;
/** Items whose lines are kept; more than a window shows. */
const CACHED_ITEMS = 300;
const CACHED_LINES = 3_000;

/** Rows that the shell's prompt and how to go on take below the last answer. */
const LAST_LINES = 4;

/** The first line of the window: a line of an item, or of what moves behind the last one. */
interface Anchor {
  readonly item: number;
  readonly line: number;
}

export class FullView implements MainView {
  page = 1;
  private readonly painter: Painter;
  private readonly spool = new ItemSpool();
  private cache = new Map<number, readonly string[]>();
  private cachedLines = 0;
  /** What the cached lines are for. */
  private look = "";
  private style: ItemStyle;
  private columns = 80;
  private rows = 1;
  private size: Size | undefined;
  private clears = 0;
  private live: readonly string[] = [];
  /** Where a reader stopped; undefined follows the end. */
  private top: Anchor | undefined;
  /** First line of the newest frame. */
  private shownTop: Anchor = { item: 0, line: 0 };

  constructor(
    private readonly canvas: Canvas,
    private readonly terminal: Terminal,
    private readonly welcome: () => readonly string[],
    private readonly mouse: boolean,
  ) {
    this.painter = canvas.newPainter();
    this.style = { lexer: undefined, highlighter: canvas.highlighter, verbose: false };
  }

  open(): void {
    this.terminal.alternate(true);
    this.terminal.mouse(this.mouse);
  }

  paint(screen: Screen, moment: PaintMoment): ViewState {
    const { size } = moment;
    if (this.size?.columns !== size.columns || this.size.rows !== size.rows) this.painter.restart();
    this.size = size;
    const view = this.takeOver(screen.view);
    if (isTiny(size)) {
      this.painter.paint([], tinyFrame(screen, size, moment.spinner));
      return view;
    }
    const { canvas } = this;
    const { panel, page } = panelView(screen, size, canvas);
    const below = canvas.panelLines(panel, size.columns);
    this.page = page;
    this.rows = size.rows - below.length;
    this.setLook(size.columns, view.status?.verbose ?? false);
    this.live = this.liveLines(view, moment);
    const lines = this.window();
    const caret = panelCaret(panel);
    this.painter.paint(
      [],
      {
        lines: [...lines, ...below],
        caret: caret === undefined ? undefined : { row: lines.length + caret.row, column: caret.column },
        scrolls: lines.length,
      },
      moment.behind(),
    );
    return view;
  }

  scroll(keyName: string, free: boolean): boolean {
    switch (keyName) {
      case "pageup":
        this.move(-Math.max(1, this.rows - 2));
        return true;
      case "pagedown":
        this.move(Math.max(1, this.rows - 2));
        return true;
      case "wheelup":
        this.move(-WHEEL_ROWS);
        return true;
      case "wheeldown":
        this.move(WHEEL_ROWS);
        return true;
      case "home":
        if (free) this.top = { item: 0, line: 0 };
        return free;
      case "end":
        if (free) this.top = undefined;
        return free;
      default:
        return false;
    }
  }

  redraw(): void {
    this.size = undefined;
  }

  uncovered(): void {
    this.size = undefined;
  }

  leave(): void {
    this.size = undefined;
  }

  /** The window is the shell's again, with the last answer left in it: that is what people stayed for. */
  close(view: ViewState, { size }: PaintMoment): void {
    const reply = liveReply(view);
    this.takeOver(reply === undefined ? view : { ...view, finished: [...view.finished, reply] });
    this.setLook(size.columns, false);
    const lines = this.lastAnswer(size.rows);
    this.spool.close();
    this.terminal.mouse(false);
    this.terminal.alternate(false);
    if (lines.length > 0) this.canvas.write(`${lines.join("\r\n")}\r\n`);
  }

  /** The newest prompt that was answered, and the end of its answer, in fewer lines than the window has. */
  private lastAnswer(rows: number): string[] {
    let end = this.spool.length;
    while (end > 0 && this.spool.kindAt(end - 1) !== "reply") end--;
    if (end === 0) return [];
    let begin = end - 1;
    while (begin > 0 && this.spool.kindAt(begin - 1) === "reply") begin--;
    let prompt = begin;
    while (prompt >= 0 && this.spool.kindAt(prompt) !== "prompt") prompt--;
    const answer = Array.from({ length: end - begin }, (_, at) => this.linesOf(begin + at)).flat();
    const asked = prompt < 0 ? [] : this.linesOf(prompt).slice(0, 3);
    const room = Math.max(1, rows - asked.length - LAST_LINES);
    const cut = answer.length > room;
    const kept = cut ? answer.slice(answer.length - room) : answer;
    return [...asked, ...(cut ? ["…"] : []), ...kept];
  }

  private takeOver(view: ViewState): ViewState {
    if (view.clears !== this.clears) {
      this.clears = view.clears;
      this.spool.clear();
      this.top = undefined;
      this.look = "";
    }
    this.spool.add(view.finished);
    return dropFinished(view);
  }

  /** Lines are laid out anew when the width, what is folded, or a grammar that was loaded changes how they look. */
  private setLook(columns: number, verbose: boolean): void {
    const look = `${columns} ${verbose} ${this.canvas.looks}`;
    if (look === this.look) return;
    const { lexer, highlighter } = this.canvas;
    this.look = look;
    this.columns = columns;
    this.style = { lexer, highlighter, verbose };
    this.cache = new Map();
    this.cachedLines = 0;
  }

  /** The lines of the transcript in the window, from the anchor on or up to the end. */
  private window(): string[] {
    if (this.top !== undefined) {
      const shown = this.down(this.top, this.rows - 1);
      if (!shown.atEnd) {
        this.shownTop = this.top;
        const note = paint(
          clipLine([span("↓ more below (end, or the wheel)", "notice")], this.columns),
          this.canvas.theme,
        );
        return [...shown.lines, note];
      }
      this.top = undefined;
    }
    this.shownTop = this.up({ item: this.spool.length, line: this.live.length }, this.rows);
    const { lines } = this.down(this.shownTop, this.rows);
    return [...lines, ...Array<string>(this.rows - lines.length).fill("")];
  }

  private move(by: number): void {
    const from = this.top ?? this.shownTop;
    this.top = by < 0 ? this.up(from, -by) : this.down(from, by).next;
  }

  /** `count` lines further up, as far as there are any. */
  private up(from: Anchor, count: number): Anchor {
    let { item, line } = from;
    line -= count;
    while (line < 0 && item > 0) {
      item--;
      line += this.linesOf(item).length;
    }
    return { item, line: Math.max(0, line) };
  }

  private down(from: Anchor, count: number): { lines: string[]; next: Anchor; atEnd: boolean } {
    const lines: string[] = [];
    let { item, line } = from;
    while (lines.length < count && item <= this.spool.length) {
      const part = this.linesOf(item).slice(line, line + count - lines.length);
      lines.push(...part);
      line += part.length;
      if (line < this.linesOf(item).length || item === this.spool.length) break;
      item++;
      line = 0;
    }
    const atEnd = item === this.spool.length && line >= this.live.length;
    return { lines, next: { item, line }, atEnd };
  }

  private linesOf(index: number): readonly string[] {
    if (index >= this.spool.length) return this.live;
    const known = this.cache.get(index);
    if (known !== undefined) return known;
    const greeting = index === 0 ? this.greeting() : [];
    const item = this.spool.at(index);
    const rendered = renderItem(item, this.previous(index), this.columns, this.style);
    const lines = [...this.painted(greeting), ...markPrompt(item, this.painted(rendered), this.canvas.promptMark)];
    if (this.cache.size >= CACHED_ITEMS || this.cachedLines > CACHED_LINES) {
      this.cache.clear();
      this.cachedLines = 0;
    }
    this.cache.set(index, lines);
    this.cachedLines += lines.length;
    return lines;
  }

  /** The kind of what stands above an item. */
  private previous(index: number): Item["kind"] | undefined {
    return index > 0 ? this.spool.kindAt(index - 1) : this.greeting().length > 0 ? "bookmark" : undefined;
  }

  private painted(lines: readonly Line[]): string[] {
    return lines.map((line) => paint(line, this.canvas.theme));
  }

  private greeting(): Line[] {
    return this.welcome().flatMap((line) => wrapLine([span(neutralise(line), "faint")], this.columns));
  }

  private liveLines(view: ViewState, { spinner, greet }: PaintMoment): string[] {
    const reply = liveReply(view);
    const above = this.previous(this.spool.length);
    const greeting = this.spool.length === 0 && greet ? this.greeting() : [];
    const lines = [
      ...greeting,
      ...(reply === undefined ? [] : renderItem(reply, above, this.columns, this.style)),
      ...activityLines(view, reply === undefined ? above : "reply", this.columns, this.style, spinner),
    ];
    return this.painted(lines);
  }
}
