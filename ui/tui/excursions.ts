/** The terminal in other hands: the shell's while we are suspended, an editor's while it runs. */

import type { InputStream } from "../view/input-stream.ts";
import type { Outlet } from "./outlet.ts";
import { editOutside, type OutsideEdit } from "./outside-editor.ts";
import type { Terminal } from "./terminal.ts";

export interface ExcursionsOptions {
  readonly terminal: Terminal;
  readonly outlet: Pick<Outlet, "flushed">;
  readonly stdin: InputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes what is painted away. */
  readonly leave: () => void;
  /** Paints everything anew. */
  readonly back: () => void;
}

export class Excursions {
  /** Another program has the terminal. */
  isAway = false;

  constructor(private readonly options: ExcursionsOptions) {}

  async suspend(): Promise<void> {
    this.options.leave();
    await this.options.terminal.suspend();
    this.options.back();
  }

  /** The terminal is the editor's until it ends; undefined when it is somebody's already, or nobody wants it back. */
  async edit(text: string, isWanted: () => boolean): Promise<OutsideEdit | undefined> {
    if (this.isAway) return undefined;
    const { terminal, outlet, stdin, env, leave, back } = this.options;
    this.isAway = true;
    leave();
    terminal.giveBack();
    stdin.pause();
    await outlet.flushed();
    const result = await editOutside(text, env);
    this.isAway = false;
    if (!isWanted()) return undefined;
    terminal.take();
    stdin.resume();
    back();
    return result;
  }
}
