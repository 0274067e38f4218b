/**
 * A terminal used like a typewriter: keys are echoed here, nothing that was written is touched again. While nothing is
 * asked no prompt stands there, so that a screen reader hears each prompt once.
 */
import { StringDecoder } from "node:string_decoder";
import type { InputStream } from "../view/input-stream.ts";
import { completeLine } from "./completions.ts";
import type { LineInput, LineListener, Purpose } from "./line-input.ts";
import { emptyTypewriter, shown, type TypedEvent, typeInto } from "./typewriter.ts";

const NO_SHELL_MS = 200;

export function createTypewriterLines(stdin: InputStream, write: (text: string) => void): LineInput {
  return new TypewriterLines(stdin, write);
}

class TypewriterLines implements LineInput {
  readonly isTerminal = true;
  #listener: LineListener | undefined;
  #state = emptyTypewriter;
  readonly #decoder = new StringDecoder("utf8");
  #prompt = "";
  #purpose: Purpose = "prompt";
  /** A prompt or something typed stands on the last line. */
  #lineOpen = false;
  #draft = "";
  #typedAt = 0;

  constructor(
    private readonly stdin: InputStream,
    private readonly write: (text: string) => void,
  ) {}

  get typing() {
    return this.#state.text === "" ? undefined : { at: this.#typedAt };
  }

  start(listener: LineListener): void {
    this.#listener = listener;
    this.stdin.setRawMode?.(true);
    this.stdin.on("data", this.#onData);
    this.stdin.on("end", listener.hangUp);
    this.stdin.on("error", listener.hangUp);
    this.stdin.resume();
  }

  ask(prompt: string, purpose: Purpose): void {
    if (this.#purpose === purpose && this.#prompt === prompt) return;
    this.#endLine();
    if (this.#purpose === "prompt" && purpose !== "prompt") this.#draft = this.#state.text;
    if (this.#purpose !== purpose) this.#setText(purpose === "prompt" ? this.#takeDraft() : "");
    this.#prompt = prompt;
    this.#purpose = purpose;
    this.#writeLine();
  }

  rest(): void {
    this.ask("", "prompt");
  }

  print(text: string): void {
    this.#endLine();
    this.write(text);
    this.#writeLine();
  }

  remember(entries: readonly string[]): void {
    this.#state = { ...this.#state, history: entries, at: undefined };
  }

  close(): void {
    this.#endLine();
    this.stdin.off("data", this.#onData);
    if (this.#listener !== undefined) {
      this.stdin.off("end", this.#listener.hangUp);
      this.stdin.off("error", this.#listener.hangUp);
    }
    this.#listener = undefined;
    try {
      this.stdin.setRawMode?.(false);
    } catch {
      // The terminal is gone: there is nothing to restore.
    }
    this.stdin.pause();
  }

  readonly #onData = (chunk: Buffer): void => {
    const typed = typeInto(this.#state, this.#decoder.write(chunk), this.#prompt, this.#purpose === "secret");
    this.#state = typed.state;
    this.#typedAt = performance.now();
    if (typed.echo !== "") {
      this.write(typed.echo);
      this.#lineOpen = !typed.echo.endsWith("\n");
    }
    for (const event of typed.events) this.#tell(event);
    // Enter leaves the line; what is asked next, or asked again, writes its prompt anew.
    if (!this.#lineOpen) this.#writeLine();
  };

  #tell(event: TypedEvent): void {
    const listener = this.#listener;
    switch (event.type) {
      case "line":
        this.#leaveLine();
        return listener?.line(event.text);
      case "pasted":
        this.#leaveLine();
        return listener?.pasted(event.lines);
      case "interrupt":
        this.#leaveLine();
        return listener?.interrupt();
      case "end":
        return listener?.end();
      case "complete":
        void this.#complete();
        return;
      case "suspend":
        this.#suspend();
        return;
    }
  }

  /** Appends what all completions agree on; several are listed. */
  async #complete(): Promise<void> {
    const { text } = this.#state;
    if (this.#purpose !== "prompt" || this.#listener === undefined) return;
    const { rest, choices } = completeLine(text, await this.#listener.suggest(text, text.length));
    if (this.#state.text !== text) return;
    if (choices.length > 0) this.print(choices.map((choice) => `${shown(choice)}\n`).join(""));
    if (rest === "") return;
    this.#setText(text + rest);
    this.write(shown(rest));
    this.#lineOpen = true;
  }

  /** Ctrl+Z: the shell gets a terminal that echoes again. */
  #suspend(): void {
    this.#endLine();
    this.stdin.setRawMode?.(false);
    const resume = () => {
      process.off("SIGCONT", resume);
      clearTimeout(timer);
      if (this.#listener === undefined) return;
      this.stdin.setRawMode?.(true);
      this.#writeLine();
    };
    process.on("SIGCONT", resume);
    // Without a job-controlling shell above us the signal does nothing, and nobody would ever wake us.
    const timer = setTimeout(resume, NO_SHELL_MS);
    process.kill(process.pid, "SIGTSTP");
  }

  #setText(text: string): void {
    this.#state = { ...this.#state, text, at: undefined };
  }

  #takeDraft(): string {
    const draft = this.#draft;
    this.#draft = "";
    return draft;
  }

  /** What stands there was answered: whoever asks again writes a prompt of its own. */
  #leaveLine(): void {
    this.#endLine();
    this.#prompt = "";
  }

  #endLine(): void {
    if (this.#lineOpen) this.write("\n");
    this.#lineOpen = false;
  }

  #writeLine(): void {
    if (this.#lineOpen || this.#listener === undefined) return;
    const text = this.#purpose === "secret" ? this.#prompt : `${this.#prompt}${shown(this.#state.text)}`;
    this.write(text);
    this.#lineOpen = text !== "";
  }
}
