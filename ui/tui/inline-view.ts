/**
 * The conversation in the terminal's own scrollback: finished items are printed once, only what still moves and the
 * panel below are painted again.
 */
import { dropFinished } from "../view/reduce.ts";
import type { ViewState } from "../view/view-state.ts";
import type { Canvas } from "./canvas.ts";
import { MIN_SIZE, panelView, type Size } from "./frame.ts";
import type { Frame, Painter } from "./painter.ts";
import { panelCaret } from "./panel.ts";
import type { Screen } from "./screen.ts";
import { type Spinner, Transcript } from "./transcript.ts";

export class InlineView {
  /** Rows a page key scrolls. */
  page = 1;
  private readonly painter: Painter;
  private readonly transcript: Transcript;
  private size: Size | undefined;
  private clears = 0;
  private greeted = false;

  constructor(
    private readonly canvas: Canvas,
    welcome: () => readonly string[],
  ) {
    this.painter = canvas.newPainter();
    this.transcript = new Transcript(canvas.theme, () => canvas, welcome);
  }

  /** Returns the view without what was printed. `greet` once there is something to greet with; `behind` follows. */
  paint(screen: Screen, size: Size, spinner: Spinner, greet: boolean, behind: () => string): ViewState {
    if (size.columns < MIN_SIZE.columns || size.rows < MIN_SIZE.rows) {
      this.size = undefined;
      this.painter.restart();
      this.painter.paint([], { lines: ["aura: enlarge the window".slice(0, size.columns)], caret: undefined });
      return screen.view;
    }
    const { canvas } = this;
    const verbose = screen.view.status?.verbose ?? false;
    const { panel, page } = panelView(screen, size, canvas.theme, canvas.highlighter);
    this.page = page;
    const lines = canvas.panelLines(panel, size.columns);
    const room = size.rows - 1 - lines.length;
    const scrollback = this.startOver(screen.view, size, room, verbose, greet);
    let { view } = screen;
    // Printed for good, so replies wait for the Markdown tools.
    if (canvas.toolsLoaded || !view.finished.some((item) => item.kind === "reply")) {
      scrollback.push(...this.transcript.print(view.finished, size.columns, verbose));
      view = dropFinished(view);
    }
    const live = this.transcript.live(view, size.columns, room, spinner);
    const caret = panelCaret(panel);
    const frame: Frame = {
      lines: [...live.lines, ...lines],
      caret: caret === undefined ? undefined : { row: live.lines.length + caret.row, column: caret.column },
    };
    this.painter.paint([...scrollback, ...live.scrolled], frame, behind());
    return view;
  }

  /** The whole window is painted anew next time. */
  redraw(): void {
    this.size = undefined;
  }

  /** Takes the live part away, for as long as another program has the terminal. */
  leave(): void {
    this.painter.leave();
  }

  /** Leaves what was said in the scrollback. */
  close(view: ViewState, size: Size, spinner: Spinner): void {
    const verbose = view.status?.verbose ?? false;
    const last = this.transcript.print(view.finished, size.columns, verbose);
    const calm = { ...view, status: view.status && { ...view.status, busy: false } };
    const live = this.transcript.live(calm, size.columns, size.rows - 2, spinner);
    this.painter.paint([...last, ...live.scrolled, ...live.lines], { lines: [], caret: { row: 0, column: 0 } });
    this.painter.leave();
  }

  /** What has to be printed again: the greeting once, the newest items after the window changed its shape. */
  private startOver(view: ViewState, size: Size, room: number, verbose: boolean, greet: boolean): string[] {
    const before = this.size;
    this.size = size;
    if (!this.greeted && greet) {
      this.greeted = true;
      return this.transcript.greeting(size.columns);
    }
    if (view.clears !== this.clears) {
      this.clears = view.clears;
      this.transcript.clear();
      this.painter.restart();
      return [];
    }
    if (!this.greeted) return [];
    if (before !== undefined && before.columns === size.columns && before.rows <= size.rows) return [];
    // Terminals re-wrap or cut what is on the screen when they shrink, each in its own way.
    this.painter.restart();
    return [...this.transcript.redraw(size.columns, room, verbose)];
  }
}
