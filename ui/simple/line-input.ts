/** Where typed lines come from: a terminal with readline, a terminal without any cursor movement, or a pipe. */
import type { Suggestion } from "../../src/protocol/conversation.ts";

export interface LineListener {
  /** A line that was ended with Enter. */
  line(text: string): void;
  /** Several lines that came at once, as from a clipboard: they wait for Enter. */
  pasted(lines: readonly string[]): void;
  /** Ctrl+C with nothing typed, or a signal. */
  interrupt(): void;
  /** Ctrl+D with nothing typed, or no more lines. */
  end(): void;
  /** The terminal is gone. */
  hangUp(): void;
  suggest(line: string, cursor: number): Promise<readonly Suggestion[]>;
}

/** What a line is for. Prompts are remembered; answers are not, and a secret is not shown while it is typed. */
export type Purpose = "prompt" | "answer" | "secret";

export interface LineInput {
  /** A person sits there and sees what they type. */
  readonly isTerminal: boolean;
  start(listener: LineListener): void;
  /** Waits for a line. A half-typed prompt is kept while something else is asked. Safe to repeat. */
  ask(prompt: string, purpose: Purpose): void;
  /** Nothing is waited for. A terminal takes prompts all the same; a pipe keeps its lines. */
  rest(prompt: string): void;
  /** Writes whole lines without harm to what is being typed. */
  print(text: string): void;
  /** Something is typed and not yet ended; when its last key was pressed (`performance.now`). */
  readonly typing: { readonly at: number } | undefined;
  /** What Up brings back, oldest first. */
  remember(entries: readonly string[]): void;
  close(): void;
}
