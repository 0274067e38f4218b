import type { Conversation, FrontEnd } from "../../src/protocol/conversation.ts";
import type { Event, EventOf } from "../../src/protocol/event.ts";
import type { Answer, Request } from "../../src/protocol/request.ts";
import { EXIT_CODES } from "../view/exit-codes.ts";
import type { Writer } from "./writers.ts";

export interface HeadlessOptions {
  /** Each is one turn, or a command when it starts with `/`. */
  readonly prompts: readonly string[];
  /** What happens to calls that would ask a person: all run once, or none does. */
  readonly approve: "all" | "none";
  readonly writer: Writer;
  /** Over all prompts together; undefined = no limit. */
  readonly timeoutMs?: number;
  /** Aborted when a signal asks us to stop, or standard output closes. */
  readonly stop: AbortSignal;
}

/** A timer set for longer would go off at once; these are 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Sends the prompts one after the other, writes what comes back, and answers requests by one rule. */
export function createHeadless(options: HeadlessOptions): FrontEnd {
  return {
    async run(conversation) {
      const events = conversation.events()[Symbol.asyncIterator]();
      let timedOut = false;
      const cancel = () => conversation.send({ type: "cancel" });
      const timer =
        options.timeoutMs === undefined
          ? undefined
          : setTimeout(
              () => {
                timedOut = true;
                cancel();
              },
              Math.min(options.timeoutMs, LONGEST_TIMER_MS),
            );
      options.stop.addEventListener("abort", cancel, { once: true });
      try {
        for (const prompt of options.prompts) {
          if (options.stop.aborted) return { exitCode: EXIT_CODES.cancelled };
          const ending = await runPrompt(conversation, events, prompt, options);
          const code = timedOut ? EXIT_CODES.limit : ending.code;
          if (timedOut) options.writer.problem(`stopped: the time limit of ${options.timeoutMs} ms is over`);
          if (code !== 0 || ending.exit) return { exitCode: code };
          if (options.stop.aborted) return { exitCode: EXIT_CODES.cancelled };
        }
        return { exitCode: 0 };
      } finally {
        clearTimeout(timer);
        options.stop.removeEventListener("abort", cancel);
      }
    },
  };
}

interface Ending {
  readonly code: number;
  readonly exit: boolean;
}

async function runPrompt(
  conversation: Conversation,
  events: AsyncIterator<Event>,
  prompt: string,
  options: HeadlessOptions,
): Promise<Ending> {
  const isCommand = prompt.startsWith("/");
  conversation.send(isCommand ? { type: "command", line: prompt } : { type: "prompt", text: prompt });
  let exit = false;
  let turnRuns = !isCommand;
  for (;;) {
    const next = await events.next();
    if (next.done) return { code: 1, exit: true };
    const event = next.value;
    options.writer.write(event);
    switch (event.type) {
      case "request-opened":
        conversation.send({ type: "answer", requestId: event.request.id, answer: answerTo(event.request, options) });
        if (event.request.kind === "approval") options.writer.answered(event.request, options.approve === "all");
        break;
      case "exit-requested":
        exit = true;
        break;
      case "turn-started":
        turnRuns = true;
        break;
      case "command-finished":
        // A command may send a prompt of its own; then the turn it starts is what we wait for.
        if (isCommand && (event.failed || !event.startsTurn)) return { code: event.failed ? 1 : 0, exit };
        break;
      case "turn-finished":
        if (turnRuns) return { code: codeOf(event), exit };
        break;
    }
  }
}

const codeOf = (event: EventOf<"turn-finished">) => EXIT_CODES[event.reason];

function answerTo(request: Request, { approve }: HeadlessOptions): Answer {
  switch (request.kind) {
    case "approval":
      return approve === "all"
        ? { kind: "approval", value: { allow: true, scope: "once" } }
        : { kind: "approval", value: { allow: false, nobody: "nobody is here to approve it in this run" } };
    case "question":
      return { kind: "question", value: null };
    case "review":
      return { kind: "review", value: { approved: false, feedback: "no person present" } };
    case "pick":
      return { kind: "pick", value: null };
    case "edit":
      return { kind: "edit", value: null };
  }
}
