/**
 * Line editing that only ever appends: what is typed is echoed, Backspace takes back the last character, and a line that
 * changes otherwise is written anew below. No escape sequence is written, and those that come in are dropped. Pure.
 */
import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, graphemes } from "../../src/text/width.ts";

export interface Typewriter {
  readonly text: string;
  /** The bytes of an escape sequence that is not complete yet. */
  readonly partial: string;
  /** Oldest first. */
  readonly history: readonly string[];
  /** The entry that was brought back. */
  readonly at: number | undefined;
}

export const emptyTypewriter: Typewriter = { text: "", partial: "", history: [], at: undefined };

export type TypedEvent =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "pasted"; readonly lines: readonly string[] }
  | { readonly type: "interrupt" | "end" | "complete" | "suspend" };

export interface Typed {
  readonly state: Typewriter;
  /** What a terminal shows of it. */
  readonly echo: string;
  readonly events: readonly TypedEvent[];
}

/** `prompt` stands before the line where it is written anew; `hidden` echoes nothing that is typed. */
export function typeInto(before: Typewriter, chunk: string, prompt: string, hidden: boolean): Typed {
  let state = before;
  let echo = "";
  const events: TypedEvent[] = [];
  const show = (text: string) => {
    echo += hidden ? "" : text;
  };
  const anew = (text: string, at: number | undefined) => {
    state = { ...state, text, at };
    echo += `\n${prompt}`;
    show(shown(text));
  };
  const keys = keysOf(before.partial + chunk);
  for (const key of keys.whole) {
    switch (key) {
      case "\r":
      case "\n":
        events.push({ type: "line", text: state.text });
        echo += "\n";
        state = { ...state, text: "", at: undefined };
        break;
      case "\x7f":
      case "\b": {
        const last = graphemes(state.text).at(-1);
        if (last === undefined) break;
        state = { ...state, text: state.text.slice(0, -last.length) };
        show(erase(last));
        break;
      }
      case "\x17": {
        const last = /\S*\s*$/.exec(state.text)?.[0] ?? "";
        state = { ...state, text: state.text.slice(0, state.text.length - last.length) };
        show(erase(last));
        break;
      }
      case "\x15":
        if (state.text !== "") anew("", undefined);
        break;
      case "\x03":
        if (state.text === "") events.push({ type: "interrupt" });
        else anew("", undefined);
        break;
      case "\x04":
        if (state.text === "") events.push({ type: "end" });
        break;
      case "\t":
        if (!hidden) events.push({ type: "complete" });
        break;
      case "\x1a":
        events.push({ type: "suspend" });
        break;
      case "up":
      case "down": {
        const at = (state.at ?? state.history.length) + (key === "up" ? -1 : 1);
        const entry = state.history[at];
        if (!hidden && entry !== undefined) anew(entry, at);
        break;
      }
      default:
        if (CONTROL.test(key)) break;
        state = { ...state, text: state.text + key };
        show(key);
    }
  }
  return { state: { ...state, partial: keys.partial }, echo, events: joinPaste(events, keys.whole.length) };
}

/** What is typed, as it stands on the screen. */
export function shown(text: string): string {
  return neutralise(text);
}

/** Nobody types two lines within one reading: they were pasted, and a paste is not sent before Enter. */
function joinPaste(events: readonly TypedEvent[], keys: number): readonly TypedEvent[] {
  const lines = events.flatMap((event) => (event.type === "line" ? [event.text] : []));
  const endsAlone = lines.length === 1 && keys > 0;
  if (lines.length === 0 || endsAlone) return events;
  const rest = events.filter((event) => event.type !== "line");
  return [{ type: "pasted", lines }, ...rest];
}

/** Keys without a meaning here, and the 8-bit controls that a paste may carry. */
const CONTROL = /^[\x00-\x1f\x80-\x9f]$/;

function erase(text: string): string {
  const cells = text.split("\n").reduce((sum, part) => sum + displayWidth(part), 0);
  return "\b".repeat(cells) + " ".repeat(cells) + "\b".repeat(cells);
}

const SEQUENCE = /^\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|O[\x40-\x7e]|[^[O\x00-\x1f])/;
const ARROWS: Readonly<Record<string, string>> = { "\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down" };

/** Characters and named keys; the start of a sequence whose end has not come is `partial`. */
function keysOf(text: string): { whole: string[]; partial: string } {
  const whole: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] !== "\x1b") {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      whole.push(character === "\r" && text[at + 1] === "\n" ? "" : character);
      at += character.length;
      continue;
    }
    const rest = text.slice(at);
    const sequence = SEQUENCE.exec(rest)?.[0];
    if (sequence === undefined && /^\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*|O)$/.test(rest)) return { whole, partial: rest };
    whole.push(ARROWS[sequence ?? ""] ?? "");
    at += sequence?.length ?? 1;
  }
  return { whole: whole.filter((key) => key !== ""), partial: "" };
}
