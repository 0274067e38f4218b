/** A way to show the conversation with its panel: inline, or on the whole window. */
import type { ViewState } from "../view/view-state.ts";
import type { Size } from "./frame.ts";
import type { Spinner } from "./live-lines.ts";
import type { Screen } from "./screen.ts";

export interface MainView {
  /** Rows a page key scrolls in the panel. */
  readonly page: number;
  /** Takes its part of the terminal, before the first frame. */
  open(): void;
  /** Returns the view without the items it has taken over. `greet` once there is something to greet with. */
  paint(screen: Screen, moment: PaintMoment): ViewState;
  /** Whether the key scrolls what is shown; `free` while no text is typed. */
  scroll(keyName: string, free: boolean): boolean;
  /** The whole window is painted anew next time. */
  redraw(): void;
  /** The pager is gone; what was painted here before is on the screen again where there are two screens. */
  uncovered(): void;
  /** Takes the live part away, for as long as another program has the terminal. */
  leave(): void;
  /** Leaves the terminal for good. */
  close(view: ViewState, moment: PaintMoment): void;
}

export interface PaintMoment {
  readonly size: Size;
  readonly spinner: Spinner;
  /** There is a conversation to greet with. */
  readonly greet: boolean;
  /** What goes behind a frame that shows the open dialog. */
  readonly behind: () => string;
}
