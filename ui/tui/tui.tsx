/**
 * The terminal front end. Events fold into a view, keys into a screen; a frame is painted from both when something
 * changed, at most every 50 ms for streamed text. Ink and the Markdown tools load after the first paint.
 */
import type { Conversation, FrontEnd } from "../../src/protocol/conversation.ts";
import type { Event } from "../../src/protocol/event.ts";
import type { Intent } from "../../src/protocol/intent.ts";
import { dropFinished, reduce } from "../view/reduce.ts";
import { plainText } from "./editor-state.ts";
import { editorWidth, MIN_SIZE, panelView, type Size } from "./frame.ts";
import { createHighlighter } from "./highlight.ts";
import { appendHistory, loadHistory } from "./history-file.ts";
import type { PanelLayout } from "./ink-layout.tsx";
import { ASK_READY, createKeyDecoder, type Key, READY } from "./key-decoder.ts";
import { type Lexer, loadLexer } from "./markdown.ts";
import { createPagerLayout, openPager, pagerFrame } from "./pager.ts";
import { createPainter, type Frame } from "./painter.ts";
import { panelCaret, sketchPanel } from "./panel.ts";
import { type Effect, press } from "./press.ts";
import { emptyScreen, type Screen, withView } from "./screen.ts";
import { createTerminal, type InputStream, type OutputStream } from "./terminal.ts";
import { colourDepth, createTheme } from "./theme.ts";
import { type Spinner, Transcript } from "./transcript.ts";

export interface TuiOptions {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where input history is kept; without it history lasts as long as the process. */
  readonly historyFile?: string;
  /** Printed once above the conversation; asked for when there is one. */
  readonly welcome?: () => readonly string[];
  /** The last line, for example how to resume; asked for on the way out. */
  readonly farewell?: () => string | undefined;
  /** What was typed before the screen was there. */
  readonly typedAhead?: readonly Buffer[];
}

export interface Tui extends FrontEnd {
  /** Paints the prompt and begins to read keys, before a conversation is there. `run` does it otherwise. */
  open(): void;
  /** Gives the terminal back when there will be no conversation to run. */
  abandon(): void;
}

const STREAM_MS = 50;
const SPINNER_MS = 125;
const FLASH_MS = 5_000;
const ARMED_MS = 2_000;
/** Who was writing when a dialog appeared is still writing until this long a pause. */
const TYPING_MS = 500;
/** Enter typed before raw mode arrives as a line feed. */
const TYPED_AHEAD_MS = 100;
/** A dialog is taken as seen after this long at the latest. */
const FENCE_MS = 1_000;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function createTui(options: TuiOptions): Tui {
  return new TerminalScreen(options);
}

class TerminalScreen implements Tui {
  private readonly theme;
  private readonly terminal;
  private readonly painter;
  private readonly decoder = createKeyDecoder();
  private readonly transcript;
  private readonly highlighter = createHighlighter(() => this.paintSoon());
  private readonly pagerLines = createPagerLayout();
  private lexer: Lexer | undefined;
  private toolsLoaded = false;
  private layout: PanelLayout | undefined;
  private conversation: Conversation | undefined;
  /** What was asked for before there was a conversation. */
  private readonly unsent: Intent[] = [];
  private screen: Screen = emptyScreen;
  private size: Size | undefined;
  private clears = 0;
  private greeted = false;
  private opened = false;
  private finished = false;
  private openedAt = 0;
  private turnStartedAt: number | undefined;
  /** The request whose dialog a person can have seen. */
  private seenRequest: string | undefined;
  /** Requests whose dialog was painted and whose fence the terminal has not answered, oldest first. */
  private fences: string[] = [];
  private fenceTimer: NodeJS.Timeout | undefined;
  private typedAt = Number.NEGATIVE_INFINITY;
  private quiet = new Set<string>();
  private paged: ReturnType<typeof createPainter> | undefined;
  private page = 1;
  private lastPaint = Number.NEGATIVE_INFINITY;
  private paintCost = 0;
  private immediate: NodeJS.Immediate | undefined;
  private later: NodeJS.Timeout | undefined;
  private spin: NodeJS.Timeout | undefined;
  private flashTimer: NodeJS.Timeout | undefined;
  private armTimer: NodeJS.Timeout | undefined;
  private keyTimer: NodeJS.Timeout | undefined;
  private leave: (exitCode: number) => void = () => undefined;
  private readonly left: Promise<number>;

