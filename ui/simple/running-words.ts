/**
 * What a running tool says, for ears: its newest line, and only after a silence. Who listens wants to know that it goes
 * on, not every line of it.
 */

/** After this long without a word. */
const SILENCE_MS = 5_000;

export class RunningWords {
  private said = performance.now();
  private newest: string | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly tell: (line: string) => void) {}

  /** Something else was told: the silence begins anew. */
  broken(): void {
    this.said = performance.now();
  }

  printed(line: string): void {
    this.newest = line;
    this.timer ??= setTimeout(() => this.due(), Math.max(0, this.said + SILENCE_MS - performance.now()));
  }

  /** The tool has ended, or something else goes on: what it said last is old news. */
  forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.newest = undefined;
  }

  private due(): void {
    this.timer = undefined;
    const { newest } = this;
    if (newest === undefined) return;
    if (performance.now() - this.said < SILENCE_MS) return this.printed(newest);
    this.newest = undefined;
    this.said = performance.now();
    this.tell(newest);
  }
}
