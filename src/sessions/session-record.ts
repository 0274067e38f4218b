import type { TurnEnd } from "../protocol/event.ts";
import type { PathChange } from "../protocol/file-change.ts";
import type { Message, MessageKind, Part, Role, Usage } from "../protocol/message.ts";
import type { ApprovalAnswer } from "../protocol/request.ts";
import type { ThinkLevel } from "../protocol/status.ts";
import type { ToolCall } from "../protocol/tool-call.ts";
import type { Verdict } from "../protocol/verdict.ts";

/**
 * The saved form of a session: one JSON object per line, appended, never rewritten. Reading skips types it does not
 * know and ignores fields it does not know, so a minor addition needs no new number; a changed meaning does.
 */
export const SESSION_VERSION = 1;

/** What a resume restores beside the messages. `null` takes a value away; an absent field leaves it as it was. */
export interface SessionMeta {
  readonly agent?: string;
  readonly mode?: string | null;
  readonly provider?: string;
  readonly model?: string;
  readonly think?: ThinkLevel;
  readonly verbose?: boolean;
  readonly auto?: boolean;
  readonly done?: boolean;
  /** Only when it differs from the configured one. */
  readonly readBefore?: { readonly write: boolean; readonly delete: boolean } | null;
  readonly loadedTools?: readonly string[];
  readonly sandbox?: boolean | null;
  /** Tokens, as set by `/window`. */
  readonly window?: number | null;
}

export interface SavedTodos {
  readonly summary: string;
  readonly items: readonly { readonly content: string; readonly status: "pending" | "in_progress" | "completed" }[];
}

/** The counters of `/stats` (aura 14). Each record replaces the one before. */
export interface SessionStats {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly interactions: number;
  readonly turns: number;
  readonly iterations: number;
  readonly parseRetries: number;
  readonly compactions: number;
  readonly tools: {
    readonly calls: number;
    readonly errors: number;
    readonly freq: Readonly<Record<string, number>>;
  };
  readonly tokens: { readonly input: number; readonly output: number };
}

export interface SessionHeader {
  readonly type: "header";
  readonly version: number;
  readonly id: string;
  readonly cwd: string;
  /** ISO 8601. */
  readonly created: string;
  readonly forkedFrom?: string;
}

/** An agent that was set to work by a call; what it said follows in records of its own. */
export interface SavedChild {
  readonly id: string;
  /** The call it worked for. */
  readonly callId: string;
  /** As shown: the agent's name, numbered where several had the same. */
  readonly name: string;
  readonly agent: string;
  /** `provider/model`. */
  readonly model: string;
  /** The task in a few words. */
  readonly description: string;
  readonly status: "running" | "done" | "failed" | "cancelled";
  /** What broke it off. */
  readonly error?: string;
  /** Tool calls it made. */
  readonly calls: number;
}

export interface ShownCommand {
  readonly line: string;
  readonly text?: string;
  readonly failed: boolean;
}

/** The turn that changes files. */
export interface ChangingTurn {
  readonly turn: number;
  /** The id of the prompt it began with. */
  readonly message: string;
  /** That prompt's first line. */
  readonly prompt: string;
  /** ISO 8601. */
  readonly at: string;
}

