/**
 * Operating system commands: sequences that speak to the window around the text.
 * After: xterm's ctlseqs (0, 52), iTerm2 (9), ConEmu (9;4), kitty's desktop notifications (99), rxvt-unicode (777),
 * FinalTerm's prompt marks (133).
 */
import { neutralise } from "../../src/text/neutralise.ts";
import type { TerminalSkills } from "./terminal-skills.ts";

const START = "\x1b]";
const END = "\x1b\\";

/** Window and tab title. */
export function titleSequence(text: string): string {
  return `${START}0;${plain(text, 120)}${END}`;
}

/** Puts the title on the terminal's own stack, and takes it back (XTWINOPS 22 and 23). */
export const PUSH_TITLE = "\x1b[22;0t";
export const POP_TITLE = "\x1b[23;0t";

const BELL = "\x07";

/** A desktop notification, or a bell where there are none. */
export function notification(text: string, skills: TerminalSkills): string {
  const body = plain(text, 200);
  switch (skills.notification) {
    case "osc 9":
      return `${START}9;${body}${END}`;
    case "osc 99":
      return `${START}99;i=aura:d=0;Aura${END}${START}99;i=aura:d=1:p=body;${body}${END}`;
    case "osc 777":
      return `${START}777;notify;Aura;${body.replaceAll(";", ",")}${END}`;
    case "bell":
      return BELL;
  }
}

/** The state of a progress bar that does not know how far it is, or none. */
export function progress(state: "busy" | "waiting" | "none"): string {
  return `${START}9;4;${{ none: 0, busy: 3, waiting: 4 }[state]};${state === "waiting" ? 100 : 0}${END}`;
}

/** Stands where a prompt begins. */
export const PROMPT_MARK = `${START}133;A${END}`;

/** More than this is refused by common terminals, in bytes. */
export const MOST_COPIED = 74_000;

/**
 * Asks the terminal to put text on the clipboard. Nothing tells whether it did. tmux takes it itself or passes it on,
 * each only where its owner allowed that, so it is told both ways.
 */
export function clipboard(text: string, { tmux }: Pick<TerminalSkills, "tmux">): string {
  const sequence = `${START}52;c;${Buffer.from(text, "utf8").toString("base64")}\x07`;
  return tmux ? `${sequence}\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}${END}` : sequence;
}

/** One line without anything that could end the sequence. */
function plain(text: string, limit: number): string {
  const line = neutralise(text).replace(/\s+/g, " ").trim();
  const short = line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
  return short.replace(/[\x00-\x1f\x7f-\x9f]/g, "");
}
