import type { Conversation, Suggestion } from "../../src/protocol/conversation.ts";
import type { Event } from "../../src/protocol/event.ts";
import type { Intent } from "../../src/protocol/intent.ts";
import type { Status } from "../../src/protocol/status.ts";

/** A conversation that says what it is told to and remembers what it was asked. */
export interface FakeConversation extends Conversation {
  readonly intents: readonly Intent[];
  play(...events: Event[]): void;
}

export const idleStatus: Status = {
  sessionId: "s1",
  agent: "high",
  model: "scripted",
  provider: "demo",
  think: "off",
  step: 0,
  maxSteps: 50,
  tokens: { used: 0, window: 131_000 },
  sandbox: "none",
  verbose: false,
  auto: false,
  busy: false,
  queued: 0,
  cwd: "/project",
};

export function opened(status: Status = idleStatus): Event {
  return { type: "opened", status, history: [], calls: [], pending: [], queue: [] };
}

/** `onIntent` may play events in answer. */
export function fakeConversation(
  onIntent: (intent: Intent, conversation: FakeConversation) => void = () => undefined,
  suggestions: readonly Suggestion[] = [],
): FakeConversation {
  const waiting: Event[] = [];
  const intents: Intent[] = [];
  let wake: () => void = () => undefined;
  const conversation: FakeConversation = {
    id: "s1",
    intents,
    play(...events) {
      waiting.push(...events);
      wake();
    },
    async *events() {
      for (;;) {
        const event = waiting.shift();
        if (event === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else {
          yield event;
          if (event.type === "closed") return;
        }
      }
    },
    send(intent) {
      intents.push(intent);
      onIntent(intent, conversation);
    },
    async suggest(line, cursor) {
      return suggestions.filter((one) => one.text.startsWith(line.slice(one.from, cursor)));
    },
    async close() {
      conversation.play({ type: "closed" });
    },
  };
  return conversation;
}
