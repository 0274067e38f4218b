// The part of web streams that the SDKs use, as lean as it can be. Node's own cost 2 ms to load, and the five hops of
// a reply cost more than all that is done with its text: with them, 50 short replies took 50 ms of CPU and 10 MB more.
// The bundle puts these classes in the place of the globals (`inject` in `bin/bundle-patches.mjs`); unbundled code, such
// as unit tests, keeps Node's. Order, ends, errors, backpressure and cancellation are the standard's; left out are byte
// streams, size strategies, locks and writable ends.
// https://streams.spec.whatwg.org

export {
  PlainReadableStream as ReadableStream,
  PlainTextDecoderStream as TextDecoderStream,
  PlainTransformStream as TransformStream,
};

type Maybe<T> = T | PromiseLike<T>;

interface Source<T> {
  start?(controller: Controller<T>): Maybe<void>;
  /** Asked for more; what it returns is waited for before it is asked again. */
  pull?(controller: Controller<T>): Maybe<void>;
  cancel?(reason: unknown): Maybe<void>;
}

interface Transformer<I, O> {
  start?(controller: StreamController<O>): Maybe<void>;
  transform?(chunk: I, controller: StreamController<O>): Maybe<void>;
  flush?(controller: StreamController<O>): Maybe<void>;
}

interface StreamController<T> {
  /** How many chunks it would still take; at 0 or less, wait for `pull`. */
  readonly desiredSize: number;
  enqueue(chunk: T): void;
  close(): void;
  /** Ends a transform early, and cancels what it is fed from. */
  terminate(): void;
  error(error: unknown): void;
}

type Step<T> = { readonly done: false; readonly value: T } | { readonly done: true; readonly value: undefined };

const END = { done: true, value: undefined } as const;

class PlainReadableStream<T> {
  readonly #source: Source<T>;
  readonly #highWaterMark: number;
  readonly #controller: Controller<T>;
  #isPulling = false;
  #pullsAgain = false;

  /** `highWaterMark`: how many chunks are fetched before anybody reads them. */
  constructor(source: Source<T> = {}, { highWaterMark = 1 }: { readonly highWaterMark?: number } = {}) {
    this.#source = source;
    this.#highWaterMark = highWaterMark;
    this.#controller = new Controller(highWaterMark, () => this.#pull());
    this.#isPulling = true;
    this.#settle(source.start?.(this.#controller));
    if (highWaterMark > 0) this.#pull();
  }

  getReader() {
    return {
      read: () => this.#read(),
      cancel: (reason?: unknown) => this.cancel(reason),
      releaseLock: () => undefined,
    };
  }