  constructor(private readonly options: TuiOptions) {
    this.theme = createTheme(colourDepth(options.env));
    this.terminal = createTerminal(options.stdin, options.stdout);
    this.transcript = new Transcript(
      this.theme,
      () => ({ lexer: this.lexer, highlighter: this.highlighter }),
      options.welcome ?? (() => []),
    );
    this.painter = this.newPainter();
    this.left = new Promise((resolve) => {
      this.leave = resolve;
    });
  }

  open(): void {
    if (this.opened) return;
    this.opened = true;
    this.openedAt = performance.now();
    const { stdin, stdout } = this.options;
    this.terminal.take();
    stdin.on("data", this.onData);
    stdin.on("end", this.onHangUp);
    stdin.on("error", this.onHangUp);
    stdout.on("resize", this.paintSoon);
    stdin.resume();
    for (const [signal, handler] of Object.entries(this.signalHandlers)) process.on(signal, handler);
    for (const chunk of this.options.typedAhead ?? []) this.onData(chunk);
    this.paint();
    this.loadTools();
    const { historyFile } = this.options;
    if (historyFile !== undefined) void loadHistory(historyFile).then(this.onHistory);
  }

  async run(conversation: Conversation): Promise<{ exitCode: number }> {
    this.open();
    this.conversation = conversation;
    for (const intent of this.unsent.splice(0)) conversation.send(intent);
    try {
      return { exitCode: await Promise.race([this.left, this.watch(conversation)]) };
    } finally {
      this.close();
    }
  }

  abandon(): void {
    if (this.opened) this.close();
  }

  private readonly signalHandlers = {
    SIGTERM: () => this.leave(143),
    SIGHUP: () => this.leave(129),
    SIGINT: () => this.leave(130),
  };

  private async watch(conversation: Conversation): Promise<number> {
    for await (const event of conversation.events()) {
      if (this.finished) return 0;
      this.onEvent(event);
      if (this.screen.view.exiting) return 0;
    }
    return 0;
  }

  private loadTools(): void {
    const ready = () => {
      this.toolsLoaded = true;
      this.paintSoon();
    };
    // The first frame must be on its way before hundreds of kilobytes are compiled.
    setImmediate(() => {
      import("./ink-layout.tsx")
        .then(({ createInkLayout }) => {
          this.layout = createInkLayout();
          this.paintSoon();
          return loadLexer();
        })
        .then((lexer) => {
          this.lexer = lexer;
        })
        .then(ready, ready);
    });
  }

  private readonly onHistory = (entries: readonly string[]): void => {
    const { history } = this.screen;
    this.screen = { ...this.screen, history: { ...history, entries: [...entries, ...history.entries] } };
  };

  // ---- what comes in

  private onEvent(event: Event): void {
    if (event.type === "turn-started") this.turnStartedAt = performance.now();
    if (event.type === "turn-finished") this.turnStartedAt = undefined;
    if (event.type === "command-finished" && this.quiet.delete(event.line) && !event.text?.trim().includes("\n")) {
      this.flash(event.failed ? "error" : "info", event.text?.trim() ?? "");
      return;
    }
    this.screen = withView(this.screen, reduce(this.screen.view, event));
    if (event.type === "command-finished" && (event.text?.split("\n").length ?? 0) > this.currentSize().rows - 6) {
      this.screen = { ...this.screen, pager: openPager("Command output", event.text ?? "") };
    }
    if (event.type === "reply-grew" || event.type === "call-printed" || event.type === "status-changed")
      this.paintLater();
    else this.paintLater(event.type === "request-opened" ? 0 : STREAM_MS / 2);
  }