export type SessionRecord =
  | SessionHeader
  /** A second record with a known id replaces the message where it stands; so a reply's deltas give way to the reply. */
  | { readonly type: "message"; readonly message: Message }
  /** Written before it is shown. */
  | {
      readonly type: "reply-delta";
      readonly messageId: string;
      readonly kind: "text" | "thinking";
      readonly delta: string;
    }
  | { readonly type: "reply-withdrawn"; readonly messageId: string; readonly reason?: string }
  /** The newest state wins. A state that only differs in its `lastLine` need not be written. */
  | { readonly type: "call"; readonly call: ToolCall }
  /** For the record: why a call ran, waited or was refused. Nothing is restored from it. */
  | {
      readonly type: "verdict";
      readonly callId: string;
      readonly verdict: Verdict;
      /** What a shell command was found to do, one part or effect a line. */
      readonly explained?: readonly string[];
    }
  /** For the record too: a person's yes is not remembered across sessions (aura 23, 2). */
  | { readonly type: "answer"; readonly callId: string; readonly answer: ApprovalAnswer }
  | { readonly type: "meta"; readonly meta: SessionMeta }
  | { readonly type: "title"; readonly title: string }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "todos"; readonly todos: SavedTodos }
  /** Prompts typed while a turn ran, as they wait now. */
  | { readonly type: "queue"; readonly prompts: readonly string[] }
  | { readonly type: "stats"; readonly stats: SessionStats }
  /** One model request. */
  | { readonly type: "usage"; readonly provider: string; readonly model: string; readonly usage: Usage }
  /** `messages` stand where the first of `replaced` stood. */
  | {
      readonly type: "compaction";
      readonly replaced: readonly string[];
      readonly messages: readonly Message[];
      readonly summary: string;
    }
  /** The newest state wins. */
  | { readonly type: "child"; readonly child: SavedChild }
  /** What a child was told, said and did; never part of what the session's own model sees. */
  | { readonly type: "child-message"; readonly child: string; readonly message: Message }
  | { readonly type: "cleared" }
  /**
   * Before a turn changes files: `tree` names the folder as it was, among what is kept for undo; `paths` are single
   * files as they were. May come several times in a turn. The turn is broken off when no `changes` follow.
   */
  | ({
      readonly type: "changing";
      readonly tree?: string;
      readonly paths?: readonly (PathChange & { readonly at: number })[];
    } & ChangingTurn)
  /** What the turn changed, at its end; without changes it only ends what `changing` began. */
  | ({
      readonly type: "changes";
      readonly changes: readonly PathChange[];
      /** Where git's HEAD stood before and after, when the turn moved it. */
      readonly git?: { readonly before: string; readonly after: string };
      /** What is staged in git changed. */
      readonly staged?: true;
    } & ChangingTurn)
  /** `changes`: what the undo itself changed. The messages with the ids `dropped` are gone, as after `dropped`. */
  | {
      readonly type: "undone";
      readonly turns: readonly number[];
      readonly changes: readonly PathChange[];
      readonly dropped: readonly string[];
    }
  /** The last undo that was not redone; its messages follow as messages. */
  | { readonly type: "redone" }
  /** A new turn: what was undone stays so. */
  | { readonly type: "redo-lost" }
  | { readonly type: "dropped"; readonly ids: readonly string[] }
  | ({ readonly type: "command" } & ShownCommand)
  | {
      readonly type: "turn-finished";
      readonly turn: number;
      readonly reason: TurnEnd;
      readonly error?: string;
      readonly usage: Usage;
    }
  /** The disk was full for longer than the log could remember. */
  | { readonly type: "lost"; readonly records: number };

/** One line, newline included. `type` comes first, so that a listing finds a record without parsing the others. */
export function encodeRecord(record: SessionRecord): string {
  const line = JSON.stringify(record);
  if (line.startsWith('{"type":')) return `${line}\n`;
  const { type, ...rest } = record;
  return `${JSON.stringify({ type, ...rest })}\n`;
}

