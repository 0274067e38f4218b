/**
 * Turns the bytes of a terminal into keys. However the bytes are cut into chunks, the keys are the same; only a lone
 * ESC needs a pause to be told from the start of a sequence.
 * After: xterm control sequences (ctlseqs), the kitty keyboard protocol, and xterm's modifyOtherKeys.
 */
import { StringDecoder } from "node:string_decoder";

export interface Key {
  /** `a`, `enter`, `up`, `f5`, `space`, ...; `text` for typed characters in a run; `paste` for a paste. */
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** What is typed or pasted; absent for keys that type nothing. */
  readonly text?: string;
}

/** `ctrl+alt+x`, `shift+enter`, `a`. */
export function keyName(key: Key): string {
  const shift = key.shift && key.text === undefined;
  return `${key.ctrl ? "ctrl+" : ""}${key.alt ? "alt+" : ""}${shift ? "shift+" : ""}${key.name}`;
}

/** Milliseconds to wait for more bytes, and what to do then is `expire`. */
export const ESCAPE_MS = 30;
/** The same over a network, which may deliver a sequence in two pieces. */
export const REMOTE_ESCAPE_MS = 120;
/** A paste or sequence whose end was lost ends after this silence. */
export const LOST_MS = 1_000;

/** The name of what is no key: the terminal's answer to a status request (DSR 5), in its place among the keys. */
export const READY = "terminal-ready";
export const ASK_READY = "\x1b[5n";

/** The same for its answer that it knows synchronized output (DECRQM of mode 2026). */
export const SYNCHRONIZES = "terminal-synchronizes";
export const ASK_SYNCHRONIZES = "\x1b[?2026$p";

/** What the terminal tells by itself or was asked: no key, and in no order with the keys. */
export type Report =
  | { readonly type: "focus"; readonly focused: boolean }
  /** The text of an operating system command, for example `11;rgb:0000/0000/0000`. */
  | { readonly type: "osc"; readonly text: string }
  /** The desktop's colours changed (mode 2031). */
  | { readonly type: "colours"; readonly background: "dark" | "light" };

export interface KeyDecoder {
  feed(bytes: Uint8Array): Key[];
  /** How long to wait before calling `expire` when nothing more comes; undefined: nothing is pending. */
  waits(): number | undefined;
  /** Nothing more came: settles what can be settled. */
  expire(): Key[];
}

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** Sequences longer than this are broken and dropped. */
const MAX_SEQUENCE = 64;
const MAX_STRING = 65_536;

export function createKeyDecoder(
  onReport: (report: Report) => void = () => undefined,
  escapeMs: number = ESCAPE_MS,
): KeyDecoder {
  const utf8 = new StringDecoder("utf8");
  let pending = "";
  /** Chunks of an unfinished paste. */
  let pasting: string[] | undefined;

  const drain = (): Key[] => {
    const keys: Key[] = [];
    for (;;) {
      if (pasting !== undefined) {
        const end = pending.indexOf(PASTE_END);
        if (end < 0) {
          // The marker itself may be cut: its possible beginning stays pending.
          const keep = overlap(pending, PASTE_END);
          pasting.push(pending.slice(0, pending.length - keep));
          pending = pending.slice(pending.length - keep);
          return keys;
        }
        keys.push(pasteKey([...pasting, pending.slice(0, end)].join("")));
        pending = pending.slice(end + PASTE_END.length);
        pasting = undefined;
      }
      if (pending === "") return keys;
      if (pending.startsWith(PASTE_START)) {
        pending = pending.slice(PASTE_START.length);
        pasting = [];
        continue;
      }
      const step = next(pending);
      if (step === undefined) return keys;
      pending = pending.slice(step.length);
      if (step.report !== undefined) onReport(step.report);
      if (step.key !== undefined) keys.push(step.key);
    }
  };

  return {
    feed(bytes) {
      pending += utf8.write(Buffer.from(bytes));
      return drain();
    },
    waits() {
      if (pasting !== undefined) return LOST_MS;
      if (pending === "") return undefined;
      return pending.length <= 2 ? escapeMs : LOST_MS;
    },
    expire() {
      if (pasting !== undefined) {
        const text = [...pasting, pending].join("");
        pasting = undefined;
        pending = "";
        return [pasteKey(text)];
      }
      const rest = pending;
      pending = "";
      if (rest === "\x1b") return [plain("escape")];
      if (rest === "\x1b\x1b") return [plain("escape"), plain("escape")];
      // Anything longer is a sequence that lost its end.
      return rest.length === 2 ? [altKey(rest.slice(1))] : [];
    },
  };
}

