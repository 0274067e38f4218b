/**
 * The terminal front end. Events fold into a view, keys into a screen; a frame is painted from both when something
 * changed. Here the pieces meet: what comes in (`keyboard.ts`, events), the screen's value (`stage.ts`), when it is
 * painted (`paint-clock.ts`) and onto what (`inline-view.ts`, `pager-view.ts`).
 */
import type { Conversation, FrontEnd } from "../../src/protocol/conversation.ts";
import type { Event } from "../../src/protocol/event.ts";
import type { Intent } from "../../src/protocol/intent.ts";
import { appendHistory, loadHistory } from "../view/history-file.ts";
import { reduce } from "../view/reduce.ts";
import { askCompletion } from "./ask-completion.ts";
import { Canvas } from "./canvas.ts";
import { commandPager } from "./command-pager.ts";
import { DialogFence } from "./dialog-fence.ts";
import { plainText, replaceAll } from "./editor-state.ts";
import { editorWidth, type Size } from "./frame.ts";
import { FullView } from "./full-view.ts";
import { InlineView } from "./inline-view.ts";
import { type Key, READY, type Report, SYNCHRONIZES } from "./key-decoder.ts";
import { Keyboard } from "./keyboard.ts";
import { keyName } from "./keymap.ts";
import { defaultKeys, type Keys } from "./keys.ts";
import { loadKeys } from "./keys-file.ts";
import type { MainView, PaintMoment } from "./main-view.ts";
import { editOutside } from "./outside-editor.ts";
import { withText } from "./pager.ts";
import { PagerView } from "./pager-view.ts";
import { PaintClock, SPINNER_MS } from "./paint-clock.ts";
import { type Effect, press } from "./press.ts";
import { readOutput } from "./read-output.ts";
import { withView } from "./screen.ts";
import { Stage } from "./stage.ts";
import { Surroundings } from "./surroundings.ts";
import { createTerminal, type InputStream, type OutputStream } from "./terminal.ts";
import type { ThemeName } from "./theme-choice.ts";
import { isTiny } from "./tiny-frame.ts";
import { emptyVim } from "./vim.ts";

/** Files of the person at the keyboard. */
export interface TuiFiles {
  /** Where input history is kept; without it history lasts as long as the process. */
  readonly historyFile?: string;
  /** `keys.yaml`, which need not exist. */
  readonly keysFile?: string;
}

export interface TuiOptions extends TuiFiles {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without it AURA_THEME says, or the terminal's background. */
  readonly theme?: ThemeName;
  /** Printed once above the conversation; asked for when there is one. */
  readonly welcome?: () => readonly string[];
  /** The last line, for example how to resume; asked for on the way out. */
  readonly farewell?: () => string | undefined;
  /** What was typed before the screen was there. */
  readonly typedAhead?: readonly Buffer[];
  /** On the alternate screen instead of in the terminal's scrollback; with `mouse` the wheel scrolls it. */
  readonly fullscreen?: { readonly mouse: boolean };
}

/** Whatever is not given stays as it is. */
export interface TuiSettings {
  readonly fullscreen?: boolean;
  /** In fullscreen. */
  readonly mouse?: boolean;
  readonly theme?: ThemeName;
  /** `false` leaves the window's title alone and notifies nobody. */
  readonly notify?: boolean;
}

export interface Tui extends FrontEnd {
  /** Paints the prompt and begins to read keys, before a conversation is there. `run` does it otherwise. */
  open(): void;
  /** What was not known yet when it was created. */
  read(files: TuiFiles): void;
  /** What the configuration says, which is read behind the first frame; before `run`. */
  adopt(settings: TuiSettings): void;
  /** Gives the terminal back when there will be no conversation to run. */
  abandon(): void;
}

/** Who was writing when a dialog appeared is still writing until this long a pause. */
const TYPING_MS = 500;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function createTui(options: TuiOptions): Tui {
  return new TerminalScreen(options);
}

