/** Shows the pager on the alternate screen, above whatever was there. */
import type { Canvas } from "./canvas.ts";
import type { Size } from "./frame.ts";
import { createPagerLayout, type PagerState, pagerFrame } from "./pager.ts";
import type { Painter } from "./painter.ts";

export class PagerView {
  private readonly lines = createPagerLayout();
  private painter: Painter | undefined;

  constructor(private readonly canvas: Canvas) {}

  /** The pager, scrolled no further than its text is long. */
  paint(pager: PagerState, size: Size): PagerState {
    if (this.painter === undefined) {
      this.canvas.write("\x1b[?1049h");
      this.painter = this.canvas.newPainter();
    }
    const { top, ...frame } = pagerFrame(
      pager,
      this.lines(pager, size.columns),
      size.columns,
      size.rows,
      this.canvas.theme,
    );
    this.painter.restart();
    this.painter.paint([], frame);
    return { ...pager, scroll: { top } };
  }

  close(): void {
    if (this.painter === undefined) return;
    this.painter = undefined;
    this.canvas.write("\x1b[?1049l\x1b[?25h");
  }
}
