/**
 * What is around the screen: the window's title, its progress, a notification for a person who looks elsewhere. Writes
 * only what changed, and only what this terminal understands.
 */
import type { Event, EventOf } from "../../src/protocol/event.ts";
import type { ViewState } from "../view/view-state.ts";
import { attention, type WindowState, windowState, windowTitle } from "./attention.ts";
import type { Report } from "./key-decoder.ts";
import { clipboard, MOST_COPIED, notification, POP_TITLE, PUSH_TITLE, progress, titleSequence } from "./osc.ts";
import { type TerminalSkills, terminalSkills } from "./terminal-skills.ts";
import type { Background } from "./theme.ts";
import { ASK_BACKGROUND, followsBackground, readBackground, type ThemeName } from "./theme-choice.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const ENTER_FOCUS = "\x1b[?1004h";
const LEAVE_FOCUS = "\x1b[?1004l";
/** Changes of the desktop's colours are told (mode 2031 of Contour, kitty and others). */
const ENTER_COLOURS = "\x1b[?2031h";
const LEAVE_COLOURS = "\x1b[?2031l";
/** Without focus reports, who has not pressed a key for this long is taken to look elsewhere. */
const AWAY_MS = 10_000;

export class Surroundings {
  readonly skills: TerminalSkills;
  private on: boolean;
  private followsBackground: boolean;
  /** The terminal is ours at the moment. */
  private taken = false;
  private focused: boolean | undefined;
  private keyAt = 0;
  private title = "";
  private state: WindowState = "idle";

  constructor(
    private readonly env: Environment,
    private readonly write: (bytes: string) => void,
  ) {
    this.skills = terminalSkills(env);
    this.followsBackground = this.skills.sequences && followsBackground(env);
    // AURA_NOTIFY=off leaves title, progress and notifications alone.
    this.on = this.skills.sequences && !/^(off|0|false|no)$/i.test(env["AURA_NOTIFY"] ?? "");
  }

  /** What goes before and behind the time in which the terminal is ours. */
  readonly modes = {
    enter: (): string => {
      this.taken = true;
      const colours = this.followsBackground ? ASK_BACKGROUND + ENTER_COLOURS : "";
      return colours + (this.on ? PUSH_TITLE + ENTER_FOCUS + this.again() : "");
    },
    leave: (): string => {
      this.taken = false;
      const colours = this.followsBackground ? LEAVE_COLOURS : "";
      if (!this.on) return colours;
      const calm = this.skills.progress && this.state !== "idle" ? progress("none") : "";
      return `${calm}${colours}${LEAVE_FOCUS}${titleSequence("")}${POP_TITLE}`;
    },
  };

  /** Whether title, progress and notifications are wanted from now on. */
  notify(wanted: boolean): void {
    const on = wanted && this.skills.sequences;
    if (on === this.on) return;
    this.on = on;
    if (this.taken && on) this.write(PUSH_TITLE + ENTER_FOCUS);
    if (this.taken && !on) this.write(LEAVE_FOCUS + (this.title === "" ? "" : titleSequence("")) + POP_TITLE);
    this.title = "";
  }

  /** A theme that follows the terminal's background asks for it, and is told when it changes. */
  wear(theme: ThemeName): void {
    const follows = this.skills.sequences && followsBackground({ ...this.env, AURA_THEME: theme });
    if (follows === this.followsBackground) return;
    this.followsBackground = follows;
    if (this.taken) this.write(follows ? ASK_BACKGROUND + ENTER_COLOURS : LEAVE_COLOURS);
  }

  pressed(): void {
    this.keyAt = performance.now();
    if (this.focused === false) this.focused = undefined;
  }

  /** Returns the background when the report tells it. */
  heard(report: Report): Background | undefined {
    if (report.type === "focus") this.focused = report.focused;
    if (report.type === "osc") return readBackground(report.text);
    return report.type === "colours" ? report.background : undefined;
  }

  /** After `event` has made `view` of the screen. */
  saw(event: Event, view: ViewState): void {
    if (!this.on) return;
    let out = "";
    const title = windowTitle(view);
    if (title !== this.title) out += titleSequence(title);
    this.title = title;
    const state = windowState(view);
    if (state !== this.state && this.skills.progress) out += progress(state === "idle" ? "none" : state);
    this.state = state;
    const text = attention(event, view);
    if (text !== undefined && this.isAway()) out += notification(text, this.skills);
    if (out !== "") this.write(out);
  }

  /** Sends what /copy gives to the clipboard; the event then says so instead of repeating it. */
  copied(event: EventOf<"command-finished">): EventOf<"command-finished"> {
    const text = (event.data as { readonly copy?: unknown } | undefined)?.copy;
    if (typeof text !== "string") return event;
    const bytes = Buffer.byteLength(text);
    if (!this.skills.sequences) return { ...event, text: "this terminal has no clipboard", failed: true };
    if (bytes > MOST_COPIED) {
      const problem = `not sent: ${bytes} bytes are more than terminals take (/export writes them to a file)`;
      return { ...event, text: problem, failed: true };
    }
    this.write(clipboard(text, this.skills));
    return {
      ...event,
      text: `sent to the terminal: ${text.length} ${text.length === 1 ? "character" : "characters"} (it does not tell whether it copied them)`,
    };
  }

  private isAway(): boolean {
    return this.focused === undefined ? performance.now() - this.keyAt > AWAY_MS : !this.focused;
  }

  /** After a suspension the window has another title. */
  private again(): string {
    return this.title === "" ? "" : titleSequence(this.title);
  }
}
