/** Shows the pager on the alternate screen, above whatever was there. */
import type { Canvas } from "./canvas.ts";
import type { Size } from "./frame.ts";
import type { PagerState } from "./pager.ts";
import { createPagerLayout, pagerFrame } from "./pager-frame.ts";
import type { Painter } from "./painter.ts";
import type { Terminal } from "./terminal.ts";

export class PagerView {
  private readonly layOut = createPagerLayout();
  private painter: Painter | undefined;
  private size: Size | undefined;

  constructor(
    private readonly canvas: Canvas,
    private readonly terminal: Terminal,
  ) {}

  /** The pager, scrolled no further than its text is long. `waiting` questions wait behind it. */
  paint(pager: PagerState, size: Size, waiting: number): PagerState {
    const { canvas } = this;
    if (this.painter === undefined) {
      this.terminal.alternate(true);
      this.painter = canvas.newPainter();
      this.size = undefined;
    }
    if (this.size?.columns !== size.columns || this.size.rows !== size.rows) this.painter.restart();
    this.size = size;
    const layout = this.layOut(pager, size.columns, canvas.highlighter, canvas.looks);
    const look = { theme: canvas.theme, bindings: canvas.keys.bindings };
    const { pager: settled, ...frame } = pagerFrame(pager, layout, size, waiting, look);
    this.painter.paint([], frame);
    return settled;
  }

  /** Whether it was there. */
  close(): boolean {
    if (this.painter === undefined) return false;
    this.painter = undefined;
    this.terminal.alternate(false);
    this.canvas.write("\x1b[?25h");
    return true;
  }
}
