// The body of an HTTP answer as a web stream; event streams arrive in few, large pieces.

import type { IncomingMessage } from "node:http";
import { createSseCoalescer } from "./sse-coalesce.ts";

/**
 * Servers write an event per token, hundreds a second, and each piece costs the reader more than its bytes. The first
 * piece goes on at once; what follows within this time goes on together. Less than a frame, so nobody sees it.
 */
const WINDOW_MS = 12;

/** `isEvents` says that the body is `text/event-stream`. Cancelling the stream destroys the connection. */
export function readBody(message: IncomingMessage, isEvents: boolean): ReadableStream<Uint8Array> {
  const source = decompress(message);
  let isOver = false;
  let gather: Gather | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const hand = (bytes: Uint8Array) => {
        if (isOver || bytes.length === 0) return;
        controller.enqueue(bytes);
        if ((controller.desiredSize ?? 0) <= 0) source.pause();
      };
      gather = isEvents ? gatherEvents(hand) : { add: hand, end: () => undefined, drop: () => undefined };
      const fail = (error: unknown) => {
        gather?.end();
        // An error overtakes everything that waits in a web stream: let the reader have what arrived first.
        setImmediate(() => {
          if (!isOver) controller.error(error);
          isOver = true;
        });
      };
      source.on("data", gather.add);
      source.on("end", () => {
        gather?.end();
        if (!isOver) controller.close();
        isOver = true;
      });
      source.on("error", fail);
      // A decompressor does not hear of its source's end by error.
      if (source !== message) message.on("error", fail);
    },
    pull: () => void source.resume(),
    cancel: () => {
      isOver = true;
      gather?.drop();
      message.destroy();
    },
  });
}

interface Gather {
  add(bytes: Buffer): void;
  /** Hands on all that waits. */
  end(): void;
  drop(): void;
}

function gatherEvents(hand: (bytes: Uint8Array) => void): Gather {
  const coalescer = createSseCoalescer();
  let waiting: Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;
  let handedAt = Number.NEGATIVE_INFINITY;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const bytes = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting);
    waiting = [];
    handedAt = now();
    hand(Buffer.from(coalescer.push(bytes)));
  }

  return {
    add(bytes) {
      waiting.push(bytes);
      if (timer !== undefined) return;
      const wait = handedAt + WINDOW_MS - now();
      if (wait <= 0) flush();
      else timer = setTimeout(flush, wait);
    },
    end() {
      flush();
      hand(Buffer.from(coalescer.end()));
    },
    drop: () => clearTimeout(timer),
  };
}

/** Milliseconds, forwards only. The first mention of `performance` would load its whole module, 1 ms at the worst moment. */
const now = () => process.uptime() * 1000;

/** We ask for no compression; some proxies compress all the same. */
function decompress(message: IncomingMessage): NodeJS.ReadableStream {
  const encoding = message.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return message;
  const zlib = process.getBuiltinModule("node:zlib");
  return message.pipe(encoding === "br" ? zlib.createBrotliDecompress() : zlib.createUnzip());
}
