/** A queue one reader takes from as an async iterable; nothing pushed is lost, and it ends after `end`. */
export interface EventQueue<T> extends AsyncIterable<T> {
  push(item: T): void;
  end(): void;
}

export function createEventQueue<T>(): EventQueue<T> {
  let items: T[] = [];
  let wake: (() => void) | undefined;
  let ended = false;
  const rouse = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push(item) {
      if (ended) return;
      items.push(item);
      rouse();
    },
    end() {
      ended = true;
      rouse();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const batch = items;
        items = [];
        yield* batch;
        if (items.length > 0) continue;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
