// An SSE reader downstream pays about 25 µs per event (stream hops, schema checks) while models send one event per
// token. Neighbouring events that only continue the same text are therefore joined before anyone parses them.
// Formats: OpenAI chat completions and Responses, Anthropic messages, Gemini `alt=sse`; anything else passes untouched.
// SSE framing after https://html.spec.whatwg.org/multipage/server-sent-events.html

import { StringDecoder } from "node:string_decoder";
import { readDelta } from "./sse-deltas.ts";

export interface SseCoalescer {
  /** The bytes of one network read; returns what may be handed on, possibly "". */
  push(bytes: Uint8Array): string;
  /** The rest, when the body has ended. */
  end(): string;
}

/**
 * Joins adjacent text-only deltas of one read. The concatenated text, all other events and their order stay as they
 * were; what belongs to an unfinished event waits for the next read.
 */
export function createSseCoalescer(): SseCoalescer {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const run = new DeltaRun();

  function take(text: string): string {
    rest += text;
    let out = "";
    let from = 0;
    // A blank line, as Unix or as DOS writes it. Each is searched once, not once an event.
    let unix = rest.indexOf("\n\n");
    let dos = rest.indexOf("\r\n\r\n");
    while (unix >= 0 || dos >= 0) {
      const end = unix < 0 || (dos >= 0 && dos < unix) ? dos + 4 : unix + 2;
      out += run.add(rest.slice(from, end));
      from = end;
      if (unix >= 0 && unix < from) unix = rest.indexOf("\n\n", from);
      if (dos >= 0 && dos < from) dos = rest.indexOf("\r\n\r\n", from);
    }
    rest = rest.slice(from);
    return out + run.flush();
  }

  return {
    push: (bytes) => take(decoder.write(bytes as Buffer)),
    end: () => {
      const out = take(decoder.end());
      const last = rest;
      rest = "";
      return out + last;
    },
  };
}

// One `data:` line, perhaps after an `event:` line; the blank line is part of the tail.
const EVENT = /^((?:event:[^\r\n]*\r?\n)?data: ?)(\{[^\r\n]*\})(\r?\n\r?\n)$/;
// What may stand between the quotes of a JSON string.
const STRING_BODY = /^(?:[^"\\\u0000-\u001f]|\\.)*$/;

/** Consecutive events that continue the same text. */
class DeltaRun {
  #count = 0;
  /** A run of one leaves exactly as it came. */
  #single = "";
  #texts: string[] = [];
  #join: (text: string) => string = (text) => text;
  /** For a run of parsed events: what stands around the payload, and which text it is. */
  #place = "";
  /** Most servers repeat an event to the byte but for its text: then nothing needs to be parsed. */
  #template: Template | undefined;
  #isTemplated = false;
  /** Templates in a row that fitted no second event; a server that numbers its events needs none. */
  #misses = 0;

  /** Returns what is now certain to be finished. */
  add(event: string): string {
    const middle = this.#template === undefined ? undefined : textWithin(event, this.#template);
    if (middle !== undefined) {
      this.#misses = 0;
      const out = this.#isTemplated ? "" : this.flush();
      if (this.#count === 0) this.#startTemplated(event, this.#template!);
      this.#push(middle);
      return out;
    }
    const parts = EVENT.exec(event);
    const delta = parts === null ? undefined : readDelta(parts[2]!);
    if (parts === null || delta === undefined) return this.flush() + event;
    const [, head, payload, tail] = parts as unknown as [string, string, string, string];

    const place = `${head}${tail}${delta.key}`;
    const continues = this.#count > 0 && !this.#isTemplated && place === this.#place;
    const out = continues ? "" : this.flush();
    const template = continues || this.#misses >= 3 ? undefined : templateOf(head, payload, tail, delta.text);
    if (template !== undefined) {
      this.#misses += 1;
      this.#template = template;
      this.#startTemplated(event, template);
      this.#push(textWithin(event, template) ?? "");
      return out;
    }
    if (!continues) this.#single = event;
    this.#place = place;
    this.#join = (text) => head + delta.withText(text) + tail;
    this.#push(delta.text);
    return out;
  }

  flush(): string {
    if (this.#count === 0) return "";
    const out = this.#count === 1 ? this.#single : this.#join(this.#texts.join(""));
    this.#texts = [];
    this.#count = 0;
    this.#isTemplated = false;
    return out;
  }

  #startTemplated(event: string, template: Template): void {
    this.#single = event;
    this.#isTemplated = true;
    // The texts are still escaped: neighbouring JSON strings join to a JSON string.
    this.#join = (text) => template.before + text + template.after;
  }

  #push(text: string): void {
    this.#texts.push(text);
    this.#count += 1;
  }
}

/** An event up to and from its text, both with the quote. */
interface Template {
  readonly before: string;
  readonly after: string;
}

/** The text between, still escaped; nothing when `event` is not of this template. */
function textWithin(event: string, { before, after }: Template): string | undefined {
  if (event.length < before.length + after.length) return undefined;
  if (!event.startsWith(before) || !event.endsWith(after)) return undefined;
  const middle = event.slice(before.length, event.length - after.length);
  return STRING_BODY.test(middle) ? middle : undefined;
}

function templateOf(head: string, payload: string, tail: string, text: string): Template | undefined {
  const literal = JSON.stringify(text);
  const at = payload.indexOf(literal);
  if (at < 0) return undefined;
  const before = payload.slice(0, at + 1);
  const after = payload.slice(at + literal.length - 1);
  // The same words may stand elsewhere in the payload; a probe shows whether this is the place.
  if (readDelta(`${before}probe${after}`)?.text !== "probe") return undefined;
  return { before: head + before, after: after + tail };
}
