/**
 * The front end without a screen: events become lines that are only ever appended, typed lines become prompts,
 * commands and answers. One for ears (`--accessible`), one for a plain terminal or a pipe (`--simple`, aura 19.8).
 */
import type { Conversation, FrontEnd } from "../../src/protocol/conversation.ts";
import type { Event } from "../../src/protocol/event.ts";
import type { Intent } from "../../src/protocol/intent.ts";
import type { Request } from "../../src/protocol/request.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { EXIT_CODES } from "../view/exit-codes.ts";
import { appendHistory, loadHistory } from "../view/history-file.ts";
import { type Asking, ask, dismissal, hear } from "./asking.ts";
import { type Line, line, linesOf, type Manner, paintLines } from "./line.ts";
import type { LineInput, LineListener } from "./line-input.ts";
import { promptLine, restLine } from "./prompt-line.ts";
import { RunningWords } from "./running-words.ts";
import { newTelling, type Telling, tell } from "./tell.ts";

export interface SimpleOptions {
  readonly manner: Manner;
  readonly input: LineInput;
  readonly coloured: boolean;
  /** Where input history is kept; without it history lasts as long as the process. */
  readonly historyFile?: string;
  /** Printed first. */
  readonly welcome?: readonly string[];
  /** The last line, for example how to resume; asked for on the way out. */
  readonly farewell?: () => string | undefined;
  /** A prompt or command sent at the start, as if it had been typed. */
  readonly firstPrompt?: string;
  /** Aborted when a signal asks us to stop. */
  readonly stop: AbortSignal;
}

/** Who was writing when a question came is not heard as its answer: it opens this long after it was told… */
const SETTLE_MS = 300;
/** …and after this long a pause of the keys. */
const TYPING_MS = 500;
const HISTORY_ENTRIES = 1_000;

export function createSimple(options: SimpleOptions): FrontEnd {
  return { run: (conversation) => new SimpleRun(options, conversation).run() };
}

class SimpleRun implements LineListener {
  private telling;
  private readonly requests: Request[] = [];
  private asking: { readonly id: string; readonly now: Asking; readonly open: boolean } | undefined;
  private settle: NodeJS.Timeout | undefined;
  /** A turn runs, or a prompt was sent that will start one. */
  private turn = false;
  /** The newest line of the tool that runs. */
  private doing: string | undefined;
  private readonly running = new RunningWords((text) => {
    this.put([line(neutralise(text), "faint")]);
    this.wait();
  });
  /** How the last thing that failed ended; what a script that gives us lines wants to know. */
  private failure = 0;
  /** Commands that have not come to an end. */
  private commands = 0;
  /** Lines of a prompt that goes on. */
  private written: string[] = [];
  private history: readonly string[] = [];
  /** Entries are saved one after the other, and all of them before we leave. */
  private saving: Promise<void> = Promise.resolve();
  /** Ctrl+C was pressed with nothing to cancel. */
  private armed = false;
  private leave: (exitCode: number) => void = () => undefined;
  private readonly left: Promise<number>;

  constructor(
    private readonly options: SimpleOptions,
    private readonly conversation: Conversation,
  ) {
    this.telling = newTelling(options.manner);
    this.left = new Promise((resolve) => {
      this.leave = resolve;
    });
  }

  async run(): Promise<{ exitCode: number }> {
    const { input, historyFile, stop } = this.options;
    if (historyFile !== undefined) this.recall(await loadHistory(historyFile));
    const stopped = () => this.leave(0);
    stop.addEventListener("abort", stopped, { once: true });
    input.start(this);
    try {
      this.put((this.options.welcome ?? []).flatMap((text) => linesOf(neutralise(text), "faint")));
      const exitCode = stop.aborted ? 0 : await Promise.race([this.left, this.watch()]);
      return { exitCode: exitCode === 0 && !input.isTerminal ? this.failure : exitCode };
    } finally {
      clearTimeout(this.settle);
      this.running.forget();
      stop.removeEventListener("abort", stopped);
      await this.saving;
      input.close();
      const farewell = this.options.farewell?.();
      if (farewell !== undefined) input.print(`${farewell}\n`);
    }
  }

  private async watch(): Promise<number> {
    for await (const event of this.conversation.events()) {
      this.onEvent(event);
      if (event.type === "exit-requested" || event.type === "closed") return 0;
      this.wait();
    }
    return 0;
  }

  // ---- what is told