class TerminalScreen implements Tui {
  private readonly clock = new PaintClock(() => this.paint());
  private readonly stage = new Stage(this.clock.soon);
  private readonly keyboard = new Keyboard(
    (keys) => this.onKeys(keys),
    (report) => this.onReport(report),
  );
  private readonly fence = new DialogFence();
  private readonly around;
  private readonly terminal;
  private readonly canvas;
  private main: MainView;
  private readonly pager;
  private conversation: Conversation | undefined;
  /** What was asked for before there was a conversation. */
  private readonly unsent: Intent[] = [];
  private historyFile: string | undefined;
  /** Prompts that were sent before the file was known. */
  private readonly unsaved: string[] = [];
  /** Entries are saved one after the other, and all of them before we leave. */
  private saving: Promise<void> = Promise.resolve();
  private opened = false;
  private finished = false;
  private turnStartedAt: number | undefined;
  private keys = defaultKeys;
  /** Another program has the terminal. */
  private away = false;
  private typedAt = Number.NEGATIVE_INFINITY;
  private readonly quiet = new Set<string>();
  private leave: (exitCode: number) => void = () => undefined;
  private readonly left: Promise<number>;

  constructor(private readonly options: TuiOptions) {
    const env = options.theme === undefined ? options.env : { ...options.env, AURA_THEME: options.theme };
    this.around = new Surroundings(env, (bytes) => this.canvas.write(bytes));
    this.terminal = createTerminal(options.stdin, options.stdout, this.around.modes);
    this.canvas = new Canvas(options.stdout, env, this.clock.soon);
    const { fullscreen } = options;
    this.main = fullscreen === undefined ? new InlineView(this.canvas, this.welcome) : this.fullView(fullscreen.mouse);
    this.pager = new PagerView(this.canvas, this.terminal);
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
    const { stdin, stdout } = this.options;
    this.terminal.take();
    this.main.open();
    this.keyboard.open();
    stdin.on("data", this.keyboard.feed);
    stdin.on("end", this.onHangUp);
    stdin.on("error", this.onHangUp);
    stdout.on("resize", this.clock.soon);
    stdin.resume();
    for (const [signal, handler] of Object.entries(this.signalHandlers)) process.on(signal, handler);
    for (const chunk of this.options.typedAhead ?? []) this.keyboard.feed(chunk);
    this.clock.now();
    this.read(this.options);
  }

  read({ historyFile, keysFile }: TuiFiles): void {
    this.historyFile = historyFile;
    if (keysFile !== undefined) void loadKeys(keysFile).then(this.onKeysFile);
    if (historyFile === undefined) return;
    this.saving = loadHistory(historyFile).then(this.onHistory);
    for (const text of this.unsaved.splice(0)) this.saveHistory(historyFile, text);
  }

  adopt({ fullscreen = false, mouse, theme, notify }: TuiSettings): void {
    if (theme !== undefined && this.canvas.wear(theme)) this.main.redraw();
    if (notify === false) this.around.silence();
    if (this.main instanceof FullView) this.terminal.mouse(mouse ?? true);
    else if (fullscreen) {
      this.main.leave();
      this.main = this.fullView(mouse ?? true);
      this.main.open();
    }
    this.clock.soon();
  }

