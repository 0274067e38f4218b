import { type Message, textOf } from "../protocol/message.ts";
import { decodeRecord, type SessionRecord } from "./session-record.ts";

/** What a list of sessions shows of one, and what finds it. */
export interface SessionSummary {
  readonly id: string;
  readonly name?: string;
  readonly title?: string;
  readonly cwd: string;
  /** ISO 8601. */
  readonly created: string;
  /** Milliseconds since 1970. */
  readonly updated: number;
  /** The first line of the first prompt, at most 120 characters. */
  readonly firstPrompt?: string;
  readonly forkedFrom?: string;
}

/**
 * Finds the few records a summary needs without parsing the rest: records begin with their type, and a line break
 * cannot occur inside one. Pure; undefined when nothing in it is a session.
 */
export function summarise(log: Buffer, id: string, updated: number): SessionSummary | undefined {
  const header = firstOf(log, "header");
  const prompt = firstPrompt(log);
  if (!header && !prompt) return undefined;
  const name = lastOf(log, "name");
  const title = lastOf(log, "title");
  return {
    id,
    ...(name && { name: name.name }),
    ...(title && { title: title.title }),
    cwd: String(header?.cwd ?? ""),
    created: String(header?.created ?? ""),
    updated,
    ...(prompt && { firstPrompt: prompt }),
    ...(header?.forkedFrom !== undefined && { forkedFrom: String(header.forkedFrom) }),
  };
}

type RecordOf<T extends SessionRecord["type"]> = Extract<SessionRecord, { type: T }>;

function firstOf<T extends SessionRecord["type"]>(log: Buffer, type: T): RecordOf<T> | undefined {
  for (const record of recordsOf(log, type)) return record;
  return undefined;
}

function lastOf<T extends SessionRecord["type"]>(log: Buffer, type: T): RecordOf<T> | undefined {
  const start = `{"type":"${type}"`;
  for (let at = log.lastIndexOf(start); at >= 0; at = at === 0 ? -1 : log.lastIndexOf(start, at - 1)) {
    const record = recordAt(log, at, type);
    if (record) return record;
  }
  return undefined;
}

function firstPrompt(log: Buffer): string | undefined {
  for (const { message } of recordsOf(log, "message")) {
    if (message.role !== "user" || message.kind !== "normal") continue;
    const line = firstLine(message);
    if (line) return line;
  }
  return undefined;
}

function firstLine(message: Message): string {
  const text = textOf(message).trim();
  return text.split("\n", 1)[0]!.slice(0, 120).trimEnd();
}

function* recordsOf<T extends SessionRecord["type"]>(log: Buffer, type: T): Generator<RecordOf<T>> {
  const start = `{"type":"${type}"`;
  for (let at = log.indexOf(start); at >= 0; at = log.indexOf(start, at + 1)) {
    const record = recordAt(log, at, type);
    if (record) yield record;
  }
}

/** The record that begins at `at`, unless these bytes are the content of another. */
function recordAt<T extends SessionRecord["type"]>(log: Buffer, at: number, type: T): RecordOf<T> | undefined {
  if (at > 0 && log[at - 1] !== NEWLINE) return undefined;
  const end = log.indexOf(NEWLINE, at);
  const record = decodeRecord(log.toString("utf8", at, end < 0 ? log.length : end));
  return record !== undefined && record !== "unknown" && record.type === type ? (record as RecordOf<T>) : undefined;
}

const NEWLINE = 0x0a;
