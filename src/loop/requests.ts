import type { Event } from "../protocol/event.ts";
import type { Answer, Request, RequestKind, RequestTypes } from "../protocol/request.ts";

/** Open questions to a person. First answer wins; cancelling withdraws. */
export interface Requests {
  /** `answered` resolves with the answer, or with `withdrawn` when the signal aborts first. */
  open<K extends RequestKind>(kind: K, ask: RequestTypes[K]["ask"], signal: AbortSignal): Opened<K>;
  /** Returns false when the request is no longer open: another screen answered, or it was withdrawn. */
  answer(requestId: string, answer: Answer): boolean;
  readonly pending: readonly Request[];
}

export interface Opened<K extends RequestKind> {
  readonly id: string;
  readonly answered: Promise<{ readonly answer: RequestTypes[K]["answer"] } | "withdrawn">;
}

export function createRequests(emit: (event: Event) => void): Requests {
  const open = new Map<string, { request: Request; settle: (answer: Answer | "withdrawn") => void }>();
  let counter = 0;

  return {
    open(kind, ask, signal) {
      const id = `r${++counter}`;
      const request = { id, kind, ...ask } as unknown as Request; // the union is distributive; TypeScript cannot see that
      const answered = new Promise<{ answer: never } | "withdrawn">((resolve) => {
        const withdraw = () => settle("withdrawn");
        const settle = (answer: Answer | "withdrawn") => {
          if (!open.delete(id)) return;
          signal.removeEventListener("abort", withdraw);
          emit({ type: "request-closed", requestId: id, how: answer === "withdrawn" ? "withdrawn" : "answered" });
          resolve(answer === "withdrawn" ? "withdrawn" : { answer: answer.value as never });
        };
        if (signal.aborted) {
          resolve("withdrawn");
          return;
        }
        open.set(id, { request, settle });
        signal.addEventListener("abort", withdraw, { once: true });
        emit({ type: "request-opened", request });
      });
      return { id, answered };
    },
    answer(requestId, answer) {
      const entry = open.get(requestId);
      if (!entry || entry.request.kind !== answer.kind) return false;
      entry.settle(answer);
      return true;
    },
    get pending() {
      return [...open.values()].map((entry) => entry.request);
    },
  };
}
