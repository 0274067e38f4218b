import type { Message } from "../protocol/message.ts";
import type { SavedChild } from "../sessions/session-record.ts";

/** What an agent that was set to work said and did, as the session keeps it. */
export interface ChildTranscript extends SavedChild {
  readonly messages: readonly Message[];
}

/** The agents this conversation set to work: their transcripts, and how many may work at once. */
export interface Children {
  readonly all: readonly ChildTranscript[];
  /** The newest state of one; a new one comes last. */
  take(child: SavedChild): void;
  add(id: string, message: Message): void;
  /** Those of another session take their place. */
  replace(children: readonly ChildTranscript[]): void;
  /**
   * Waits for a place to work in, in the order asked. The answer gives it back; undefined when the signal aborted
   * first. Each depth has its own places: an agent that waits for its own children must not keep them waiting.
   */
  enter(depth: number, signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** Children that work at once, at each depth. */
const MOST_AT_ONCE = 8;

export function createChildren(mostAtOnce: number = MOST_AT_ONCE): Children {
  const known = new Map<string, { child: SavedChild; readonly messages: Message[] }>();
  const depths = new Map<number, { working: number; readonly waiting: (() => void)[] }>();
  const placesAt = (depth: number) => {
    const places = depths.get(depth) ?? { working: 0, waiting: [] };
    depths.set(depth, places);
    return places;
  };
  return {
    get all() {
      return [...known.values()].map(({ child, messages }) => ({ ...child, messages }));
    },
    take(child) {
      const before = known.get(child.id);
      if (before) before.child = child;
      else known.set(child.id, { child, messages: [] });
    },
    add: (id, message) => void known.get(id)?.messages.push(message),
    replace(children) {
      known.clear();
      for (const { messages, ...child } of children) known.set(child.id, { child, messages: [...messages] });
    },
    async enter(depth, signal) {
      if (signal.aborted) return undefined;
      const places = placesAt(depth);
      const leave = () => {
        const next = places.waiting.shift();
        if (next) next();
        else places.working--;
      };
      if (places.working < mostAtOnce) {
        places.working++;
        return leave;
      }
      return new Promise((resolve) => {
        const begin = () => {
          signal.removeEventListener("abort", giveUp);
          resolve(leave);
        };
        const giveUp = () => {
          places.waiting.splice(places.waiting.indexOf(begin), 1);
          resolve(undefined);
        };
        places.waiting.push(begin);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