/** A line as a record; "unknown" for a type of a later version; undefined for anything damaged. */
export function decodeRecord(line: string): SessionRecord | "unknown" | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value["type"] !== "string") return undefined;
  if (!Object.hasOwn(NEEDED, value["type"])) return "unknown";
  const isWhole = NEEDED[value["type"] as SessionRecord["type"]];
  // Each check above covers the fields that reading a record of its type touches.
  return isWhole(value) ? (value as unknown as SessionRecord) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const NEEDED: Record<SessionRecord["type"], (record: Fields) => boolean> = {
  header: (record) => hasStrings(record, "id"),
  message: (record) => isMessage(record["message"]),
  "reply-delta": (record) => hasStrings(record, "messageId", "kind", "delta"),
  "reply-withdrawn": (record) => hasStrings(record, "messageId"),
  call: ({ call }) => isObject(call) && hasStrings(call, "id", "tool", "status") && isWholeState(call),
  verdict: (record) => hasStrings(record, "callId") && isObject(record["verdict"]),
  answer: (record) => hasStrings(record, "callId") && isObject(record["answer"]),
  meta: (record) => isObject(record["meta"]),
  title: (record) => hasStrings(record, "title"),
  name: (record) => hasStrings(record, "name"),
  todos: ({ todos }) => isObject(todos) && hasStrings(todos, "summary") && areObjects(todos["items"]),
  queue: (record) => areStrings(record["prompts"]),
  stats: (record) => isObject(record["stats"]),
  usage: (record) => hasStrings(record, "provider", "model") && isUsage(record["usage"]),
  compaction: (record) =>
    areStrings(record["replaced"]) && Array.isArray(record["messages"]) && record["messages"].every(isMessage),
  child: ({ child }) => isObject(child) && hasStrings(child, ...CHILD_FIELDS) && typeof child["calls"] === "number",
  "child-message": (record) => hasStrings(record, "child") && isMessage(record["message"]),
  cleared: () => true,
  changing: (record) => isChangingTurn(record) && (record["paths"] === undefined || arePaths(record["paths"])),
  changes: (record) => isChangingTurn(record) && arePaths(record["changes"]),
  undone: (record) => Array.isArray(record["turns"]) && arePaths(record["changes"]) && areStrings(record["dropped"]),
  redone: () => true,
  "redo-lost": () => true,
  dropped: (record) => areStrings(record["ids"]),
  command: (record) => hasStrings(record, "line"),
  "turn-finished": (record) => hasStrings(record, "reason") && typeof record["turn"] === "number",
  lost: (record) => typeof record["records"] === "number",
};

function isMessage(value: unknown): boolean {
  if (!isObject(value) || !hasStrings(value, "id", "role", "kind")) return false;
  const parts = value["parts"];
  return (
    isOneOf(ROLES, value["role"]) && isOneOf(KINDS, value["kind"]) && areObjects(parts) && parts.every(isWholePart)
  );
}

const isChangingTurn = (record: Fields) =>
  typeof record["turn"] === "number" && hasStrings(record, "message", "prompt", "at");
const arePaths = (value: unknown) => areObjects(value) && value.every((path) => hasStrings(path, "path"));

const CHILD_FIELDS = ["id", "callId", "name", "agent", "model", "description", "status"];

const ROLES: Readonly<Record<Role, true>> = { user: true, assistant: true, tool: true };
const KINDS: Readonly<Record<MessageKind, true>> = {
  normal: true,
  synthetic: true,
  ephemeral: true,
  display: true,
  bookmark: true,
  metadata: true,
};

const PART_FIELDS: Readonly<Record<Part["type"], readonly string[]>> = {
  text: ["text"],
  thinking: ["text"],
  image: ["mediaType", "data"],
  "tool-call": ["callId", "tool"],
  "tool-result": ["callId", "tool", "text"],
};

function isWholePart(part: Fields): boolean {
  const { type } = part;
  if (typeof type !== "string") return false;
  return !isOneOf(PART_FIELDS, type) || hasStrings(part, ...PART_FIELDS[type as Part["type"]]);
}

/** Without parts of a later version, which nothing here could show or send. */
export function withKnownParts(message: Message): Message {
  const parts = message.parts.filter(({ type }) => isOneOf(PART_FIELDS, type));
  return parts.length === message.parts.length ? message : { ...message, parts };
}

function isWholeState({ status, output, failure, refusal }: Fields): boolean {
  if (status === "done") return isObject(output) && hasStrings(output, "text");
  if (status === "denied") return isObject(refusal) && hasStrings(refusal, "by");
  if (status !== "failed") return true;
  if (!isObject(failure)) return false;
  if (failure["kind"] === "bad-input") return areStrings(failure["problems"]);
  if (failure["kind"] === "blocked") return hasStrings(failure, "reason");
  return failure["kind"] === "outside-sandbox" ? hasStrings(failure, "path") : hasStrings(failure, "kind", "message");
}

const isOneOf = (known: object, name: unknown) => typeof name === "string" && Object.hasOwn(known, name);
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hasStrings = (record: Fields, ...names: string[]) => names.every((name) => typeof record[name] === "string");
const areStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");
const areObjects = (value: unknown): value is Fields[] => Array.isArray(value) && value.every(isObject);
const isUsage = (value: unknown) =>
  isObject(value) && typeof value["input"] === "number" && typeof value["output"] === "number";
