export type ThinkLevel = "off" | "on" | "low" | "medium" | "high";

/** The line at the bottom of every screen (aura 19.3). */
export interface Status {
  readonly sessionId: string;
  readonly sessionName?: string;
  readonly title?: string;
  readonly agent: string;
  readonly mode?: string;
  readonly model: string;
  readonly provider: string;
  readonly think: ThinkLevel;
  /** 0 while idle. */
  readonly step: number;
  readonly maxSteps: number;
  readonly tokens: { readonly used: number; readonly window?: number };
  /** US dollars of this session, when every model used has a known price. */
  readonly cost?: number;
  readonly sandbox: "none" | "requested" | "enforced";
  readonly verbose: boolean;
  readonly auto: boolean;
  /** A turn is running. */
  readonly busy: boolean;
  readonly queued: number;
  /** Commands that run in the background; absent when there are none. */
  readonly background?: number;
  readonly cwd: string;
  /** What a command of the person's says instead: one line as it was printed, perhaps coloured. */
  readonly statusLine?: string;
}
