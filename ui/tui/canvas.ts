/** What every way of painting shares: the terminal's size and bytes, the theme, and the tools that load after the first frame. */
import type { Size } from "./frame.ts";
import { createHighlighter, type Highlighter } from "./highlight.ts";
import type { PanelLayout } from "./ink-layout.tsx";
import { defaultKeys, type Keys } from "./keys.ts";
import { type Lexer, loadLexer, markdownLines } from "./markdown.ts";
import { PROMPT_MARK } from "./osc.ts";
import type { OutputStream } from "./outlet.ts";
import { createPainter, type Painter } from "./painter.ts";
import { type Panel, sketchPanel } from "./panel.ts";
import { keyShown, type PlaceAction } from "./place-keys.ts";
import type { Line } from "./spans.ts";
import { terminalSkills } from "./terminal-skills.ts";
import type { Background, Theme, Tone } from "./theme.ts";
import { chooseTheme, type ThemeName } from "./theme-choice.ts";

/** The first keys after the start are shown before the tools are loaded. */
const LOAD_MS = 60;

export class Canvas {
  theme: Theme;
  keys: Keys = defaultKeys;
  readonly highlighter: Highlighter;
  lexer: Lexer | undefined;
  /** Replies wait for the Markdown tools, but not for ever. */
  toolsLoaded = false;
  /** Counts what changes how an item looks: a tool or a grammar that was loaded. */
  looks = 0;
  /** The terminal said that it knows synchronized output. */
  synchronizes = false;
  /** Lets a terminal that knows it jump to a prompt; empty for the others. */
  readonly promptMark: string;
  private layout: PanelLayout | undefined;
  private background: Background | undefined;
  /** The Markdown a dialog shows: laid out once, not with every key that scrolls it. */
  private laidOut: { readonly source: string; readonly look: string; readonly lines: readonly Line[] } | undefined;

  constructor(
    private readonly stdout: OutputStream,
    private env: Readonly<Record<string, string | undefined>>,
    private readonly onChange: () => void,
  ) {
    this.theme = chooseTheme(env, undefined);
    this.promptMark = terminalSkills(env).marks ? PROMPT_MARK : "";
    this.highlighter = createHighlighter(() => {
      this.looks++;
      onChange();
    });
  }

  /** Takes the theme for what is behind the text; returns whether that is another one. */
  follow(background: Background): boolean {
    this.background = background;
    return this.choose();
  }

  /** Takes the theme a person wants; returns whether that is another one. */
  wear(name: ThemeName): boolean {
    this.env = { ...this.env, AURA_THEME: name };
    return this.choose();
  }

  private choose(): boolean {
    const theme = chooseTheme(this.env, this.background);
    if (Object.entries(theme.sgr).every(([tone, codes]) => this.theme.sgr[tone as Tone] === codes)) return false;
    this.theme = theme;
    this.looks++;
    return true;
  }

  /** Loads Ink and the Markdown tools. */
  loadTools(): void {
    const ready = () => {
      this.toolsLoaded = true;
      this.looks++;
      this.onChange();
    };
    // Compiling hundreds of kilobytes must not stand between the first keys and their echo.
    setTimeout(() => {
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
    }, LOAD_MS).unref();
  }

  panelLines(panel: Panel, columns: number): readonly string[] {
    return this.layout?.lines(panel, columns) ?? sketchPanel(panel, columns);
  }

  readonly keyOf = (action: PlaceAction): string => keyShown(action, this.keys.bindings);

  readonly markdown = (source: string, width: number): readonly Line[] => {
    const look = `${width} ${this.looks}`;
    if (this.laidOut?.source !== source || this.laidOut.look !== look)
      this.laidOut = { source, look, lines: markdownLines(source, width, this) };
    return this.laidOut.lines;
  };

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
    return createPainter({
      synchronize: () => this.synchronizes,
      rows: () => this.size().rows,
      write: (bytes) => this.write(bytes),
    });
  }
}
