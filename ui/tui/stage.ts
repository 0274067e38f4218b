/** The one place the screen's value lives, with what fades from it by itself. */
import type { Level } from "../../src/protocol/event.ts";
import { emptyScreen, type Screen } from "./screen.ts";

const FLASH_MS = 5_000;
const ARMED_MS = 2_000;

export class Stage {
  screen: Screen = emptyScreen;
  private flashTimer: NodeJS.Timeout | undefined;
  private armTimer: NodeJS.Timeout | undefined;

  /** `onChange` is told when the screen changed by itself. */
  constructor(private readonly onChange: () => void) {}

  change(part: Partial<Screen>): void {
    this.screen = { ...this.screen, ...part };
  }

  flash(level: Level, text: string): void {
    if (text === "") return;
    this.change({ flash: { level, text } });
    this.fadeFlash();
    this.onChange();
  }

  /** Information and warnings go by themselves, errors stay until the next input. */
  fadeFlash(): void {
    clearTimeout(this.flashTimer);
    const { flash } = this.screen;
    if (flash === undefined || flash.level === "error") return;
    this.flashTimer = setTimeout(() => {
      if (this.screen.flash !== flash) return;
      this.change({ flash: undefined });
      this.onChange();
    }, FLASH_MS);
  }

  /** A second Ctrl+C or Esc within this time counts as the second. */
  arm(): void {
    clearTimeout(this.armTimer);
    this.armTimer = setTimeout(() => {
      this.change({ armed: undefined, flash: undefined });
      this.onChange();
    }, ARMED_MS);
  }

  disarm(): void {
    clearTimeout(this.armTimer);
  }

  stop(): void {
    clearTimeout(this.flashTimer);
    clearTimeout(this.armTimer);
  }
}
