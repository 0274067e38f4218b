import type { Event } from "../protocol/event.ts";
import { createEventQueue, type EventQueue } from "../system/event-queue.ts";

/** Hands every event to everyone who listens, each at their own pace. */
export interface Hub {
  emit(event: Event): void;
  /** `opened` is what this listener missed. */
  listen(opened: Event): AsyncIterable<Event>;
  close(): void;
}

/** `record` runs before anybody hears of the event: what is shown is on disk (aura 14). */
export function createHub(record: (event: Event) => void): Hub {
  const listeners = new Set<EventQueue<Event>>();
  let closed = false;
  return {
    emit(event) {
      if (closed) return;
      record(event);
      for (const listener of listeners) listener.push(event);
    },
    listen(opened) {
      const queue = createEventQueue<Event>();
      queue.push(opened);
      if (closed) queue.end();
      else listeners.add(queue);
      return queue;
    },
    close() {
      closed = true;
      for (const listener of listeners) {
        listener.push({ type: "closed" });
        listener.end();
      }
      listeners.clear();
    },
  };
}
