import type { Event } from "../protocol/event.ts";
import type { SessionLog } from "../sessions/session-log.ts";

/** Writes what a session must remember of an event. Events that follow from others leave no record. */
export function recordEvent(log: SessionLog, event: Event): void {
  switch (event.type) {
    case "message-added":
    case "reply-finished":
      return log.append({ type: "message", message: event.message });
    case "reply-grew":
      return log.append({ type: "reply-delta", messageId: event.messageId, kind: event.kind, delta: event.delta });
    case "reply-withdrawn":
      return log.append({ type: "reply-withdrawn", messageId: event.messageId, reason: event.reason });
    case "call-changed":
      return log.append({ type: "call", call: event.call });
    case "queue-changed":
      return log.append({ type: "queue", prompts: event.queue });
    case "todos-changed":
      return log.append({ type: "todos", todos: event.todos });
    case "command-finished":
      return log.append({
        type: "command",
        line: event.line,
        failed: event.failed,
        ...(event.text !== undefined && { text: event.text }),
      });
    case "turn-finished": {
      const { turn, reason, error, usage } = event;
      log.append({ type: "turn-finished", turn, reason, usage, ...(error !== undefined && { error }) });
      return log.flush();
    }
  }
}