interface Step {
  readonly length: number;
  readonly key?: Key;
  readonly report?: Report;
}

/** The first key of `input`; undefined when it is not complete. A step without a key is something to swallow. */
function next(input: string): Step | undefined {
  if (!input.startsWith("\x1b")) return character(input);
  const second = input[1];
  if (second === undefined) return undefined;
  if (second === "[") return csi(input);
  if (second === "O") return ss3(input);
  if (second === "]" || second === "P" || second === "_" || second === "^" || second === "X")
    return controlString(input);
  // Two escapes: the first stands alone, or a terminal prefixes a sequence with ESC for Alt.
  if (second === "\x1b") {
    const third = input[2];
    if (third === undefined) return undefined;
    if (third !== "[" && third !== "O") return { length: 1, key: plain("escape") };
    const inner = next(input.slice(1));
    if (inner === undefined) return undefined;
    if (inner.report !== undefined || inner.key?.name === READY || inner.key?.name === SYNCHRONIZES)
      return { length: 1, key: plain("escape") };
    return { length: inner.length + 1, ...(inner.key === undefined ? {} : { key: { ...inner.key, alt: true } }) };
  }
  const rest = character(input.slice(1));
  return rest === undefined ? undefined : { length: rest.length + 1, key: altKey(input.slice(1, 1 + rest.length)) };
}

function character(input: string): Step {
  const code = input.codePointAt(0) ?? 0;
  const length = code > 0xffff ? 2 : 1;
  return { length, key: characterKey(code) };
}

function characterKey(code: number): Key {
  if (code === 0x0d) return plain("enter");
  if (code === 0x0a) return { ...plain("j"), ctrl: true };
  if (code === 0x09) return plain("tab");
  if (code === 0x7f) return plain("backspace");
  if (code === 0x08) return { ...plain("h"), ctrl: true };
  if (code === 0x00) return { ...plain("space"), ctrl: true };
  if (code === 0x1b) return plain("escape");
  if (code < 0x1b) return { ...plain(String.fromCharCode(code + 0x60)), ctrl: true };
  if (code < 0x20) return { ...plain(String.fromCharCode(code + 0x40)), ctrl: true };
  return typed(String.fromCodePoint(code));
}

function typed(text: string): Key {
  return { ...plain(text === " " ? "space" : text), text };
}

function altKey(text: string): Key {
  const { text: _typed, ...key } = characterKey(text.codePointAt(0) ?? 0);
  return { ...key, alt: true };
}

/** CSI: ESC [ parameters intermediates final. */
function csi(input: string): Step | undefined {
  let end = 2;
  // The Linux console sends ESC [ [ A for F1.
  if (input[2] === "[") return input.length < 4 ? undefined : { length: 4, ...optional(LINUX_F[input[3] ?? ""]) };
  while (end < input.length && end < MAX_SEQUENCE && inRange(input, end, 0x20, 0x3f)) end++;
  if (end >= MAX_SEQUENCE) return { length: end };
  if (end >= input.length) return undefined;
  // An unexpected character ends a broken sequence; it is read again on its own.
  if (!inRange(input, end, 0x40, 0x7e)) return { length: end };
  const parameters = input.slice(2, end);
  const final = input[end] ?? "";
  // X10 mouse: three more characters.
  if (final === "M" && parameters === "") return input.length < end + 4 ? undefined : { length: end + 4 };
  const report = csiReport(parameters, final);
  return { length: end + 1, ...(report === undefined ? optional(csiKey(parameters, final)) : { report }) };
}

/** Focus events (mode 1004) and changes of the colours (mode 2031). */
function csiReport(parameters: string, final: string): Report | undefined {
  if (parameters === "" && (final === "I" || final === "O")) return { type: "focus", focused: final === "I" };
  const scheme = final === "n" ? /^\?997;([12])$/.exec(parameters)?.[1] : undefined;
  return scheme === undefined ? undefined : { type: "colours", background: scheme === "1" ? "dark" : "light" };
}

