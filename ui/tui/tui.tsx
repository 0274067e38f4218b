/**
 * The terminal front end. Events fold into a view, keys into a screen; a frame is painted from both when something
 * changed. Here the pieces meet: what comes in (`keyboard.ts`, events), the screen's value (`stage.ts`), when it is
 * painted (`paint-clock.ts`) and onto what (`inline-view.ts`, `pager-view.ts`).
 */
import type { Conversation } from "../../src/protocol/conversation.ts";
import type { Event } from "../../src/protocol/event.ts";
import type { Intent } from "../../src/protocol/intent.ts";
import { reduce } from "../view/reduce.ts";
import { askCompletion } from "./ask-completion.ts";
import { onOurClock } from "./call-clock.ts";
import { Canvas } from "./canvas.ts";
import { commandPager } from "./command-pager.ts";
import { DialogFence } from "./dialog-fence.ts";
import { plainText, replaceAll } from "./editor-state.ts";
import { Excursions } from "./excursions.ts";
import { editorWidth, type Size } from "./frame.ts";
import { FullView } from "./full-view.ts";
import { HistoryKeeper } from "./history-keeper.ts";
import { Incoming } from "./incoming.ts";
import { InlineView } from "./inline-view.ts";
import { type Key, keyName, READY, type Report, SYNCHRONIZES } from "./key-decoder.ts";
import { Keyboard } from "./keyboard.ts";
import type { Keys } from "./keys.ts";
import { loadKeys } from "./keys-file.ts";
import type { MainView, PaintMoment } from "./main-view.ts";
import { Outlet } from "./outlet.ts";
import { withText } from "./pager.ts";
import { PagerView } from "./pager-view.ts";
import { PaintClock, SPINNER_MS } from "./paint-clock.ts";
import { type Effect, press } from "./press.ts";
import { readOutput } from "./read-output.ts";
import { withView } from "./screen.ts";
import { Stage } from "./stage.ts";
import { Surroundings } from "./surroundings.ts";
import { type CursorShape, createTerminal } from "./terminal.ts";
import { isTiny } from "./tiny-frame.ts";
import type { Tui, TuiFiles, TuiOptions, TuiSettings } from "./tui-options.ts";
import { emptyVim } from "./vim.ts";

/** Who was writing when a dialog appeared is still writing until this long a pause. */
const TYPING_MS = 500;
/** Characters after which somebody means to write a prompt. */
const COMPOSING = 3;
const MAY_CHANGE_SETTINGS: ReadonlySet<Event["type"]> = new Set(["command-finished", "turn-started", "status-changed"]);
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function createTui(options: TuiOptions): Tui {
  return new TerminalScreen(options);
}

class TerminalScreen implements Tui {
  private readonly clock = new PaintClock(() => this.paint());
  private readonly stage = new Stage(this.clock.soon);
  private readonly keyboard;
  private readonly fence = new DialogFence();
  private readonly around;
  private readonly terminal;
  private readonly canvas;
  private main: MainView;
  private readonly pager;
  private readonly outlet;
  private readonly excursions;
  private readonly incoming;
  private conversation: Conversation | undefined;
  /** What was asked for before there was a conversation. */
  private readonly unsent: Intent[] = [];
  private readonly history = new HistoryKeeper((problem) => this.stage.flash("warn", problem));
  private opened = false;
  private finished = false;
  private turnStartedAt: number | undefined;
  private typedAt = Number.NEGATIVE_INFINITY;
  private hasTold = false;
  private readonly quiet = new Set<string>();
  private leave: (exitCode: number) => void = () => undefined;
  private readonly left: Promise<number>;

  constructor(private readonly options: TuiOptions) {
    const env = options.theme === undefined ? options.env : { ...options.env, AURA_THEME: options.theme };
    const { stdin, stdout } = options;
    this.keyboard = new Keyboard(
      (keys) => this.onKeys(keys),
      (report) => this.onReport(report),
      (env["SSH_CONNECTION"] ?? env["SSH_TTY"] ?? "") !== "",
    );
    this.outlet = new Outlet(stdout, this.clock.soon);
    this.around = new Surroundings(env, (bytes) => this.outlet.write(bytes));
    this.terminal = createTerminal(stdin, this.outlet, this.around.modes);
    this.canvas = new Canvas(stdout, env, this.clock.soon);
    const { fullscreen } = options;
    this.main = fullscreen === undefined ? new InlineView(this.canvas, this.welcome) : this.fullView(fullscreen.mouse);
    this.pager = new PagerView(this.canvas, this.terminal);
    this.excursions = new Excursions({
      terminal: this.terminal,
      outlet: this.outlet,
      stdin,
      env: options.env,
      leave: () => {
        this.pager.close();
        this.main.leave();
      },
      back: () => {
        this.main.redraw();
        this.clock.soon();
      },
    });
    this.incoming = new Incoming({
      stdin,
      stdout,
      onBytes: this.keyboard.feed,
      onResize: this.clock.soon,
      // Ctrl+C in an editor that has the terminal is not meant for us.
      onEnd: (exitCode, byInterrupt) => {
        if (!(byInterrupt && this.excursions.isAway)) this.leave(exitCode);
      },
    });
    this.left = new Promise((resolve) => {
      this.leave = resolve;
    });
  }

