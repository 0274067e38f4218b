/** A terminal with node:readline: editing, history with Up and Down, Tab. Output appears above the line being typed. */
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import type { Readable } from "node:stream";
import { Writable } from "node:stream";
import { neutralise } from "../../src/text/neutralise.ts";
import { completeLine } from "./completions.ts";
import type { LineInput, LineListener, Purpose } from "./line-input.ts";

const HISTORY_ENTRIES = 1_000;
/** Stands for a line break in an entry that readline shows on one line. */
const BREAK = "⏎";

export interface Screen extends NodeJS.WritableStream {
  readonly columns?: number;
  readonly rows?: number;
}

/** `write` puts what is told onto `stdout`. */
export function createReadlineLines(stdin: Readable, stdout: Screen, write: (text: string) => void): LineInput {
  return new ReadlineLines(stdin, stdout, write);
}

class ReadlineLines implements LineInput {
  readonly isTerminal = true;
  #reader: Interface | undefined;
  #listener: LineListener | undefined;
  #prompt = "";
  #purpose: Purpose = "prompt";
  #draft = "";
  #typedAt = 0;
  #mute = false;
  #history: string[] = [];
  #came: string[] = [];
  #delivery: NodeJS.Immediate | undefined;
  /** Keys of this reading. */
  #keys = 0;
  #redraw: NodeJS.Immediate | undefined;

  constructor(
    private readonly stdin: Readable,
    private readonly stdout: Screen,
    private readonly write: (text: string) => void,
  ) {}

  get typing() {
    return this.#reader?.line ? { at: this.#typedAt } : undefined;
  }

  start(listener: LineListener): void {
    this.#listener = listener;
    const reader = createInterface({
      input: this.stdin,
      output: mutable(this.stdout, () => this.#mute),
      terminal: true,
      historySize: HISTORY_ENTRIES,
      history: this.#history,
      completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
        void this.#complete(line).then((found) => done(null, found));
      },
    });
    this.#reader = reader;
    this.stdin.on("keypress", this.#onKey);
    reader.on("line", (line) => this.#onLine(line));
    // Only prompts are for Up and Down to bring back.
    reader.on("history", (entries) => {
      if (this.#purpose !== "prompt") entries.shift();
      this.#history = entries;
    });
    reader.on("SIGINT", () => this.#onInterrupt());
    // readline stays paused after Ctrl+Z and fg until it is asked for a line again.
    reader.on("SIGCONT", () => reader.prompt(true));
    reader.on("close", () => {
      this.#reader = undefined;
      this.#listener?.end();
    });
    this.stdin.on("error", listener.hangUp);
  }

  ask(prompt: string, purpose: Purpose): void {
    const reader = this.#reader;
    if (reader === undefined || (this.#purpose === purpose && this.#prompt === prompt)) return;
    if (this.#purpose !== purpose) {
      if (this.#purpose === "prompt") this.#draft = reader.line;
      this.#purpose = purpose;
      this.#replace(purpose === "prompt" ? this.#draft : "");
      if (purpose === "prompt") this.#draft = "";
    }
    this.#mute = false;
    this.#prompt = prompt;
    reader.setPrompt(prompt);
    reader.prompt(true);
    this.#mute = purpose === "secret";
  }

  rest(prompt: string): void {
    this.ask(prompt, "prompt");
  }

  print(text: string): void {
    const reader = this.#reader;
    if (reader === undefined) {
      this.write(text);
      return;
    }
    const { rows } = reader.getCursorPos();
    moveCursor(this.stdout, 0, -rows);
    cursorTo(this.stdout, 0);
    clearScreenDown(this.stdout);
    // readline goes up as many rows as its cursor was down before it draws.
    this.write(text);
    this.stdout.write("\n".repeat(rows));
    const hidden = this.#mute;
    this.#mute = false;
    if (hidden) this.stdout.write(this.#prompt);
    else reader.prompt(true);
    this.#mute = hidden;
  }

  remember(entries: readonly string[]): void {
    const newest = entries
      .slice(-HISTORY_ENTRIES)
      .map((entry) => neutralise(entry).replaceAll("\n", BREAK))
      .reverse();
    this.#history.splice(0, this.#history.length, ...newest);
  }

  close(): void {
    clearImmediate(this.#delivery);
    clearImmediate(this.#redraw);
    this.#listener = undefined;
    this.stdin.off("keypress", this.#onKey);
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) return;
    moveCursor(this.stdout, 0, -reader.getCursorPos().rows);
    cursorTo(this.stdout, 0);
    clearScreenDown(this.stdout);
    reader.close();
  }

  readonly #onKey = (): void => {
    this.#typedAt = performance.now();
    this.#keys++;
    this.#redraw ??= setImmediate(() => {
      this.#redraw = undefined;
      if (this.#keys > 1) this.#drawAnew();
      this.#keys = 0;
    });
  };

  /**
   * Keys that come together readline (Node 22 to 24) only writes behind each other: it neither moves what stands behind
   * them nor knows on which row it is then. `prevRows` is that row, undocumented.
   */
  #drawAnew(): void {
    const reader = this.#reader as (Interface & { prevRows?: number }) | undefined;
    if (reader === undefined || this.#mute || reader.line === "") return;
    reader.prevRows = reader.getCursorPos().rows;
    reader.prompt(true);
  }

  /** Lines of one reading belong together: several are a paste. */
  #onLine(line: string): void {
    if (this.#mute) this.stdout.write("\n");
    this.#came.push(line.replaceAll(BREAK, "\n"));
    this.#delivery ??= setImmediate(() => {
      this.#delivery = undefined;
      const [first = "", ...more] = this.#came.splice(0);
      if (more.length === 0) this.#listener?.line(first);
      else this.#listener?.pasted([first, ...more]);
      this.#reader?.prompt(true);
    });
  }

  #onInterrupt(): void {
    if (this.#reader?.line) this.#replace("");
    else this.#listener?.interrupt();
  }

  #replace(text: string): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    reader.write(null, { ctrl: true, name: "e" });
    reader.write(null, { ctrl: true, name: "u" });
    if (text !== "") reader.write(text);
  }

  async #complete(line: string): Promise<[string[], string]> {
    if (this.#purpose !== "prompt" || this.#listener === undefined) return [[], line];
    const { rest, choices } = completeLine(line, await this.#listener.suggest(line, line.length));
    if (choices.length > 0) this.print(choices.map((choice) => `${neutralise(choice)}\n`).join(""));
    return [rest === "" ? [] : [line + rest], line];
  }
}

/** readline's view of the screen: the same size, and silent while a secret is typed. */
function mutable(screen: Screen, isMute: () => boolean): NodeJS.WritableStream {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMute()) screen.write(chunk);
      done();
    },
  });
  Object.defineProperty(stream, "columns", { get: () => screen.columns ?? 80 });
  screen.on("resize", () => stream.emit("resize"));
  return stream;
}