function csiKey(parameters: string, final: string): Key | undefined {
  if (final === "y" && /^\?2026;[123]\$$/.test(parameters)) return plain(SYNCHRONIZES);
  // The wheel, as SGR mouse reports tell it (mode 1006).
  if (final === "M" && /^<6[45];\d+;\d+$/.test(parameters))
    return plain(parameters[2] === "4" ? "wheelup" : "wheeldown");
  // Mouse, focus, device reports and mode replies carry a private marker or are focus events: not keys.
  if (/^[<=>?]/.test(parameters) || /[\x20-\x2f]/.test(parameters)) return undefined;
  const fields = parameters.split(";").map((field) => field.split(":"));
  const number = (field: number, part: number, otherwise: number) => {
    const value = fields[field]?.[part];
    return value === undefined || value === "" ? otherwise : Number(value);
  };
  // Kitty reports releases as event type 3.
  if (number(1, 1, 1) === 3) return undefined;
  const modifiers = number(1, 0, 1);
  if (final === "u") return codeKey(number(0, 0, 0), modifiers);
  if (final === "~") {
    if (number(0, 0, 0) === 27) return codeKey(number(2, 0, 0), modifiers);
    const name = TILDE[number(0, 0, 0)];
    return name === undefined ? undefined : withModifiers(plain(name), modifiers);
  }
  if (final === "Z") return { ...plain("tab"), shift: true };
  if (final === "R" && fields.length > 1 && number(0, 0, 1) > 1) return undefined;
  if (final === "n") return plain(READY);
  const name = LETTER[final];
  return name === undefined ? undefined : withModifiers(plain(name), modifiers);
}

/** A key given by its code point: kitty `CSI u` and modifyOtherKeys. */
function codeKey(code: number, modifiers: number): Key | undefined {
  const named = KITTY[code];
  if (named !== undefined) return withModifiers(plain(named), modifiers);
  if (code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || (code >= 0xe000 && code <= 0xf8ff))
    return undefined;
  const bits = modifiers - 1;
  const character = String.fromCodePoint(code);
  if ((bits & ~1) === 0) return typed(bits & 1 ? character.toUpperCase() : character);
  return withModifiers(plain(code === 0x20 ? "space" : character.toLowerCase()), modifiers);
}

/** SS3: ESC O letter; application cursor keys and F1 to F4. */
function ss3(input: string): Step | undefined {
  const letter = input[2];
  if (letter === undefined) return undefined;
  if (letter === "M") return { length: 3, key: plain("enter") };
  const name = LETTER[letter];
  if (name !== undefined) return { length: 3, key: plain(name) };
  // Not a sequence: Alt+O and then whatever follows.
  return inRange(input, 2, 0x40, 0x7e) ? { length: 3 } : { length: 2, key: altKey("O") };
}

/** OSC, DCS, APC, PM, SOS: answers of the terminal, swallowed whole up to BEL or ST. */
function controlString(input: string): Step | undefined {
  for (let at = 2; at < input.length; at++) {
    if (at >= MAX_STRING) return { length: at };
    const code = input.charCodeAt(at);
    if (code === 0x07) return { length: at + 1, ...oscReport(input.slice(0, at)) };
    if (code !== 0x1b) continue;
    if (at + 1 >= input.length) return undefined;
    // Any other escape ends a string that lost its terminator.
    return input[at + 1] === "\\" ? { length: at + 2, ...oscReport(input.slice(0, at)) } : { length: at };
  }
  return undefined;
}

function oscReport(sequence: string): { report?: Report } {
  return sequence[1] === "]" ? { report: { type: "osc", text: sequence.slice(2) } } : {};
}

function withModifiers(key: Key, modifiers: number): Key {
  const bits = Math.max(0, modifiers - 1);
  // Bit 8 is super and 32 meta; both act as Alt.
  return { ...key, shift: (bits & 1) !== 0 || key.shift, alt: (bits & 0b101010) !== 0, ctrl: (bits & 4) !== 0 };
}

function plain(name: string): Key {
  return { name, ctrl: false, alt: false, shift: false };
}

function pasteKey(text: string): Key {
  return { ...plain("paste"), text };
}

function optional(key: Key | undefined): { key?: Key } {
  return key === undefined ? {} : { key };
}

function inRange(input: string, at: number, low: number, high: number): boolean {
  const code = input.charCodeAt(at);
  return code >= low && code <= high;
}

/** Length of the longest end of `text` that begins `marker`. */
function overlap(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--) {
    if (marker.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}

const LETTER: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

const TILDE: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

const KITTY: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57426: "delete",
};

const LINUX_F: Readonly<Record<string, Key>> = {
  A: plain("f1"),
  B: plain("f2"),
  C: plain("f3"),
  D: plain("f4"),
  E: plain("f5"),
};
