/**
 * A dialog counts as seen from the terminal's answer to a question asked right behind its frame: in the stream of
 * input, keys before that answer were pressed before the dialog was there, however slow the line is.
 */
import { ASK_READY } from "./key-decoder.ts";

/** A dialog is taken as seen after this long at the latest. */
const FENCE_MS = 1_000;

export class DialogFence {
  /** The request whose dialog a person can have seen. */
  private seen: string | undefined;
  /** Requests whose dialog was painted and whose fence the terminal has not answered, oldest first. */
  private waiting: string[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** What goes behind the frame that shows `request`. `current` is asked for when the terminal does not answer. */
  behind(request: string | undefined, current: () => string | undefined): string {
    if (request === undefined || request === this.seen || this.waiting.includes(request)) return "";
    this.waiting.push(request);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.waiting = [];
      this.seen = current();
    }, FENCE_MS);
    return ASK_READY;
  }

  /** The terminal answered. */
  answered(): void {
    this.seen = this.waiting.shift() ?? this.seen;
  }

  /** No dialog is on the screen any more. */
  forget(): void {
    this.seen = undefined;
    this.waiting = [];
    clearTimeout(this.timer);
  }

  isSeen(request: string): boolean {
    return request === this.seen;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