  private onEvent(event: Event): void {
    const { state, lines } = tell(this.telling, event);
    this.telling = state;
    this.put(lines);
    if (this.options.manner === "accessible") this.listen(event, lines.length > 0);
    this.doing = doingAfter(event, this.telling) ?? (isStep(event) ? undefined : this.doing);
    switch (event.type) {
      case "opened":
        this.put(this.hints());
        this.requests.push(...event.pending);
        this.turn = event.status.busy;
        this.begin();
        break;
      case "turn-started":
        this.turn = true;
        break;
      case "turn-finished":
        this.turn = state.queue.length > 0;
        this.failure = EXIT_CODES[event.reason] || this.failure;
        if (!this.turn) this.ring();
        break;
      case "command-finished":
        this.commands = Math.max(0, this.commands - 1);
        if (event.failed) this.failure = EXIT_CODES.failed;
        if (event.startsTurn) this.turn = true;
        break;
      case "request-opened":
        this.requests.push(event.request);
        this.ring();
        break;
      case "request-closed":
        this.onClosed(event.requestId, event.how);
        break;
    }
    if (this.asking === undefined) this.askNext();
  }

  private listen(event: Event, told: boolean): void {
    const says = doingAfter(event, this.telling);
    if (told) this.running.broken();
    if (says !== undefined) this.running.printed(says);
    else if (isStep(event)) this.running.forget();
  }

  private begin(): void {
    const { firstPrompt } = this.options;
    if (firstPrompt === undefined) return;
    if (firstPrompt.startsWith("/")) {
      this.commands++;
      return this.conversation.send({ type: "command", line: firstPrompt });
    }
    this.turn = true;
    this.conversation.send({ type: "prompt", text: firstPrompt });
  }

  private hints(): Line[] {
    if (!this.options.input.isTerminal) return [];
    const text =
      this.options.manner === "accessible"
        ? "Type a request and Enter, or /help. Ctrl+C cancels, Ctrl+D leaves. /output reads the last tool's output."
        : "enter sends • \\ at the end goes on • tab completes • ctrl+c cancels • ctrl+d leaves • /help • /output";
    return [line(text, "faint")];
  }

  private put(lines: readonly Line[]): void {
    if (lines.length > 0) this.options.input.print(paintLines(lines, this.options.coloured));
  }

  private ring(): void {
    if (this.options.input.isTerminal) this.options.input.print("\x07");
  }

  // ---- what is asked

  private askNext(): void {
    const request = this.requests[0];
    if (request === undefined) return;
    const { asking, lines } = ask(request, this.options.manner, this.requests.length);
    this.put(lines);
    this.asking = { id: request.id, now: asking, open: !this.options.input.isTerminal };
    if (!this.asking.open) this.openSoon(SETTLE_MS);
  }

  /** Keys that were meant for the prompt go there until the question can have been noticed. */
  private openSoon(ms: number): void {
    clearTimeout(this.settle);
    this.settle = setTimeout(() => {
      if (this.asking === undefined) return;
      const { typing } = this.options.input;
      const quiet = typing === undefined ? TYPING_MS : performance.now() - typing.at;
      if (quiet < TYPING_MS) return this.openSoon(TYPING_MS - quiet);
      this.asking = { ...this.asking, open: true };
      this.wait();
    }, ms);
  }

  private onClosed(requestId: string, how: "answered" | "withdrawn"): void {
    const at = this.requests.findIndex((request) => request.id === requestId);
    if (at < 0) return;
    this.requests.splice(at, 1);
    if (this.asking?.id !== requestId) return;
    this.asking = undefined;
    this.put([line(how === "answered" ? "It was answered elsewhere." : "The question was withdrawn.", "warn")]);
  }

  private answer(typed: string): void {
    const { asking } = this;
    if (asking === undefined) return;
    const heard = hear(asking.now, typed);
    this.put(heard.lines);
    if (heard.asking !== undefined) this.asking = { ...asking, now: heard.asking };
    if (heard.answer !== undefined) this.settleRequest(asking.id, heard.answer);
  }

  private dismiss(asking: NonNullable<SimpleRun["asking"]>): void {
    this.put([
      line(
        asking.now.kind === "approval"
          ? "Denied."
          : asking.now.kind === "review"
            ? "Not approved."
            : "Left without an answer.",
        "warn",
      ),
    ]);
    this.settleRequest(asking.id, dismissal(asking.now));
  }

  /** Gone at once, so that a second line cannot answer twice; `request-closed` follows. */
  private settleRequest(requestId: string, answer: Extract<Intent, { type: "answer" }>["answer"]): void {
    this.asking = undefined;
    const at = this.requests.findIndex((request) => request.id === requestId);
    if (at >= 0) this.requests.splice(at, 1);
    this.conversation.send({ type: "answer", requestId, answer });
    this.askNext();
  }

