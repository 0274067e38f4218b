import { type Message, type ToolCallPart, textOf } from "../protocol/message.ts";
import { callsOf, resultsOf } from "./pairing.ts";

/**
 * What is dropped, told without a model: the user's words, the files touched, the commands run, the last thing the
 * assistant said. Pure: the same messages give the same text. A digest within `messages` is carried on, so that
 * compacting twice keeps the first requests.
 */
export function digest(messages: readonly Message[]): string {
  const work = gatherWork(messages);
  const sections = [
    section("Earlier", earlierOf(messages)),
    section("The user's requests, word for word", requestsOf(messages)),
    section("Files changed", listed(work.changed, FILES_MAX)),
    section("Files read", listed(work.read, FILES_MAX)),
    section("Commands run", listed(work.commands, COMMANDS_MAX)),
    section("The assistant's last words", lastWords(messages)),
  ];
  return [INTRODUCTION, ...sections.filter((text) => text !== "")].join("\n\n");
}

const INTRODUCTION =
  "Older messages were removed to make room. This list was put together by the program, not by a model; read files " +
  "again before relying on what they held.";

const REQUEST_MAX = 4000;
const EARLIER_MAX = 8000;
const WORDS_MAX = 2000;
const FILES_MAX = 100;
const COMMANDS_MAX = 40;
const COMMAND_MAX = 200;

/** Tools whose paths are changed by them; all other tools' paths count as read. */
const CHANGING: ReadonlySet<string> = new Set(["Write", "Edit", "Patch", "Mkdir"]);

interface Work {
  readonly changed: Set<string>;
  readonly read: Set<string>;
  readonly commands: Set<string>;
}

function gatherWork(messages: readonly Message[]): Work {
  const work: Work = { changed: new Set(), read: new Set(), commands: new Set() };
  const failed = new Set(messages.flatMap(resultsOf).flatMap((result) => (result.failed ? result.callId : [])));
  for (const call of messages.flatMap(callsOf)) noteCall(call, failed.has(call.callId), work);
  for (const path of work.changed) work.read.delete(path);
  return work;
}

function noteCall({ tool, input }: Pick<ToolCallPart, "tool" | "input">, failed: boolean, work: Work): void {
  if (typeof input !== "object" || input === null) return;
  const fields = input as Readonly<Record<string, unknown>>;
  if (tool === "Batch" && Array.isArray(fields["calls"])) {
    noteBatch(fields["calls"], failed, work);
    return;
  }
  const { command } = fields;
  if (typeof command === "string") {
    // The newest run counts: it is listed where it happened last.
    const line = `${oneLine(command)}${failed ? " (failed)" : ""}`;
    work.commands.delete(line);
    work.commands.add(line);
  }
  if (failed) return;
  const paths = CHANGING.has(tool) ? work.changed : work.read;
  for (const path of [fields["path"], fields["file_path"], fields["paths"]].flat())
    if (typeof path === "string" && path !== "") paths.add(path);
  if (tool === "Patch") for (const path of patchPaths(fields)) work.changed.add(path);
}

function noteBatch(calls: readonly unknown[], failed: boolean, work: Work): void {
  for (const call of calls) {
    if (typeof call !== "object" || call === null) continue;
    const { tool, name, input, args, arguments: words } = call as Readonly<Record<string, unknown>>;
    noteCall({ tool: String(tool ?? name ?? ""), input: input ?? args ?? words }, failed, work);
  }
}

function patchPaths(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const text = Object.values(fields)
    .filter((value) => typeof value === "string")
    .join("\n");
  return [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map((match) => match[1]!.trim());
}

const isRequest = (message: Message) => message.role === "user" && !isDigest(message);
const isDigest = (message: Message) => textOf(message).startsWith("*** [COMPACTION]:");

function earlierOf(messages: readonly Message[]): string {
  const texts = messages.filter((message) => message.role === "user" && isDigest(message)).map(textOf);
  return shorten(texts.map(withoutFrame).join("\n\n"), EARLIER_MAX);
}

/** Of an earlier compaction: its words, without markers, without the todos that go stale. */
function withoutFrame(text: string): string {
  return text
    .replace(/^\*\*\* \[COMPACTION\]:\s*/, "")
    .replace(/\*\*\* \[BEGIN TODOS\][\s\S]*$|\*\*\* \[END COMPACTION\]\s*$/, "")
    .replace(INTRODUCTION, "")
    .trim();
}

function requestsOf(messages: readonly Message[]): string {
  const texts = messages.filter(isRequest).map((message) => textOf(message).trim());
  return texts
    .filter((text) => text !== "")
    .map((text) => `> ${shorten(text, REQUEST_MAX).replaceAll("\n", "\n> ")}`)
    .join("\n\n");
}

function lastWords(messages: readonly Message[]): string {
  const said = messages.findLast((message) => message.role === "assistant" && textOf(message).trim() !== "");
  return said ? shorten(textOf(said).trim(), WORDS_MAX) : "";
}

function listed(items: ReadonlySet<string>, max: number): string {
  const all = [...items];
  const shown = all.slice(-max).map((item) => `- ${item}`);
  return [...(all.length > max ? [`- (${all.length - max} older ones are left out)`] : []), ...shown].join("\n");
}

const section = (title: string, body: string) => (body === "" ? "" : `## ${title}\n${body}`);

const oneLine = (command: string) => {
  const line = command.trim().replaceAll(/\s*\n\s*/g, "; ");
  return line.length <= COMMAND_MAX ? line : `${line.slice(0, COMMAND_MAX)}…`;
};

/** The beginning and the end: what was wanted tends to stand in either. */
function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
}
