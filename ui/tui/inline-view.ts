/**
 * The conversation in the terminal's own scrollback: finished items are printed once, only what still moves and the
 * panel below are painted again.
 */
import { dropFinished } from "../view/reduce.ts";
import type { ViewState } from "../view/view-state.ts";
import type { Canvas } from "./canvas.ts";
import { panelView, type Size } from "./frame.ts";
import type { MainView, PaintMoment } from "./main-view.ts";
import type { Frame, Painter } from "./painter.ts";
import { panelCaret } from "./panel.ts";
import type { Screen } from "./screen.ts";
import { isTiny, tinyFrame } from "./tiny-frame.ts";
import { Transcript } from "./transcript.ts";

export class InlineView implements MainView {
  page = 1;
  private readonly painter: Painter;
  private readonly transcript: Transcript;
  /** What the window was like when it was painted last; undefined when it has to be painted anew. */
  private shown: { readonly size: Size; readonly verbose: boolean } | undefined;
  private clears = 0;
  private greeted = false;

  constructor(
    private readonly canvas: Canvas,
    welcome: () => readonly string[],
  ) {
    this.painter = canvas.newPainter();
    this.transcript = new Transcript(
      () => canvas.theme,
      () => canvas,
      welcome,
      canvas.promptMark,
    );
  }

  open(): void {}

  paint(screen: Screen, moment: PaintMoment): ViewState {
    const { canvas } = this;
    const { size } = moment;
    const verbose = screen.view.status?.verbose ?? false;
    if (isTiny(size)) {
      if (!this.isAsBefore(size, verbose)) this.painter.restart();
      this.shown = { size, verbose };
      this.painter.paint([], tinyFrame(screen, size, moment.spinner));
      return screen.view;
    }
    const { panel, page } = panelView(screen, size, canvas);
    this.page = page;
    const lines = canvas.panelLines(panel, size.columns);
    const room = size.rows - 1 - lines.length;
    const scrollback = this.startOver(screen.view, size, room, verbose, moment.greet);
    let { view } = screen;
    // Printed for good, so replies wait for the Markdown tools.
    if (canvas.toolsLoaded || !view.finished.some((item) => item.kind === "reply")) {
      scrollback.push(...this.transcript.print(view.finished, size.columns, verbose));
      view = dropFinished(view);
    }
    const live = this.transcript.live(view, size.columns, room, moment.spinner);
    const caret = panelCaret(panel);
    const frame: Frame = {
      lines: [...live.lines, ...lines],
      caret: caret === undefined ? undefined : { row: live.lines.length + caret.row, column: caret.column },
    };
    this.painter.paint([...scrollback, ...live.scrolled], frame, moment.behind());
    return view;
  }

  /** The terminal scrolls its own. */
  scroll(): boolean {
    return false;
  }

  redraw(): void {
    this.shown = undefined;
  }

  uncovered(): void {}

  leave(): void {
    this.painter.leave();
  }

  /** Leaves what was said in the scrollback. */
  close(view: ViewState, { size, spinner }: PaintMoment): void {
    const verbose = view.status?.verbose ?? false;
    const last = this.transcript.print(view.finished, size.columns, verbose);
    const calm = { ...view, status: view.status && { ...view.status, busy: false } };
    const live = this.transcript.live(calm, size.columns, size.rows - 2, spinner);
    this.painter.paint([...last, ...live.scrolled, ...live.lines], { lines: [], caret: { row: 0, column: 0 } });
    this.painter.leave();
  }

  /** What has to be printed again: the greeting once, the newest items after the window changed its shape. */
  private startOver(view: ViewState, size: Size, room: number, verbose: boolean, greet: boolean): string[] {
    const before = this.shown;
    const same = this.isAsBefore(size, verbose);
    this.shown = { size, verbose };
    if (view.clears !== this.clears) {
      this.clears = view.clears;
      this.transcript.clear();
      this.painter.restart();
      return [];
    }
    // Terminals re-wrap or cut what is on the screen when they shrink, each in its own way.
    if (!same && (before !== undefined || this.greeted)) this.painter.restart();
    if (!this.greeted) {
      this.greeted = greet;
      return greet ? this.transcript.greeting(size.columns) : [];
    }
    return same ? [] : [...this.transcript.redraw(size.columns, room, verbose)];
  }

  /** A window that only became higher still shows what it showed. */
  private isAsBefore(size: Size, verbose: boolean): boolean {
    const { shown } = this;
    if (shown === undefined || isTiny(shown.size) !== isTiny(size)) return false;
    return shown.verbose === verbose && shown.size.columns === size.columns && shown.size.rows <= size.rows;
  }
}