  private readonly onData = (chunk: Buffer): void => {
    const typedAhead = performance.now() - this.openedAt < TYPED_AHEAD_MS && !chunk.includes(0x1b);
    const bytes = typedAhead ? Buffer.from(chunk.map((byte) => (byte === 0x0a ? 0x0d : byte))) : chunk;
    this.onKeys(this.decoder.feed(bytes));
    clearTimeout(this.keyTimer);
    const wait = this.decoder.waits();
    if (wait !== undefined) this.keyTimer = setTimeout(() => this.onKeys(this.decoder.expire()), wait);
  };

  private onKeys(keys: readonly Key[]): void {
    for (const key of keys) {
      if (this.finished) return;
      this.onKey(key);
    }
    if (keys.length > 0) this.paintSoon();
  }

  private onKey(key: Key): void {
    if (key.name === READY) {
      this.seenRequest = this.fences.shift() ?? this.seenRequest;
      return;
    }
    const before = this.screen;
    const now = performance.now();
    const request = before.dialog?.request.id;
    const stillTyping = key.text !== undefined && before.editor.text !== "" && now - this.typedAt < TYPING_MS;
    const dialogSeen = request !== undefined && request === this.seenRequest && !stillTyping;
    const size = this.currentSize();
    const { screen, effects } = press(before, key, {
      width: editorWidth(size),
      page: before.pager ? size.rows - 4 : this.page,
      dialogSeen,
    });
    this.screen = screen.dialog === undefined ? withView(screen, screen.view) : screen;
    if (screen.editor !== before.editor) {
      if (key.text !== undefined) this.typedAt = now;
      this.suggest();
    }
    if (before.armed && !screen.armed) clearTimeout(this.armTimer);
    for (const effect of effects) this.perform(effect);
    if (screen.flash !== undefined && screen.flash !== before.flash) this.fadeFlash();
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case "send":
        if (effect.quiet && effect.intent.type === "command") this.quiet.add(effect.intent.line);
        if (this.conversation === undefined) this.unsent.push(effect.intent);
        else this.conversation.send(effect.intent);
        return;
      case "remember":
        if (this.options.historyFile !== undefined) {
          appendHistory(this.options.historyFile, effect.text).catch((error: unknown) => {
            this.flash("warn", `input history is not saved: ${error instanceof Error ? error.message : String(error)}`);
          });
        }
        return;
      case "arm":
        this.armTimer = setTimeout(() => {
          this.screen = { ...this.screen, armed: false, flash: undefined };
          this.paintSoon();
        }, ARMED_MS);
        return;
      case "redraw":
        this.size = undefined;
        return;
      case "suspend":
        void this.suspend();
        return;
      case "quit":
        this.leave(0);
        return;
    }
  }

  private suggest(): void {
    const { editor } = this.screen;
    const line = plainText(editor);
    const wanted = line.startsWith("/") || /(^|\s)@\S*$/.test(line.slice(0, editor.cursor));
    if (!wanted || editor.pastes.length > 0 || this.conversation === undefined) return;
    const { cursor } = editor;
    this.conversation.suggest(line, cursor).then(
      ([best]) => {
        if (plainText(this.screen.editor) !== line || this.screen.editor.cursor !== cursor) return;
        this.screen = { ...this.screen, suggestion: best === undefined ? undefined : { line, cursor, best } };
        this.paintSoon();
      },
      () => undefined,
    );
  }

  private flash(level: "info" | "warn" | "error", text: string): void {
    if (text === "") return;
    this.screen = { ...this.screen, flash: { level, text } };
    this.fadeFlash();
    this.paintSoon();
  }

  /** Information and warnings go by themselves, errors stay until the next input. */
  private fadeFlash(): void {
    clearTimeout(this.flashTimer);
    const { flash } = this.screen;
    if (flash === undefined || flash.level === "error") return;
    this.flashTimer = setTimeout(() => {
      if (this.screen.flash !== flash) return;
      this.screen = { ...this.screen, flash: undefined };
      this.paintSoon();
    }, FLASH_MS);
  }

  private async suspend(): Promise<void> {
    this.closePager();
    this.painter.leave();
    await this.terminal.suspend();
    this.size = undefined;
    this.paintSoon();
  }

  private readonly onHangUp = (): void => this.leave(129);

  // ---- what goes out

  private readonly paintSoon = (): void => {
    this.immediate ??= setImmediate(() => this.paint());
  };

  /** Streamed text waits for company; a frame that was expensive makes the next one wait longer. */
  private paintLater(ms = STREAM_MS): void {
    if (this.immediate !== undefined || this.later !== undefined) return;
    const due = this.lastPaint + Math.max(ms, 4 * this.paintCost) - performance.now();
    if (due <= 0) this.paintSoon();
    else this.later = setTimeout(() => this.paint(), due);
  }

  private paint(): void {
    clearImmediate(this.immediate);
    clearTimeout(this.later);
    clearTimeout(this.spin);
    this.immediate = undefined;
    this.later = undefined;
    if (this.finished) return;
    const started = performance.now();
    const size = this.currentSize();
    if (this.screen.pager !== undefined) this.paintPager(this.screen.pager, size);
    else {
      this.closePager();
      this.paintMain(size);
    }
    this.lastPaint = performance.now();
    this.paintCost = this.lastPaint - started;
    if (this.animates()) this.spin = setTimeout(() => this.paint(), SPINNER_MS);
  }

  private paintMain(size: Size): void {
    if (size.columns < MIN_SIZE.columns || size.rows < MIN_SIZE.rows) {
      this.size = undefined;
      this.painter.restart();
      this.painter.paint([], { lines: ["aura: enlarge the window".slice(0, size.columns)], caret: undefined });
      return;
    }
    const { view } = this.screen;
    const verbose = view.status?.verbose ?? false;
    const { panel, page } = panelView(this.screen, size, this.theme, this.highlighter);
    this.page = page;
    const lines = this.layout?.lines(panel, size.columns) ?? sketchPanel(panel, size.columns);
    const room = size.rows - 1 - lines.length;
    const scrollback = this.startOver(size, room, verbose);
    // Printed for good, so replies wait for the Markdown tools.
    if (this.toolsLoaded || !view.finished.some((item) => item.kind === "reply")) {
      scrollback.push(...this.transcript.print(view.finished, size.columns, verbose));
      this.screen = { ...this.screen, view: dropFinished(view) };
    }
    const live = this.transcript.live(view, size.columns, room, this.spinner());
    const caret = panelCaret(panel);
    const frame: Frame = {
      lines: [...live.lines, ...lines],
      caret: caret === undefined ? undefined : { row: live.lines.length + caret.row, column: caret.column },
    };
    this.painter.paint([...scrollback, ...live.scrolled], frame, this.fence(this.screen.dialog?.request.id));
  }

  /** What has to be printed again: the greeting once, the newest items after the window changed its shape. */
  private startOver(size: Size, room: number, verbose: boolean): string[] {
    const before = this.size;
    this.size = size;
    if (!this.greeted && this.conversation) {
      this.greeted = true;
      return this.transcript.greeting(size.columns);
    }
    if (this.screen.view.clears !== this.clears) {
      this.clears = this.screen.view.clears;
      this.transcript.clear();
      this.painter.restart();
      return [];
    }
    if (before !== undefined && before.columns === size.columns && before.rows <= size.rows) return [];
    // Terminals re-wrap or cut what is on the screen when they shrink, each in its own way.
    this.painter.restart();
    return [...this.transcript.redraw(size.columns, room, verbose)];
  }

  /**
   * A dialog counts as seen from the terminal's answer to a question asked right behind its frame: in the stream of
   * input, keys before that answer were pressed before the dialog was there, however slow the line is.
   */
  private fence(request: string | undefined): string {
    if (request === undefined || request === this.seenRequest || this.fences.includes(request)) return "";
    this.fences.push(request);
    clearTimeout(this.fenceTimer);
    // For a terminal that does not answer.
    this.fenceTimer = setTimeout(() => {
      this.fences = [];
      this.seenRequest = this.screen.dialog?.request.id;
    }, FENCE_MS);
    return ASK_READY;
  }

  private paintPager(pager: NonNullable<Screen["pager"]>, size: Size): void {
    if (this.paged === undefined) {
      this.options.stdout.write("\x1b[?1049h");
      this.paged = this.newPainter();
      this.paged.restart();
    }
    const lines = this.pagerLines(pager, size.columns);
    const { top, ...frame } = pagerFrame(pager, lines, size.columns, size.rows, this.theme);
    this.screen = { ...this.screen, pager: { ...pager, scroll: { top } } };
    this.paged.restart();
    this.paged.paint([], frame);
  }

  private closePager(): void {
    if (this.paged === undefined) return;
    this.paged = undefined;
    this.options.stdout.write("\x1b[?1049l\x1b[?25h");
  }

  private animates(): boolean {
    const { view, pager, dialog } = this.screen;
    if (pager !== undefined) return false;
    return view.calls.some((call) => call.status === "running") || (view.status?.busy === true && dialog === undefined);
  }

  private spinner(): Spinner {
    const now = performance.now();
    const picture = SPINNER[Math.floor(now / SPINNER_MS) % SPINNER.length] ?? "";
    return { picture, elapsed: this.turnStartedAt === undefined ? undefined : now - this.turnStartedAt };
  }

  private newPainter() {
    const { stdout, env } = this.options;
    const synchronize = env["TERM"] !== "dumb" && env["TERM"] !== "linux";
    return createPainter({
      synchronize,
      rows: () => this.currentSize().rows,
      write: (bytes) => void stdout.write(bytes),
    });
  }

  private currentSize(): Size {
    const { columns, rows } = this.options.stdout;
    return {
      columns: columns !== undefined && columns > 0 ? columns : 80,
      rows: rows !== undefined && rows > 0 ? rows : 24,
    };
  }

  /** Leaves what was said in the scrollback and the terminal as it was found. */
  private close(): void {
    if (this.finished) return;
    this.closePager();
    const size = this.currentSize();
    const { view } = this.screen;
    const verbose = view.status?.verbose ?? false;
    const last = this.transcript.print(view.finished, size.columns, verbose);
    const calm = { ...view, status: view.status && { ...view.status, busy: false } };
    const live = this.transcript.live(calm, size.columns, size.rows - 2, this.spinner());
    this.painter.paint([...last, ...live.scrolled, ...live.lines], { lines: [], caret: { row: 0, column: 0 } });
    this.painter.leave();
    this.finished = true;
    for (const timer of [this.later, this.spin, this.flashTimer, this.armTimer, this.keyTimer, this.fenceTimer])
      clearTimeout(timer);
    clearImmediate(this.immediate);
    const farewell = this.options.farewell?.();
    if (farewell !== undefined) this.options.stdout.write(`${farewell}\n`);
    this.terminal.giveBack();
    const { stdin, stdout } = this.options;
    stdin.off("data", this.onData);
    stdin.off("end", this.onHangUp);
    stdin.off("error", this.onHangUp);
    stdout.off("resize", this.paintSoon);
    stdin.pause();
    for (const [signal, handler] of Object.entries(this.signalHandlers)) process.off(signal, handler);
  }
}
