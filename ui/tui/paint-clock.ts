/**
 * When a frame is painted: at once for a key, after company has gathered for streamed text, by the spinner while
 * something moves. No timer runs when nothing does.
 */
import type { Event } from "../../src/protocol/event.ts";

/** At most 30 frames a second, however fast events and new window sizes come; and as many for keys. */
const FRAME_MS = 34;
const STREAM_MS = 50;
export const SPINNER_MS = 125;

export class PaintClock {
  private lastPaint = Number.NEGATIVE_INFINITY;
  private lastKey = Number.NEGATIVE_INFINITY;
  private paintCost = 0;
  private immediate: NodeJS.Immediate | undefined;
  private later: NodeJS.Timeout | undefined;
  private spin: NodeJS.Timeout | undefined;
  /** `later` is not gathering: it only keeps the distance between frames. */
  private dueSoon = false;
  private stopped = false;

  /** `paint` tells whether something moves by itself, so that it is painted again soon. */
  constructor(private readonly paint: () => boolean) {}

  /** A key's echo waits for no other frame, only for that of the key before when they come fast. */
  forKey(): void {
    const now = performance.now();
    if (now - this.lastKey < FRAME_MS) return this.soon();
    this.lastKey = now;
    if (this.immediate !== undefined || this.stopped) return;
    // What is known at once, such as the commands that fit, comes with it.
    this.immediate = setImmediate(() => this.now());
  }

  readonly soon = (): void => {
    if (this.immediate !== undefined || this.stopped) return;
    const due = this.lastPaint + FRAME_MS - performance.now();
    if (due <= 0) {
      this.immediate = setImmediate(() => this.now());
      return;
    }
    if (this.dueSoon) return;
    // Sooner than a frame that gathers streamed text.
    clearTimeout(this.later);
    this.dueSoon = true;
    this.later = setTimeout(() => this.now(), due);
  };

  /** Streamed text waits for company; a frame that was expensive makes the next one wait longer. */
  inAWhile(ms = STREAM_MS): void {
    if (this.immediate !== undefined || this.later !== undefined) return;
    const due = this.lastPaint + Math.max(ms, 4 * this.paintCost) - performance.now();
    if (due <= 0) this.soon();
    else this.later = setTimeout(() => this.now(), due);
  }

  /** How soon what an event changed is worth a frame. */
  afterEvent(type: Event["type"]): void {
    if (type === "request-opened") this.inAWhile(0);
    else if (type === "reply-grew" || type === "call-printed" || type === "status-changed") this.inAWhile();
    else this.inAWhile(STREAM_MS / 2);
  }

  now(): void {
    this.clear();
    if (this.stopped) return;
    const started = performance.now();
    const moves = this.paint();
    this.lastPaint = performance.now();
    this.paintCost = this.lastPaint - started;
    if (moves) this.spin = setTimeout(() => this.now(), SPINNER_MS);
  }

  stop(): void {
    this.stopped = true;
    this.clear();
  }

  private clear(): void {
    clearImmediate(this.immediate);
    clearTimeout(this.later);
    clearTimeout(this.spin);
    this.immediate = undefined;
    this.later = undefined;
    this.dueSoon = false;
  }
}
