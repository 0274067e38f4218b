/** What comes from outside: keys, the end of the terminal, its new sizes, and signals. */
import type { InputStream } from "../view/input-stream.ts";
import type { OutputStream } from "./outlet.ts";

export interface IncomingOptions {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly onBytes: (chunk: Buffer) => void;
  readonly onResize: () => void;
  /** The process is to end with this code, unless Ctrl+C was meant for an editor that has the terminal. */
  readonly onEnd: (exitCode: number, byInterrupt: boolean) => void;
}

export class Incoming {
  constructor(private readonly options: IncomingOptions) {}

  open(): void {
    const { stdin, stdout, onBytes, onResize } = this.options;
    stdin.on("data", onBytes);
    stdin.on("end", this.onHangUp);
    stdin.on("error", this.onHangUp);
    stdout.on("resize", onResize);
    stdin.resume();
    for (const [signal, handler] of Object.entries(this.signals)) process.on(signal, handler);
  }

  close(): void {
    const { stdin, stdout, onBytes, onResize } = this.options;
    stdin.off("data", onBytes);
    stdin.off("end", this.onHangUp);
    stdin.off("error", this.onHangUp);
    stdout.off("resize", onResize);
    stdin.pause();
    for (const [signal, handler] of Object.entries(this.signals)) process.off(signal, handler);
  }

  private readonly signals = {
    SIGTERM: () => this.options.onEnd(143, false),
    SIGHUP: () => this.options.onEnd(129, false),
    SIGINT: () => this.options.onEnd(130, true),
  };

  private readonly onHangUp = (): void => this.options.onEnd(129, false);
}
