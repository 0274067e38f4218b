import { extname } from "node:path";
import type { Message, Part } from "../protocol/message.ts";
import type { ToolCall } from "../protocol/tool-call.ts";

export type ExportFormat = "text" | "markdown" | "json" | "jsonl";

export interface ExportedSession {
  readonly id: string;
  readonly title?: string;
  readonly cwd: string;
  readonly created: string;
  /** Already only what an export of this format may show (aura 13.2). */
  readonly messages: readonly Message[];
  readonly calls: readonly ToolCall[];
}

/** From `/export`'s words: a format by its keyword, else by the path's extension, else text. */
export function exportFormat(word: string | undefined, path?: string): ExportFormat {
  const name = word?.toLowerCase() ?? "";
  const extension = extname(path ?? name).slice(1);
  return KEYWORDS.get(name) ?? KEYWORDS.get(extension.toLowerCase()) ?? "text";
}

/** Whether a word names a format, so that another one can be read as a path. */
export function isExportFormat(word: string): boolean {
  return KEYWORDS.has(word.toLowerCase());
}

/** Whether `format` also gets the messages that only data shows. */
export function isStructured(format: ExportFormat): boolean {
  return format === "json" || format === "jsonl";
}

/** The whole session as one text, ending in a newline. */
export function exportSession(session: ExportedSession, format: ExportFormat): string {
  switch (format) {
    case "text":
      return asText(session);
    case "markdown":
      return asMarkdown(session);
    case "json":
      return `${JSON.stringify(session, null, 2)}\n`;
    case "jsonl":
      return `${[headOf(session), ...session.messages].map((line) => JSON.stringify(line)).join("\n")}\n`;
  }
}

const KEYWORDS: ReadonlyMap<string, ExportFormat> = new Map([
  ["text", "text"],
  ["txt", "text"],
  ["markdown", "markdown"],
  ["md", "markdown"],
  ["json", "json"],
  ["jsonl", "jsonl"],
]);

function headOf({ messages: _, calls: __, ...head }: ExportedSession) {
  return head;
}

function asText(session: ExportedSession): string {
  const blocks = session.messages.map((message) => {
    const body = message.parts.flatMap((part) => textBlock(part)).join("\n");
    return message.kind === "bookmark" ? `--- ${body} ---` : `${speaker(message)}:\n${body}`;
  });
  return `${[session.title ?? session.id, ...blocks].join("\n\n")}\n`;
}

function textBlock(part: Part): readonly string[] {
  switch (part.type) {
    case "text":
      return part.text ? [part.text] : [];
    case "thinking":
      return [];
    case "image":
      return [`[image ${part.name ?? part.mediaType}]`];
    case "tool-call":
      return [`[${part.tool}] ${inputOf(part.input)}`];
    case "tool-result":
      return [part.text.trimEnd() || "(empty)"];
  }
}

function asMarkdown(session: ExportedSession): string {
  const blocks = session.messages.map((message) => {
    const body = message.parts.flatMap((part) => markdownBlock(part)).join("\n\n");
    if (message.kind === "bookmark") return `---\n\n*${body}*`;
    return message.role === "tool" ? body : `## ${speaker(message)}\n\n${body}`;
  });
  const place = [session.cwd, session.created].filter(Boolean).join(", ");
  return `${[`# ${session.title ?? session.id}`, ...(place ? [place] : []), ...blocks].join("\n\n")}\n`;
}

function markdownBlock(part: Part): readonly string[] {
  switch (part.type) {
    case "text":
      return part.text ? [part.text] : [];
    case "thinking":
      return part.text ? [`<details><summary>Thinking</summary>\n\n${part.text}\n\n</details>`] : [];
    case "image":
      return [`*Image: ${part.name ?? part.mediaType}*`];
    case "tool-call":
      return [`**${part.tool}**\n\n${fenced(inputOf(part.input), "json")}`];
    case "tool-result":
      return [fenced(part.text.trimEnd(), "")];
  }
}

/** A fence longer than any inside, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const inner = [...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length);
  const fence = "`".repeat(Math.max(3, ...inner.map((length) => length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

const inputOf = (input: unknown) => (typeof input === "string" ? input : (JSON.stringify(input) ?? ""));

function speaker({ role, interrupted }: Message): string {
  const name = { user: "You", assistant: "Aura", tool: "Result" }[role];
  return interrupted ? `${name} (interrupted)` : name;
}
