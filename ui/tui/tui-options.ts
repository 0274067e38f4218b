import type { FrontEnd } from "../../src/protocol/conversation.ts";
import type { InputStream } from "../view/input-stream.ts";
import type { OutputStream } from "./outlet.ts";
import type { ThemeName } from "./theme-choice.ts";

/** Files of the person at the keyboard. */
export interface TuiFiles {
  /** Where input history is kept; without it history lasts as long as the process. */
  readonly historyFile?: string;
  /** `keys.yaml`, which need not exist. */
  readonly keysFile?: string;
}

export interface TuiOptions extends TuiFiles {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without it AURA_THEME says, or the terminal's background. */
  readonly theme?: ThemeName;
  /** Printed once above the conversation; asked for when there is one. */
  readonly welcome?: () => readonly string[];
  /** The last line, for example how to resume; asked for on the way out. */
  readonly farewell?: () => string | undefined;
  /** What was typed before the screen was there. */
  readonly typedAhead?: readonly Buffer[];
  /** On the alternate screen instead of in the terminal's scrollback; with `mouse` the wheel scrolls it. */
  readonly fullscreen?: { readonly mouse: boolean };
  /** What the configuration says now; asked for again when it may have changed. */
  readonly settings?: () => TuiSettings;
}

/** Whatever is not given stays as it is. */
export interface TuiSettings {
  /** Counts until the conversation runs. */
  readonly fullscreen?: boolean;
  /** In fullscreen. */
  readonly mouse?: boolean;
  readonly theme?: ThemeName;
  /** `false` leaves the window's title alone and notifies nobody. */
  readonly notify?: boolean;
}

export interface Tui extends FrontEnd {
  /** Takes over what is known of the configuration: before `open` for the first frame, before `run` for the rest. */
  adopt(settings: TuiSettings): void;
  /** Paints the prompt and begins to read keys, before a conversation is there. `run` does it otherwise. */
  open(): void;
  /** What was not known yet when it was created. */
  read(files: TuiFiles): void;
  /** Gives the terminal back when there will be no conversation to run. */
  abandon(): void;
}
