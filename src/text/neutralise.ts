/**
 * Text from a model, a tool or a file may carry terminal control sequences; printed as they are they could move the
 * cursor, hide words or answer a dialog. Everything on a screen passes through here first.
 */

/** Characters that could matter: C0 except tab and newline, DEL, C1, line separators, bidirectional controls. */
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/**
 * Escape sequences after ECMA-48: CSI, string sequences (OSC, DCS, SOS, PM, APC; also unterminated up to the line's
 * end), two-character escapes and their 8-bit forms.
 */
const SEQUENCE =
  /(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]?|(?:\x1b[\]P^_X]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[\x20-\x2f]*[\x30-\x7e]?/g;

/**
 * Removes control sequences and makes stray control characters visible.
 * A carriage return means what it means on a terminal: the rest overwrites the line, so only the last writing is kept.
 */
export function neutralise(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const lines = text.replace(/\r\n/g, "\n").replace(SEQUENCE, "").split("\n");
  return lines.map((line) => showControls(lastWriting(line))).join("\n");
}

/** Shows every control character as a picture and removes nothing: for what a person is asked to allow. */
export function reveal(text: string): string {
  return SUSPECT.test(text) ? showControls(text.replace(/\r\n/g, "\n")) : text;
}

function lastWriting(line: string): string {
  if (!line.includes("\r")) return line;
  const writings = line.split("\r").filter((part) => part !== "");
  return writings.at(-1) ?? "";
}

function showControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, picture);
}

/** The Unicode control pictures (U+2400 block) for C0 and DEL, the code point's number for the others. */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