  private readonly welcome = (): readonly string[] => this.options.welcome?.() ?? [];

  private fullView(mouse: boolean): FullView {
    return new FullView(this.canvas, this.terminal, this.welcome, mouse);
  }

  open(): void {
    if (this.opened) return;
    this.opened = true;
    this.outlet.open();
    this.terminal.take();
    this.main.open();
    this.keyboard.open();
    this.incoming.open();
    for (const chunk of this.options.typedAhead ?? []) this.keyboard.feed(chunk);
    this.clock.now();
    this.read(this.options);
  }

  read({ historyFile, keysFile }: TuiFiles): void {
    if (keysFile !== undefined) void loadKeys(keysFile).then(this.onKeysFile);
    if (historyFile !== undefined) this.history.open(historyFile, this.onHistory);
  }

  adopt({ fullscreen = false, ...live }: TuiSettings): void {
    this.follow(live);
    if (this.main instanceof FullView) this.terminal.mouse(live.mouse ?? true);
    else if (fullscreen) {
      if (this.opened) this.main.leave();
      this.main = this.fullView(live.mouse ?? true);
      if (this.opened) this.main.open();
    }
    if (this.opened) this.clock.soon();
  }

  /** What may change at any time. */
  private follow({ mouse, theme, notify }: TuiSettings): void {
    if (theme !== undefined) {
      this.around.wear(theme);
      if (this.canvas.wear(theme) && this.opened) {
        this.main.redraw();
        this.clock.soon();
      }
    }
    if (notify !== undefined) this.around.notify(notify);
    if (mouse !== undefined && this.main instanceof FullView) this.terminal.mouse(mouse);
  }

  async run(conversation: Conversation): Promise<{ exitCode: number }> {
    this.open();
    this.conversation = conversation;
    this.canvas.loadTools();
    for (const intent of this.unsent.splice(0)) conversation.send(intent);
    try {
      return { exitCode: await Promise.race([this.left, this.watch(conversation)]) };
    } finally {
      await this.close();
      await this.history.saved();
    }
  }

  abandon(): void {
    if (this.opened) void this.close();
  }

  private async watch(conversation: Conversation): Promise<number> {
    for await (const event of conversation.events()) {
      if (this.finished) return 0;
      this.onEvent(event);
      if (this.stage.screen.view.exiting) return 0;
    }
    return 0;
  }

  private readonly onKeysFile = (keys: Keys): void => {
    this.canvas.keys = keys;
    const [first = "", ...more] = keys.problems;
    if (keys.mode === "vim") this.stage.change({ vim: emptyVim });
    this.stage.flash("error", more.length > 0 ? `${first} (${more.length} more: /help keys)` : first);
  };

  private readonly onHistory = (entries: readonly string[]): void => {
    const { history } = this.stage.screen;
    this.stage.change({ history: { ...history, entries: [...entries, ...history.entries] } });
    this.clock.soon(); // what is typed already may have a ghost now
  };

  private onEvent(told: Event): void {
    const { stage } = this;
    const event =
      told.type === "command-finished"
        ? this.around.copied(told)
        : onOurClock(told, stage.screen.view.calls, performance.now());
    if (event.type === "turn-started") this.turnStartedAt = performance.now();
    if (event.type === "turn-finished") this.turnStartedAt = undefined;
    if (event.type === "command-finished" && this.quiet.delete(event.line) && !event.text?.trim().includes("\n")) {
      stage.flash(event.failed ? "error" : "info", event.text?.trim() ?? "");
      return;
    }
    stage.screen = withView(stage.screen, reduce(stage.screen.view, event));
    if (event.type === "command-finished") {
      const pager = commandPager(event, this.canvas.size().rows - 6);
      if (pager !== undefined) stage.change({ pager });
    }
    if (MAY_CHANGE_SETTINGS.has(event.type)) this.follow(this.options.settings?.() ?? {});
    this.around.saw(event, stage.screen.view);
    this.clock.afterEvent(event.type);
  }

  private onReport(report: Report): void {
    const background = this.around.heard(report);
    if (background === undefined || !this.canvas.follow(background)) return;
    this.main.redraw();
    this.clock.soon();
  }

  private onKeys(keys: readonly Key[]): void {
    for (const key of keys) {
      if (this.finished) return;
      this.onKey(key);
    }
    if (keys.some(({ name }) => name !== READY && name !== SYNCHRONIZES)) this.clock.forKey();
    else if (keys.length > 0) this.clock.soon();
  }

