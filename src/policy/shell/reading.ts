/** One thing a command does, as far as a model of it says. */
export interface Effect {
  readonly kind: "read" | "list" | "write" | "delete" | "execute" | "network" | "process" | "state" | "unknown";
  /** Absolute, links followed. Absent: it is about no file, or nobody can say which. */
  readonly path?: string;
  /** The path as written and made absolute, before links were followed. */
  readonly given?: string;
  /** It reaches everything below `path`. */
  readonly deep?: true;
  /** Why this needs a person's word, as a sentence about the command; absent: it does not. */
  readonly concern?: string;
  /** Needs it whatever was approved before: our own files, hooks, credentials, what a shell reads at its start. */
  readonly always?: true;
}

/** One simple command, wherever it stands. */
export interface Part {
  /** As a shell would take it, words quoted only where they must be; `…` stands for what only running it tells. */
  readonly text: string;
  /** Every word, when all are known. */
  readonly words?: readonly string[];
  /** What it does by itself. */
  readonly effects: readonly Effect[];
  /** What its redirections and variables do, which no rule about the command covers. */
  readonly around: readonly Effect[];
  /** The commands it runs. */
  readonly inner: readonly Part[];
}

export type ShellReading =
  | { readonly kind: "read"; readonly parts: readonly Part[] }
  /** What it runs is not known for certain. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Every part with the ones inside. */
export function allParts(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) => [part, ...allParts(part.inner)]);
}

export const effectsOf = (parts: readonly Part[]): readonly Effect[] =>
  allParts(parts).flatMap(({ effects, around }) => [...effects, ...around]);

/** It only reads, and only what nobody minds. */
export const isHarmless = (part: Part): boolean =>
  [...part.effects, ...part.around].every(({ concern }) => concern === undefined) && part.inner.every(isHarmless);
