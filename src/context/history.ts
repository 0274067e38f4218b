import type { Message } from "../protocol/message.ts";
import { callsOf, fadeFailed, pairUp, resultsOf } from "./pairing.ts";
import { type Audience, isVisible } from "./visibility.ts";

/**
 * The messages of a conversation and who sees which. What `forModel` returns grows at its end only: entries of an
 * earlier answer stay the same objects, so that consecutive requests share their beginning byte for byte. It changes
 * further back only where failed calls fade (`pairing.ts`) and through `remove`, `drop`, `rewrite`, `replace` and `clear`.
 */
export class History {
  #messages: Message[];
  /** Waits for the results of the open calls, so that nothing comes between a call and its result. */
  #waiting: Message[] = [];
  /** What the model sees of `#messages` up to `#settledTo`; nothing added later can change it. */
  #settled: Message[] = [];
  #settledTo = 0;

  constructor(messages: readonly Message[] = []) {
    this.#messages = [...messages];
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  add(message: Message): void {
    this.#messages.push(message);
    if (this.#waiting.length > 0 && !hasOpenCalls(this.#messages)) this.#messages.push(...this.#waiting.splice(0));
  }

  /** Adds a message from outside the turn (`/insert`, a bookmark): at once, or behind the results still to come. */
  insert(message: Message): void {
    if (hasOpenCalls(this.#messages)) this.#waiting.push(message);
    else this.#messages.push(message);
  }

  /**
   * Takes back the last things said: a prompt, or a reply with its calls and results. Returns how many and the ids of
   * all messages that went with them.
   */
  drop(count: number): { readonly dropped: number; readonly ids: readonly string[] } {
    let cut = this.#messages.length;
    let dropped = 0;
    for (let at = cut - 1; at >= 0 && dropped < count; at--) {
      if (!isSaid(this.#messages[at]!)) continue;
      cut = at;
      dropped++;
    }
    const gone = [...this.#messages.splice(cut), ...this.#waiting.splice(0)];
    this.#forget();
    return { dropped, ids: gone.map(({ id }) => id) };
  }

  /** Takes back a message and all that came after it. Returns what went, nothing when it is not there. */
  dropFrom(id: string): readonly Message[] {
    const at = this.#messages.findIndex((message) => message.id === id);
    if (at < 0) return [];
    const gone = [...this.#messages.splice(at), ...this.#waiting.splice(0)];
    this.#forget();
    return gone;
  }

  /** Takes single messages out, such as injections for one request. */
  remove(ids: ReadonlySet<string>): void {
    this.#messages = this.#messages.filter(({ id }) => !ids.has(id));
    this.#waiting = this.#waiting.filter(({ id }) => !ids.has(id));
    this.#forget();
  }

  /** Puts changed messages in the place of those with their ids, as pruning does. */
  rewrite(changed: readonly Message[]): void {
    const byId = new Map(changed.map((message) => [message.id, message]));
    this.#messages = this.#messages.map((message) => byId.get(message.id) ?? message);
    this.#forget();
  }

  /** Puts a compaction's messages where the first of `replaced` stood. The rest forgets what its requests cost. */
  replace(replaced: ReadonlySet<string>, by: readonly Message[]): void {
    const first = this.#messages.findIndex(({ id }) => replaced.has(id));
    const kept = (part: readonly Message[]) => part.filter(({ id }) => !replaced.has(id)).map(withoutUsage);
    const at = Math.max(0, first);
    this.#messages = [...kept(this.#messages.slice(0, at)), ...by, ...kept(this.#messages.slice(at))];
    this.#forget();
  }

  clear(): void {
    this.#messages = [];
    this.#waiting = [];
    this.#forget();
  }

  /** Costs what was added since the last successful reply, not the length of the conversation. */
  forModel(): readonly Message[] {
    const settleTo = this.#findSettled();
    if (settleTo > this.#settledTo) {
      const segment = this.#messages.slice(this.#settledTo, settleTo);
      this.#settled.push(...modelView(segment, segment.length));
      this.#settledTo = settleTo;
    }
    const tail = this.#messages.slice(settleTo);
    return [...this.#settled, ...modelView(tail, tail.findLastIndex(isReply))];
  }

  forDisplay(): readonly Message[] {
    return this.#for("display");
  }

  forSave(): readonly Message[] {
    return this.#for("save");
  }

  /** `data`: for JSON. Failed calls the model no longer sees are left out as well. */
  forExport(how: "export" | "data"): readonly Message[] {
    return pairUp(this.#faded().filter((message) => isVisible(message, how)));
  }

  /** What a summary may be made of, without thinking. */
  forCompaction(): readonly Message[] {
    return pairUp(this.#faded().filter((message) => isVisible(message, "compaction"))).flatMap(withoutThinking);
  }

  #for(audience: Audience): readonly Message[] {
    return this.#messages.filter((message) => isVisible(message, audience));
  }

  #faded(): readonly Message[] {
    return fadeFailed(this.#messages, this.#messages.length);
  }

  /** The newest successful reply: all before it is final, unless a call there is still open. */
  #findSettled(): number {
    const at = this.#messages.findLastIndex(isReply);
    if (at <= this.#settledTo) return this.#settledTo;
    return hasOpenCalls(this.#messages.slice(this.#settledTo, at)) ? this.#settledTo : at;
  }

  #forget(): void {
    this.#settled = [];
    this.#settledTo = 0;
  }
}

function modelView(messages: readonly Message[], answered: number): readonly Message[] {
  const seen = messages.filter((message) => isVisible(message, "model"));
  const before = messages.slice(0, Math.max(0, answered)).filter((message) => isVisible(message, "model")).length;
  return pairUp(fadeFailed(seen, before));
}

/** A reply that arrived whole: only then has the model read what was sent once. */
const isReply = ({ role, kind, interrupted }: Message) =>
  role === "assistant" && kind === "normal" && interrupted !== true;

/** What a person would count: prompts and replies. */
const isSaid = ({ role, kind }: Message) => role !== "tool" && (kind === "normal" || kind === "synthetic");

function hasOpenCalls(messages: readonly Message[]): boolean {
  const open: string[] = [];
  for (const message of messages) {
    for (const { callId } of callsOf(message)) open.push(callId);
    for (const { callId } of resultsOf(message)) {
      const at = open.lastIndexOf(callId);
      if (at >= 0) open.splice(at, 1);
    }
  }
  return open.length > 0;
}

function withoutUsage(message: Message): Message {
  if (!message.usage) return message;
  const { usage: _, ...rest } = message;
  return rest;
}

function withoutThinking(message: Message): readonly Message[] {
  const parts = message.parts.filter((part) => part.type !== "thinking");
  return parts.length === 0 ? [] : [parts.length === message.parts.length ? message : { ...message, parts }];
}