  private saveHistory(file: string, text: string): void {
    this.saving = this.saving
      .then(() => appendHistory(file, text))
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.stage.flash("warn", `input history is not saved: ${reason}`);
      });
  }

  async run(conversation: Conversation): Promise<{ exitCode: number }> {
    this.open();
    this.conversation = conversation;
    this.canvas.loadTools();
    for (const intent of this.unsent.splice(0)) conversation.send(intent);
    try {
      return { exitCode: await Promise.race([this.left, this.watch(conversation)]) };
    } finally {
      this.close();
      await this.saving;
    }
  }

  abandon(): void {
    if (this.opened) this.close();
  }

  private readonly signalHandlers = {
    SIGTERM: () => this.leave(143),
    SIGHUP: () => this.leave(129),
    // Ctrl+C in an editor that has the terminal is not meant for us.
    SIGINT: () => {
      if (!this.away) this.leave(130);
    },
  };

  private readonly onHangUp = (): void => this.leave(129);

  private async watch(conversation: Conversation): Promise<number> {
    for await (const event of conversation.events()) {
      if (this.finished) return 0;
      this.onEvent(event);
      if (this.stage.screen.view.exiting) return 0;
    }
    return 0;
  }

  private readonly onKeysFile = (keys: Keys): void => {
    this.keys = keys;
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
    const event = told.type === "command-finished" ? this.around.copied(told) : told;
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
      keys: this.keys,
    });
    stage.screen = screen.dialog === undefined ? withView(screen, screen.view) : screen;
    if (screen.editor !== before.editor && key.text !== undefined) this.typedAt = now;
    if (screen.editor.text !== before.editor.text) askCompletion(stage, this.conversation, this.clock.soon);
    else if (screen.editor.cursor !== before.editor.cursor) stage.change({ completion: undefined });
    if (before.armed && !screen.armed) stage.disarm();
    for (const effect of effects) this.perform(effect);
    if (screen.flash !== undefined && screen.flash !== before.flash) stage.fadeFlash();
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case "send":
        if (effect.quiet && effect.intent.type === "command") this.quiet.add(effect.intent.line);
        if (this.conversation === undefined) this.unsent.push(effect.intent);
        else this.conversation.send(effect.intent);
        return;
      case "remember":
        if (this.historyFile === undefined) this.unsaved.push(effect.text);
        else this.saveHistory(this.historyFile, effect.text);
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
        void this.suspend();
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

  private async suspend(): Promise<void> {
    this.pager.close();
    this.main.leave();
    await this.terminal.suspend();
    this.main.redraw();
    this.clock.soon();
  }

  /** The terminal is the editor's until it ends; events go on and are shown afterwards. */
  private async editOutside(): Promise<void> {
    if (this.away) return;
    const { stdin, env } = this.options;
    this.away = true;
    this.pager.close();
    this.main.leave();
    this.terminal.giveBack();
    stdin.pause();
    const { editor } = this.stage.screen;
    const result = await editOutside(plainText(editor), env);
    this.away = false;
    if (this.finished) return;
    this.terminal.take();
    stdin.resume();
    this.main.redraw();
    if (result.kind === "edited") this.stage.change({ editor: replaceAll(editor, result.text) });
    if (result.kind === "failed") this.stage.flash("error", result.problem);
    this.clock.soon();
  }

  /** Whether something moves by itself. */
  private paint(): boolean {
    if (this.away) return false;
    const { stage, canvas } = this;
    const { screen } = stage;
    const size = canvas.size();
    if (screen.pager !== undefined) {
      stage.change({ pager: this.pager.paint(screen.pager, size, screen.view.requests.length) });
      return false;
    }
    if (this.pager.close()) this.main.uncovered();
    if (isTiny(size)) this.fence.forget();
    const view = this.main.paint(screen, this.moment(size));
    stage.change({ view });
    const busy = view.status?.busy === true && screen.dialog === undefined;
    return busy || view.calls.some((call) => call.status === "running");
  }

  private moment(size: Size): PaintMoment {
    const now = performance.now();
    const picture = SPINNER[Math.floor(now / SPINNER_MS) % SPINNER.length] ?? "";
    const elapsed = this.turnStartedAt === undefined ? undefined : now - this.turnStartedAt;
    const asked = () => this.stage.screen.dialog?.request.id;
    return {
      size,
      spinner: { picture, time: Date.now(), elapsed },
      greet: this.conversation !== undefined,
      behind: () => this.fence.behind(asked(), asked),
    };
  }

  /** Leaves what was said in the scrollback and the terminal as it was found. */
  private close(): void {
    if (this.finished) return;
    this.pager.close();
    this.main.close(this.stage.screen.view, this.moment(this.canvas.size()));
    this.finished = true;
    for (const part of [this.clock, this.stage, this.keyboard, this.fence]) part.stop();
    const farewell = this.options.farewell?.();
    if (farewell !== undefined) this.canvas.write(`${farewell}\n`);
    this.terminal.giveBack();
    const { stdin, stdout } = this.options;
    stdin.off("data", this.keyboard.feed);
    stdin.off("end", this.onHangUp);
    stdin.off("error", this.onHangUp);
    stdout.off("resize", this.clock.soon);
    stdin.pause();
    for (const [signal, handler] of Object.entries(this.signalHandlers)) process.off(signal, handler);
  }
}