  private onKey(key: Key): void {
    if (key.name === READY) {
      this.fence.answered();
      return;
    }
    if (key.name === SYNCHRONIZES) {
      this.canvas.synchronizes = true;
      return;
    }
    this.around.pressed();
    const { stage } = this;
    const before = stage.screen;
    const now = performance.now();
    const request = before.dialog?.request.id;
    const stillTyping = key.text !== undefined && before.editor.text !== "" && now - this.typedAt < TYPING_MS;
    const dialogSeen = request !== undefined && this.fence.isSeen(request) && !stillTyping;
    const size = this.canvas.size();
    const above = before.pager === undefined && !(before.dialog !== undefined && dialogSeen);
    if (above && this.main.scroll(keyName(key), before.editor.text === "")) return;
    const { screen, effects } = press(before, key, {
      width: editorWidth(size),
      page: before.pager ? size.rows - 4 : this.main.page,
      dialogSeen,
      keys: this.canvas.keys,
    });
    stage.screen = screen.dialog === undefined ? withView(screen, screen.view) : screen;
    if (screen.editor !== before.editor && key.text !== undefined) this.typedAt = now;
    if (screen.editor.text !== before.editor.text) {
      askCompletion(stage, this.conversation, this.clock.soon);
      this.tellComposing(screen.editor.text);
    } else if (screen.editor.cursor !== before.editor.cursor) stage.change({ completion: undefined });
    if (before.armed !== undefined && screen.armed === undefined) stage.disarm();
    for (const effect of effects) this.perform(effect);
    if (screen.flash !== undefined && screen.flash !== before.flash) stage.fadeFlash();
  }

  /** Once: the engine may load what the first request needs while the person is still writing it. */
  private tellComposing(text: string): void {
    if (this.hasTold || this.conversation === undefined || text.length < COMPOSING || text.startsWith("/")) return;
    this.hasTold = true;
    this.conversation.send({ type: "composing" });
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case "send":
        if (effect.quiet && effect.intent.type === "command") this.quiet.add(effect.intent.line);
        if (this.conversation === undefined) this.unsent.push(effect.intent);
        else this.conversation.send(effect.intent);
        return;
      case "remember":
        this.history.add(effect.text);
        return;
      case "read-output":
        void this.showFile(effect.file);
        return;
      case "arm":
        this.stage.arm();
        return;
      case "redraw":
        this.main.redraw();
        return;
      case "suspend":
        void this.excursions.suspend();
        return;
      case "edit-outside":
        void this.editOutside();
        return;
      case "quit":
        this.leave(0);
        return;
    }
  }

  /** The pager that shows a part of an output gets the whole of it. */
  private async showFile(file: string): Promise<void> {
    const { pager } = this.stage.screen;
    const text = await readOutput(file);
    const now = this.stage.screen.pager;
    if (now === undefined || now.title !== pager?.title) return;
    this.stage.change({ pager: withText(now, text ?? `${now.whole}\n\n(the whole output was in ${file})`) });
    this.clock.soon();
  }

  private async editOutside(): Promise<void> {
    const { editor } = this.stage.screen;
    const result = await this.excursions.edit(plainText(editor), () => !this.finished);
    if (result?.kind === "edited") this.stage.change({ editor: replaceAll(editor, result.text) });
    if (result?.kind === "failed") this.stage.flash("error", result.problem);
    this.clock.soon();
  }

  /** Whether something moves by itself. */
  private paint(): boolean {
    // A terminal that is behind gets the next frame when it has caught up.
    if (this.excursions.isAway || this.outlet.isBehind) return false;
    const { stage, canvas } = this;
    const { screen } = stage;
    const size = canvas.size();
    if (screen.pager !== undefined) {
      stage.change({ pager: this.pager.paint(screen.pager, size, screen.view.requests.length) });
      return false;
    }
    if (this.pager.close()) this.main.uncovered();
    if (isTiny(size)) this.fence.forget();
    this.terminal.cursor(this.cursorShape());
    const view = this.main.paint(screen, this.moment(size));
    stage.change({ view });
    const busy = view.status?.busy === true && screen.dialog === undefined;
    return busy || view.calls.some((call) => call.status === "running");
  }

  private cursorShape(): CursorShape {
    const { vim, dialog } = this.stage.screen;
    if (vim === undefined || !this.around.skills.sequences) return "own";
    return vim.mode === "normal" && dialog === undefined ? "block" : "bar";
  }

  private moment(size: Size): PaintMoment {
    const now = performance.now();
    const picture = SPINNER[Math.floor(now / SPINNER_MS) % SPINNER.length] ?? "";
    const elapsed = this.turnStartedAt === undefined ? undefined : now - this.turnStartedAt;
    const asked = () => this.stage.screen.dialog?.request.id;
    return {
      size,
      spinner: { picture, time: now, elapsed },
      greet: this.conversation !== undefined,
      behind: () => this.fence.behind(asked(), asked),
    };
  }

  /** Leaves what was said in the scrollback and the terminal as it was found. */
  private async close(): Promise<void> {
    if (this.finished) return;
    this.pager.close();
    this.main.close(this.stage.screen.view, this.moment(this.canvas.size()));
    this.finished = true;
    for (const part of [this.clock, this.stage, this.keyboard, this.fence]) part.stop();
    const farewell = this.options.farewell?.();
    if (farewell !== undefined) this.canvas.write(`${farewell}\n`);
    this.terminal.giveBack();
    this.incoming.close();
    await this.outlet.close();
  }
}