  /** Waits for what is typed next: an answer, a prompt, or nothing. */
  private wait(): void {
    const { input, manner } = this.options;
    const { asking } = this;
    if (asking?.open) {
      const secret = asking.now.kind === "question" && asking.now.secret;
      input.ask(asking.now.prompt, secret ? "secret" : "answer");
    } else if (asking !== undefined || this.isBusy()) input.rest(restLine(this.doing, manner));
    else input.ask(this.written.length > 0 ? "... " : promptLine(this.telling.status, manner), "prompt");
  }

  private isBusy(): boolean {
    return this.turn || this.commands > 0;
  }

  // ---- what is typed

  line(text: string): void {
    this.armed = false;
    if (this.asking?.open) {
      this.echo(this.asking.now.kind === "question" && this.asking.now.secret ? "(hidden)" : text);
      this.answer(text);
    } else if (text.endsWith("\\")) this.written.push(text.slice(0, -1));
    else this.send([...this.written.splice(0), text].join("\n"));
    this.wait();
  }

  pasted(lines: readonly string[]): void {
    if (this.asking?.open) this.answer(lines.join("\n"));
    else {
      this.written.push(...lines);
      this.put([line(`(${lines.length} lines pasted; Enter sends them, Ctrl+C drops them)`, "faint")]);
    }
    this.wait();
  }

  interrupt(): void {
    const { asking } = this;
    if (asking !== undefined) this.dismiss(asking);
    else if (this.written.length > 0) {
      this.written = [];
      this.put([line("Dropped what was written.", "faint")]);
    } else if (this.turn) {
      const { queue } = this.telling;
      const dropped =
        queue.length === 0
          ? ""
          : ` ${queue.length === 1 ? "The queued prompt is" : `${queue.length} queued prompts are`} dropped.`;
      this.put([line(`Cancelling.${dropped}`, "warn")]);
      if (queue.length > 0) this.conversation.send({ type: "drop-queued" });
      this.conversation.send({ type: "cancel" });
    } else if (this.armed) return this.leave(0);
    else {
      this.armed = true;
      this.put([line("Press Ctrl+C again to leave.", "faint")]);
    }
    this.wait();
  }

  end(): void {
    if (this.options.input.isTerminal || this.asking === undefined) return this.leave(0);
    this.dismiss(this.asking);
    this.wait();
  }

  hangUp = (): void => this.leave(129);

  suggest(text: string, cursor: number) {
    return this.conversation.suggest(text, cursor);
  }

  private send(text: string): void {
    if (text.trim() === "") return;
    this.remember(text);
    if (!text.startsWith("/")) {
      if (!this.turn) this.telling = { ...this.telling, promptSeen: this.options.input.isTerminal };
      this.turn = true;
      this.conversation.send({ type: "prompt", text });
      return;
    }
    this.echo(text);
    if (text.trim() === "/output") return this.showOutput();
    this.commands++;
    this.conversation.send({ type: "command", line: text.trim() });
  }

  /** A pipe shows nothing of what it gives; a transcript needs it. */
  private echo(text: string): void {
    if (!this.options.input.isTerminal) this.put(linesOf(neutralise(text), "strong", this.asking?.now.prompt ?? "> "));
  }

  private showOutput(): void {
    const { lastOutput } = this.telling;
    if (lastOutput === undefined) return this.put([line("No tool has finished yet.")]);
    this.put([line(`Output of ${lastOutput.title}:`, "strong"), ...linesOf(lastOutput.text)]);
  }

  private remember(text: string): void {
    if (this.history.at(-1) !== text) this.recall([...this.history, text]);
    const { historyFile } = this.options;
    if (historyFile === undefined) return;
    this.saving = this.saving
      .then(() => appendHistory(historyFile, text))
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.put([line(`Input history is not saved: ${reason}`, "warn")]);
      });
  }

  private recall(entries: readonly string[]): void {
    this.history = entries.slice(-HISTORY_ENTRIES);
    this.options.input.remember(this.history);
  }
}

/** What a running tool says, unless it is printed anyway. */
function doingAfter(event: Event, { status, calls }: Telling): string | undefined {
  if (event.type !== "call-printed" || status?.verbose || event.line.trim() === "") return undefined;
  return `${calls.get(event.callId)?.tool ?? "Tool"}: ${event.line}`;
}

/** Something else goes on. */
function isStep(event: Event): boolean {
  return event.type === "call-changed" || event.type === "reply-grew" || event.type === "turn-finished";
}
