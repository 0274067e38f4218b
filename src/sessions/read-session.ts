import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Message, Usage } from "../protocol/message.ts";
import { SETTLED, type ToolCall } from "../protocol/tool-call.ts";
import { ReplyBuilder } from "./reply-builder.ts";
import { type SavedUndo, UndoRebuild } from "./saved-undo.ts";
import {
  decodeRecord,
  type SavedChild,
  type SavedTodos,
  SESSION_VERSION,
  type SessionHeader,
  type SessionMeta,
  type SessionRecord,
  type SessionStats,
  type ShownCommand,
  withKnownParts,
} from "./session-record.ts";
import { settlePairs } from "./settle-pairs.ts";

/** A session as its log tells it, made whole: every call settled, every call part with exactly one result. */
export interface SavedSession {
  readonly id: string;
  readonly cwd: string;
  /** ISO 8601; empty when the log lost its header. */
  readonly created: string;
  readonly forkedFrom?: string;
  readonly name?: string;
  readonly title?: string;
  readonly messages: readonly Message[];
  /** What compactions took out of `messages`, oldest first. */
  readonly archived: readonly Message[];
  readonly calls: readonly ToolCall[];
  /** The agents that were set to work, with what each said and did. */
  readonly children: readonly (SavedChild & { readonly messages: readonly Message[] })[];
  readonly commands: readonly ShownCommand[];
  readonly meta: SessionMeta;
  readonly todos?: SavedTodos;
  /** Prompts that waited for a turn which never came. */
  readonly queue: readonly string[];
  readonly stats?: SessionStats;
  /** Of every model request in the log, by `provider/model`. */
  readonly spent: Readonly<Record<string, Usage>>;
  /** What can be taken back, and done again. */
  readonly undo: SavedUndo;
  /** The number of the last finished turn; 0 before the first. */
  readonly turn: number;
  /** The process ended in the middle of a turn. */
  readonly interrupted: boolean;
  /** What was damaged or unknown, for a person. */
  readonly warnings: readonly string[];
}

/** Reads a log whatever state it is in. Throws only when the file itself cannot be read. */
export async function readSession(file: string): Promise<SavedSession> {
  return rebuildSession(await readFile(file), basename(file, ".jsonl"));
}

/** Pure. `id` serves when the header is lost. */
export function rebuildSession(bytes: Uint8Array, id: string): SavedSession {
  const state = new Rebuild(id);
  const lines = new TextDecoder().decode(bytes).split("\n");
  // Without a newline at its end the last line was torn by the death of its writer: no damage, and nothing was shown of it.
  const torn = lines.pop() ?? "";
  for (const line of lines) state.take(line);
  if (torn !== "") state.takeTorn(torn);
  return state.finish();
}

class Rebuild {
  #header: SessionHeader | undefined;
  readonly #id: string;
  readonly #replies = new ReplyBuilder();
  /** By id, in order of first appearance. A reply stands here from its first delta on, without a value until it ends. */
  #messages = new Map<string, Message | undefined>();
  #archived: Message[] = [];
  #calls = new Map<string, ToolCall>();
  readonly #children = new Map<string, { child: SavedChild; readonly messages: Message[] }>();
  #commands: ShownCommand[] = [];
  #meta: SessionMeta = {};
  #title: string | undefined;
  #name: string | undefined;
  #todos: SavedTodos | undefined;
  #queue: readonly string[] = [];
  #stats: SessionStats | undefined;
  #spent: Record<string, Usage> = {};
  #undo = new UndoRebuild();
  #turn = 0;
  #open = false;
  #damaged = 0;
  #lost = false;
  #unknown = 0;
  #warnings: string[] = [];
  #at = "";

  constructor(id: string) {
    this.#id = id;
  }

  take(line: string): void {
    if (line.trim() === "") return;
    const record = decodeRecord(line);
    if (record === undefined) this.#damaged += isTorn(line) ? 0 : 1;
    else if (record === "unknown") this.#unknown++;
    else this.#apply(record);
  }

  takeTorn(line: string): void {
    const record = decodeRecord(line);
    if (record !== undefined && record !== "unknown") this.#apply(record);
  }

