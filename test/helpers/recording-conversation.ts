import type { Conversation } from "../../src/protocol/conversation.ts";
import type { Event, TurnEnd } from "../../src/protocol/event.ts";
import type { Intent } from "../../src/protocol/intent.ts";
import type { Message, Part } from "../../src/protocol/message.ts";
import type { Status } from "../../src/protocol/status.ts";
import { createEventQueue } from "../../src/system/event-queue.ts";

export const STATUS: Status = {
  sessionId: "s-1",
  agent: "coder",
  model: "small",
  provider: "local",
  think: "off",
  step: 0,
  maxSteps: 50,
  tokens: { used: 0 },
  sandbox: "none",
  verbose: false,
  auto: false,
  busy: false,
  queued: 0,
  cwd: "/project",
};
export const OPENED: Event = { type: "opened", status: STATUS, history: [], calls: [], pending: [], queue: [] };

export interface FakeConversation extends Conversation {
  /** Everything that was sent, in order. */
  readonly sent: readonly Intent[];
  emit(...events: readonly Event[]): void;
  end(): void;
}

/** A conversation that answers each intent as the test says. */
export function fakeConversation(react: (intent: Intent, emit: FakeConversation["emit"]) => void): FakeConversation {
  const queue = createEventQueue<Event>();
  const sent: Intent[] = [];
  const emit = (...events: readonly Event[]) => {
    for (const event of events) queue.push(event);
  };
  emit(OPENED);
  return {
    id: "s-1",
    sent,
    emit,
    end: () => queue.end(),
    events: () => queue,
    send(intent) {
      sent.push(intent);
      react(intent, emit);
    },
    suggest: async () => [],
    close: async () => queue.end(),
  };
}

export const startOf = (turn = 1): Event => ({ type: "turn-started", turn });

export function endOf(reason: TurnEnd, error?: string): Event {
  const usage = { input: 12, output: 3, cached: 4 };
  return { type: "turn-finished", turn: 1, reason, usage, ...(error !== undefined && { error }) };
}

export function reply(text: string, more: readonly Part[] = [], id = "m1"): Message {
  return { id, role: "assistant", kind: "normal", at: "now", parts: [{ type: "text", text }, ...more] };
}

/** A reply as it streams: word by word, then whole. */
export function streamed(text: string, more: readonly Part[] = [], id = "m1"): readonly Event[] {
  return [
    { type: "reply-started", messageId: id },
    ...text.split(/(?<= )/).map((delta): Event => ({ type: "reply-grew", messageId: id, kind: "text", delta })),
    { type: "reply-finished", message: reply(text, more, id) },
  ];
}
