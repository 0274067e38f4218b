/** What every way of painting shares: the terminal's size and bytes, the theme, and the tools that load after the first frame. */
import type { Size } from "./frame.ts";
import { createHighlighter, type Highlighter } from "./highlight.ts";
import type { PanelLayout } from "./ink-layout.tsx";
import { type Lexer, loadLexer } from "./markdown.ts";
import { createPainter, type Painter } from "./painter.ts";
import { type Panel, sketchPanel } from "./panel.ts";
import type { OutputStream } from "./terminal.ts";
import { colourDepth, createTheme, type Theme } from "./theme.ts";

export class Canvas {
  readonly theme: Theme;
  readonly highlighter: Highlighter;
  lexer: Lexer | undefined;
  /** Replies wait for the Markdown tools, but not for ever. */
  toolsLoaded = false;
  private layout: PanelLayout | undefined;

  constructor(
    private readonly stdout: OutputStream,
    private readonly env: Readonly<Record<string, string | undefined>>,
    private readonly onChange: () => void,
  ) {
    this.theme = createTheme(colourDepth(env));
    this.highlighter = createHighlighter(onChange);
  }

  /** Loads Ink and the Markdown tools. */
  loadTools(): void {
    const ready = () => {
      this.toolsLoaded = true;
      this.onChange();
    };
    // The first frame must be on its way before hundreds of kilobytes are compiled.
    setImmediate(() => {
      import("./ink-layout.tsx")
        .then(({ createInkLayout }) => {
          this.layout = createInkLayout();
          this.onChange();
          return loadLexer();
        })
        .then((lexer) => {
          this.lexer = lexer;
        })
        .then(ready, ready);
    });
  }

  panelLines(panel: Panel, columns: number): readonly string[] {
    return this.layout?.lines(panel, columns) ?? sketchPanel(panel, columns);
  }

  size(): Size {
    const { columns, rows } = this.stdout;
    return {
      columns: columns !== undefined && columns > 0 ? columns : 80,
      rows: rows !== undefined && rows > 0 ? rows : 24,
    };
  }

  write(bytes: string): void {
    this.stdout.write(bytes);
  }

  newPainter(): Painter {
    const synchronize = this.env["TERM"] !== "dumb" && this.env["TERM"] !== "linux";
    return createPainter({ synchronize, rows: () => this.size().rows, write: (bytes) => this.write(bytes) });
  }
}
