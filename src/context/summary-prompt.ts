import type { Message, Part } from "../protocol/message.ts";
import { type CompactionTodos, todoLines } from "./compaction-todos.ts";
import { inputText } from "./usage.ts";

export interface SummaryOptions {
  /** Characters of each tool result; 0 leaves the results out. */
  readonly resultLength: number;
  readonly chunks: number;
  readonly todos: CompactionTodos;
}

/**
 * The requests for a summary, to be asked in order, each with the answer to the one before. The conversation is
 * told as text inside one user message, not replayed: so no provider asks for tool definitions to go with its calls,
 * and the model is not tempted to go on with the work.
 */
export function summaryPrompts(
  told: readonly Message[],
  { resultLength, chunks, todos }: SummaryOptions,
): readonly ((previous: string | undefined) => string)[] {
  const parts = split(told, Math.max(1, Math.min(chunks, told.length)));
  return parts.map((part, at) => (previous) => {
    const isLast = at === parts.length - 1;
    const blocks = part.map((message) => tell(message, resultLength));
    return [
      ...(previous === undefined ? [] : [`Summary of what came before:\n\n${previous}`]),
      `*** [BEGIN CONVERSATION]\n\n${blocks.join("\n\n")}\n\n*** [END CONVERSATION]`,
      ...(isLast ? todoLines(todos) : []),
      INSTRUCTION,
    ].join("\n\n");
  });
}

const INSTRUCTION =
  "Summarise the conversation above for whoever takes over the work without having seen it. Keep word for word: what " +
  "the user asked for and required, file paths, names, commands that matter, explicit decisions and their reasons. " +
  "Say what is done, what is left, and what was learned on the way. Do not go on with the work, call no tools, and " +
  "answer with the summary only.";

const STRIPPED = "[tool output stripped]";

function split(messages: readonly Message[], count: number): (readonly Message[])[] {
  const size = Math.ceil(messages.length / count);
  return Array.from({ length: Math.ceil(messages.length / size) }, (_, at) =>
    messages.slice(at * size, (at + 1) * size),
  );
}

function tell(message: Message, resultLength: number): string {
  const speaker = { user: "User", assistant: "Assistant", tool: "Tool result" }[message.role];
  return `${speaker}:\n${message.parts.flatMap((part) => tellPart(part, resultLength)).join("\n")}`;
}

function tellPart(part: Part, resultLength: number): readonly string[] {
  switch (part.type) {
    case "text":
      return [part.text];
    case "thinking":
      return [];
    case "image":
      return [`[image ${part.name ?? part.mediaType}]`];
    case "tool-call":
      return [`[calls ${part.tool} with ${inputText(part.input)}]`];
    case "tool-result":
      return [resultLength > 0 ? cut(part.text, resultLength) : STRIPPED];
  }
}

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length)}… [${text.length - length} more characters]`;
