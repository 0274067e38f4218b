/**
 * Ink as a layout engine: it draws the panel on a stand-in terminal and we take the finished frame, which the painter
 * then compares with what is on the real one. In debug mode Ink writes each frame at once and without cursor movement,
 * so a frame costs well under a millisecond instead of a throttled rewrite, and nothing but the painter ever touches
 * the terminal, its modes or its input.
 */
import { EventEmitter } from "node:events";
import { render } from "ink";
import { App } from "./app.tsx";
import { boxRow, type Panel } from "./panel.ts";

export interface PanelLayout {
  /** The panel's lines, each at most `columns` wide. */
  lines(panel: Panel, columns: number): readonly string[];
}

export function createInkLayout(): PanelLayout {
  const terminal = new StandInTerminal();
  const stdin = new StandInInput();
  let shown: { panel: Panel; columns: number } | undefined;
  let lines: readonly string[] = [];
  let rerender: ((panel: Panel, columns: number) => void) | undefined;

  const mount = (panel: Panel, columns: number) => {
    const instance = render(<App panel={panel} columns={columns} />, {
      // Ink uses of its streams only what the stand-ins have.
      stdout: terminal as unknown as NodeJS.WriteStream,
      stderr: terminal as unknown as NodeJS.WriteStream,
      stdin: stdin as unknown as NodeJS.ReadStream,
      debug: true,
      interactive: true,
      patchConsole: false,
      exitOnCtrlC: false,
    });
    rerender = (next, width) => instance.rerender(<App panel={next} columns={width} />);
  };

  return {
    lines(panel, columns) {
      if (shown?.panel === panel && shown.columns === columns) return lines;
      if (shown?.columns === columns && sameShape(shown.panel, panel)) {
        lines = redrawn(lines, shown.panel, panel, columns);
        shown = { panel, columns };
        return lines;
      }
      shown = { panel, columns };
      terminal.columns = columns;
      if (rerender === undefined) mount(panel, columns);
      else rerender(panel, columns);
      lines = terminal.frame.split("\n");
      return lines;
    },
  };
}

/** Whether every row of one panel stands where the other has it. */
function sameShape(a: Panel, b: Panel): boolean {
  return (
    a.above.length === b.above.length &&
    a.box.title === b.box.title &&
    a.box.lines.length === b.box.lines.length &&
    a.below.length === b.below.length
  );
}

/** The rows of `panel` in the places Ink gave those of `before`: a key changes a row, and rarely where it stands. */
function redrawn(lines: readonly string[], before: Panel, panel: Panel, columns: number): readonly string[] {
  const inside = panel.above.length + 1 + (panel.box.title === undefined ? 0 : 1);
  const behind = inside + panel.box.lines.length + 1;
  const next = [...lines];
  panel.above.forEach((line, at) => {
    if (line !== before.above[at]) next[at] = line;
  });
  panel.box.lines.forEach((line, at) => {
    if (line !== before.box.lines[at]) next[inside + at] = boxRow(line, columns);
  });
  panel.below.forEach((line, at) => {
    if (line !== before.below[at]) next[behind + at] = line;
  });
  return next;
}

class StandInTerminal extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  columns = 80;
  /** Higher than any panel, so that Ink never thinks of clearing. */
  readonly rows = 10_000;
  frame = "";

  write(frame: string, done?: unknown): boolean {
    this.frame = frame;
    if (typeof done === "function") done();
    return true;
  }
}

class StandInInput extends EventEmitter {
  readonly isTTY = false;
  setEncoding(): void {}
  ref(): void {}
  unref(): void {}
  resume(): void {}
  pause(): void {}
  read(): null {
    return null;
  }
}
