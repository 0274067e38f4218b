import type { Because } from "../protocol/verdict.ts";
import type { ShellReading } from "./shell/reading.ts";

/** One line of a policy and where it is written. */
export interface Rule {
  /** `Name` or `Name:argument` (see pattern.ts). */
  readonly pattern: string;
  readonly from: Because["from"];
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
}

/** What is in force. Each list is sorted by pattern and free of doubles, so "the first that matches" is one answer. */
export interface Policy {
  /** Exempts from `confirm`, and only from that. */
  readonly auto: readonly Rule[];
  readonly confirm: readonly Rule[];
  readonly deny: readonly Rule[];
}

/** What people allowed. Live: an approval counts from the moment it is given. */
export interface Grants {
  /** Patterns as `derive` makes them, compared as whole strings (aura 6.5). */
  readonly session: ReadonlySet<string>;
  /** Project and global approvals: `auto` rules read strictly. */
  readonly saved: readonly Rule[];
}

/** A call as policy sees it. */
export interface JudgedCall {
  readonly tool: string;
  readonly input: unknown;
  /** Absolute paths, every link followed, that the call reads or writes. */
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** The same paths as the model wrote them, where they are not in `path` or `file_path`. */
  readonly given?: readonly string[];
  /** Absolute, links followed. */
  readonly cwd: string;
  readonly home: string;
  /** For a shell command: what reading it found. Without it only one plain command is understood. */
  readonly shell?: { readonly command: string; readonly reading: ShellReading };
  /** What runs is not the command itself but what the configuration makes of it. */
  readonly isRewritten?: boolean;
  /** Folders with our own settings and state, wherever they are. */
  readonly ours?: readonly string[];
  /** `A` and `a` name one file here (macOS, Windows). Rules that stop a call then ignore case. */
  readonly ignoreCase?: boolean;
}
