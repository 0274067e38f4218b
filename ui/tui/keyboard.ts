/** The bytes a terminal sends, as keys: decoded, and expired when the rest of a sequence does not come. */
import { createKeyDecoder, ESCAPE_MS, type Key, REMOTE_ESCAPE_MS, type Report } from "./key-decoder.ts";

/** Enter typed before raw mode arrives as a line feed. */
const TYPED_AHEAD_MS = 100;

export class Keyboard {
  private readonly decoder;
  private openedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly onKeys: (keys: readonly Key[]) => void,
    onReport: (report: Report) => void,
    /** The keys come over a network. */
    isRemote: boolean,
  ) {
    this.decoder = createKeyDecoder(onReport, isRemote ? REMOTE_ESCAPE_MS : ESCAPE_MS);
  }

  open(): void {
    this.openedAt = performance.now();
  }

  readonly feed = (chunk: Buffer): void => {
    const typedAhead = performance.now() - this.openedAt < TYPED_AHEAD_MS && !chunk.includes(0x1b);
    const bytes = typedAhead ? Buffer.from(chunk.map((byte) => (byte === 0x0a ? 0x0d : byte))) : chunk;
    this.onKeys(this.decoder.feed(bytes));
    clearTimeout(this.timer);
    const wait = this.decoder.waits();
    if (wait !== undefined) this.timer = setTimeout(() => this.onKeys(this.decoder.expire()), wait);
  };

  stop(): void {
    clearTimeout(this.timer);
  }
}