  finish(): SavedSession {
    if (!this.#header) this.#warnings.push("the session has no readable header; its folder is not known");
    if (this.#damaged > 0) this.#warnings.push(`left out of the session because unreadable: ${lines(this.#damaged)}`);
    if (this.#unknown > 0)
      this.#warnings.push(`left out of the session because written by a newer version: ${lines(this.#unknown)}`);
    // Where a record is missing, it may be the one that said a call was started.
    const isWhole = this.#damaged === 0 && !this.#lost;
    const calls = [...this.#calls.values()].map((call) => settle(call, isWhole));
    return {
      id: this.#header?.id ?? this.#id,
      cwd: this.#header?.cwd ?? "",
      created: this.#header?.created ?? "",
      ...(this.#header?.forkedFrom !== undefined && { forkedFrom: this.#header.forkedFrom }),
      ...(this.#name !== undefined && { name: this.#name }),
      ...(this.#title !== undefined && { title: this.#title }),
      messages: settlePairs(this.#present(), calls),
      archived: this.#archived,
      calls,
      children: [...this.#children.values()].map(({ child, messages }) => ({ ...ended(child), messages })),
      commands: this.#commands,
      meta: this.#meta,
      ...(this.#todos && { todos: this.#todos }),
      queue: this.#queue,
      ...(this.#stats && { stats: this.#stats }),
      spent: this.#spent,
      undo: this.#undo.finish(),
      turn: this.#turn,
      interrupted: this.#open,
      warnings: this.#warnings,
    };
  }

  #present(): Message[] {
    const messages = [...this.#messages].map(([id, message]) => message ?? this.#replies.build(id));
    return messages.filter((message) => message !== undefined && message.parts.length > 0) as Message[];
  }

  #apply(record: SessionRecord): void {
    this.#undo.take(record, (id) => this.#messages.get(id));
    switch (record.type) {
      case "header":
        this.#takeHeader(record);
        return;
      case "message":
        this.#at = record.message.at || this.#at;
        if (record.message.role === "user" && record.message.kind === "normal") this.#open = true;
        this.#replies.forget(record.message.id);
        this.#messages.set(record.message.id, withKnownParts(record.message));
        return;
      case "reply-delta": {
        // A delta behind its own finished reply says nothing new.
        if (this.#messages.get(record.messageId)) return;
        this.#messages.set(record.messageId, undefined);
        this.#replies.grow(record, this.#at);
        return;
      }
      case "reply-withdrawn":
        this.#replies.forget(record.messageId);
        this.#messages.delete(record.messageId);
        return;
      case "call":
        this.#calls.set(record.call.id, record.call);
        return;
      case "meta":
        this.#meta = withoutNulls({ ...this.#meta, ...record.meta });
        return;
      case "title":
        this.#title = record.title;
        return;
      case "name":
        this.#name = record.name;
        return;
      case "todos":
        this.#todos = record.todos;
        return;
      case "queue":
        this.#queue = record.prompts;
        return;
      case "stats":
        this.#stats = record.stats;
        return;
      case "usage":
        this.#spend(`${record.provider}/${record.model}`, record.usage);
        return;
      case "compaction":
        this.#compact(record.replaced, record.messages);
        return;
      case "child": {
        const before = this.#children.get(record.child.id);
        if (before) before.child = record.child;
        else this.#children.set(record.child.id, { child: record.child, messages: [] });
        return;
      }
      case "child-message":
        this.#children.get(record.child)?.messages.push(withKnownParts(record.message));
        return;
      case "cleared":
        this.#children.clear();
        this.#messages.clear();
        this.#archived = [];
        this.#calls.clear();
        this.#commands = [];
        return;
      case "dropped":
        for (const id of record.ids) this.#messages.delete(id);
        return;
      case "undone":
        for (const id of record.dropped) this.#messages.delete(id);
        return;
      case "command":
        this.#commands.push({
          line: record.line,
          ...(record.text !== undefined && { text: record.text }),
          failed: record.failed === true,
        });
        return;
      case "turn-finished":
        this.#turn = record.turn;
        this.#open = false;
        return;
      case "lost":
        this.#lost = true;
        this.#warnings.push(`missing from the session because the disk refused them: ${lines(record.records)}`);
        return;
      case "verdict":
      case "answer":
      case "changing":
      case "changes":
      case "redone":
      case "redo-lost":
        return;
    }
  }

  #takeHeader(header: SessionHeader): void {
    if (this.#header) return;
    this.#header = { ...header, cwd: String(header.cwd ?? ""), created: String(header.created ?? "") };
    this.#at = this.#header.created;
    if (header.version > SESSION_VERSION)
      this.#warnings.push(
        `the session was written by a newer version (format ${header.version}, this one knows ${SESSION_VERSION})`,
      );
  }

  #spend(model: string, usage: Usage): void {
    const before = this.#spent[model] ?? { input: 0, output: 0 };
    this.#spent[model] = {
      input: before.input + usage.input,
      output: before.output + usage.output,
      ...sums(before, usage),
    };
  }

  #compact(replaced: readonly string[], added: readonly Message[]): void {
    const gone = new Set(replaced);
    const next = new Map<string, Message | undefined>();
    let placed = false;
    const place = () => {
      placed = true;
      for (const message of added) next.set(message.id, withKnownParts(message));
    };
    for (const [id, message] of this.#messages) {
      if (gone.has(id)) {
        if (!placed) place();
        if (message) this.#archived.push(message);
      } else next.set(id, message && withoutUsage(message));
    }
    if (!placed) place();
    this.#messages = next;
  }
}

/** The beginning of a record: its writer died there, and another one has closed the line since. Nobody was shown it. */
const isTorn = (line: string) => line.startsWith('{"type":"') && !line.endsWith("}");

const lines = (count: number) => (count === 1 ? "1 line" : `${count} lines`);

function settle(call: ToolCall, isWhole: boolean): ToolCall {
  if (SETTLED.has(call.status)) return call;
  const { id, tool, input, parentId } = call;
  return {
    id,
    tool,
    input,
    ...(parentId !== undefined && { parentId }),
    status: "cancelled",
    by: "shutdown",
    ...(isWhole && call.status !== "running" && { ran: false }),
  };
}

/** Nothing works on when its process has ended. */
const ended = (child: SavedChild): SavedChild =>
  child.status === "running" ? { ...child, status: "cancelled", error: "the program ended" } : child;

/** The tokens a request took before the compaction say nothing about the context after it. */
function withoutUsage(message: Message): Message {
  if (!message.usage) return message;
  const { usage: _, ...rest } = message;
  return rest;
}

function withoutNulls(meta: SessionMeta): SessionMeta {
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== null));
}

function sums(a: Usage, b: Usage): Partial<Usage> {
  const sum = (x?: number, y?: number) => (x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0));
  const cached = sum(a.cached, b.cached);
  const cacheWritten = sum(a.cacheWritten, b.cacheWritten);
  const reasoning = sum(a.reasoning, b.reasoning);
  return {
    ...(cached !== undefined && { cached }),
    ...(cacheWritten !== undefined && { cacheWritten }),
    ...(reasoning !== undefined && { reasoning }),
  };
}