  async cancel(reason?: unknown): Promise<void> {
    if (!this.#controller.drop()) return;
    await this.#source.cancel?.(reason);
  }

  pipeThrough<O>(transform: PlainTransformStream<T, O>): PlainReadableStream<O> {
    return transform.fedBy(this);
  }

  /** Two streams of the same chunks; a chunk is fetched when the first of them asks. */
  tee(): [PlainReadableStream<T>, PlainReadableStream<T>] {
    const open = new Set<StreamController<T>>();
    let reading: Promise<void> | undefined;
    const read = async () => {
      try {
        const step = await this.#read();
        for (const branch of open) step.done ? branch.close() : branch.enqueue(step.value);
      } catch (error) {
        for (const branch of open) branch.error(error);
      }
      reading = undefined;
    };
    const branch = () => {
      let own: StreamController<T>;
      const source: Source<T> = {
        start(controller) {
          own = controller;
          open.add(own);
        },
        pull() {
          reading ??= read();
          return reading;
        },
        cancel: (reason) => {
          open.delete(own);
          return open.size === 0 ? this.cancel(reason) : undefined;
        },
      };
      return new PlainReadableStream<T>(source, { highWaterMark: 0 });
    };
    return [branch(), branch()];
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return {
      next: () => this.#read(),
      return: async () => {
        await this.cancel();
        return END;
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  #read(): Promise<Step<T>> {
    const read = this.#controller.read();
    this.#pull();
    return read;
  }

  #pull(): void {
    const { isOpen, queued, isAwaited } = this.#controller;
    if (!isOpen || !this.#source.pull || (!isAwaited && queued >= this.#highWaterMark)) return;
    if (this.#isPulling) {
      this.#pullsAgain = true;
      return;
    }
    this.#isPulling = true;
    try {
      this.#settle(this.#source.pull(this.#controller));
    } catch (error) {
      this.#controller.error(error);
    }
  }

  #settle(work: Maybe<void> | undefined): void {
    const settled = () => {
      this.#isPulling = false;
      const again = this.#pullsAgain;
      this.#pullsAgain = false;
      if (again) this.#pull();
    };
    if (work === undefined) settled();
    else work.then(settled, (error) => this.#controller.error(error));
  }
}

/** Turns chunks of the stream it is put behind, by `pipeThrough`, into chunks of `readable`. */
class PlainTransformStream<I, O> {
  readonly readable: PlainReadableStream<O>;
  #upstream: ReturnType<PlainReadableStream<I>["getReader"]> | undefined;

  constructor(transformer: Transformer<I, O> = {}) {
    const source = {
      start: (controller: Controller<O>) => transformer.start?.(controller),
      pull: (controller: Controller<O>) => this.#fill(controller, transformer),
      cancel: (reason: unknown) => this.#upstream?.cancel(reason),
    };
    this.readable = new PlainReadableStream<O>(source, { highWaterMark: 0 });
  }

  fedBy(upstream: PlainReadableStream<I>): PlainReadableStream<O> {
    this.#upstream = upstream.getReader();
    return this.readable;
  }

  /** Resolves when there is something to read: one chunk in may be none out. */
  async #fill(controller: Controller<O>, transformer: Transformer<I, O>): Promise<void> {
    const upstream = this.#upstream!; // nobody reads what is not yet connected
    try {
      while (controller.isOpen && controller.isAwaited) {
        const step = await upstream.read();
        if (!controller.isOpen) return; // cancelled meanwhile
        if (step.done) {
          await transformer.flush?.(controller);
          controller.close();
        } else if (transformer.transform) await transformer.transform(step.value, controller);
        else controller.enqueue(step.value as unknown as O); // without a transform, `O` is `I`
      }
    } catch (error) {
      controller.error(error);
      await upstream.cancel(error);
    }
    if (controller.isTerminated) await upstream.cancel();
  }
}

/** Bytes to text; half a character waits for its other half. */
class PlainTextDecoderStream extends PlainTransformStream<Uint8Array, string> {
  constructor() {
    const decoder = new TextDecoder();
    const hand = (text: string, controller: StreamController<string>) => {
      if (text !== "") controller.enqueue(text);
    };
    super({
      transform: (bytes, controller) => hand(decoder.decode(bytes, { stream: true }), controller),
      flush: (controller) => hand(decoder.decode(), controller),
    });
  }
}

/** What lies between a source and its reader: chunks that wait to be read, or readers that wait for chunks. */
class Controller<T> implements StreamController<T> {
  readonly #highWaterMark: number;
  readonly #hasRoom: () => void;
  readonly #queue: T[] = [];
  readonly #readers: { resolve(step: Step<T>): void; reject(error: unknown): void }[] = [];
  #isClosed = false;
  /** Wrapped, because anything may be thrown. */
  #failure: { readonly error: unknown } | undefined;
  isTerminated = false;

  constructor(highWaterMark: number, hasRoom: () => void) {
    this.#highWaterMark = highWaterMark;
    this.#hasRoom = hasRoom;
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#failure;
  }
  get queued(): number {
    return this.#queue.length;
  }
  get isAwaited(): boolean {
    return this.#readers.length > 0;
  }
  get desiredSize(): number {
    return this.#highWaterMark - this.#queue.length;
  }

  enqueue(chunk: T): void {
    if (!this.isOpen) throw new TypeError("the stream has ended and takes no more chunks");
    const reader = this.#readers.shift();
    if (reader) reader.resolve({ done: false, value: chunk });
    else this.#queue.push(chunk);
    this.#hasRoom();
  }

  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers.splice(0)) reader.resolve(END);
  }

  terminate(): void {
    this.isTerminated = true;
    this.close();
  }

  error(error: unknown): void {
    if (this.#failure || (this.#isClosed && this.#queue.length === 0)) return;
    this.#failure = { error };
    this.#queue.length = 0; // what waits is lost, as in the standard
    for (const reader of this.#readers.splice(0)) reader.reject(error);
  }

  read(): Promise<Step<T>> {
    if (this.#queue.length > 0) return Promise.resolve({ done: false, value: this.#queue.shift()! });
    if (this.#failure) return Promise.reject(this.#failure.error);
    if (this.#isClosed) return Promise.resolve(END);
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  /** Forgets everything for a reader that left. False when it had ended anyway. */
  drop(): boolean {
    if (this.#failure || (this.#isClosed && this.#queue.length === 0)) return false;
    this.#queue.length = 0;
    this.close();
    return true;
  }
}
