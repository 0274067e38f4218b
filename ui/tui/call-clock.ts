import type { Event } from "../../src/protocol/event.ts";
import type { ShownCall } from "../view/shown-call.ts";

/** Since when a call runs, on this screen's clock: that of whoever runs it may have begun at any time. */
export function onOurClock(event: Event, calls: readonly ShownCall[], now: number): Event {
  if (event.type !== "call-changed" || event.call.status !== "running") return event;
  const known = calls.find(({ id }) => id === event.call.id);
  const startedAt = known?.status === "running" ? known.startedAt : now;
  return { ...event, call: { ...event.call, startedAt } };
}
