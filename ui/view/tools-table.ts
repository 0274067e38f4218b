/** What `/tools debug` gives as data, as a table that a pager can search and narrow. Pure. */
import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, takeWidth } from "../../src/text/width.ts";

interface ToolRow {
  readonly name: string;
  readonly source: string;
  readonly state: string;
  readonly reason: string;
}

const HEAD: ToolRow = { name: "TOOL", source: "FROM", state: "STATE", reason: "WHY" };
/** Wider names are cut, so that a long one does not push every row apart. */
const MOST_CELLS = 40;
/** As wide as the longest state, `excluded`. */
const STATE_CELLS = 8;

/** One row a tool, in the order given. Undefined when `data` is not what `/tools debug` gives. */
export function toolsTable(data: unknown): string | undefined {
  if (!Array.isArray(data) || data.length === 0) return undefined;
  const tools = data.map(readTool);
  if (!tools.every((row) => row !== undefined)) return undefined;
  const rows = [HEAD, ...tools];
  const nameWidth = Math.min(MOST_CELLS, Math.max(...rows.map((row) => displayWidth(row.name))));
  const sourceWidth = Math.min(MOST_CELLS, Math.max(...rows.map((row) => displayWidth(row.source))));
  return rows
    .map(({ name, source, state, reason }) =>
      [pad(name, nameWidth), pad(source, sourceWidth), pad(state, STATE_CELLS), reason].join("  ").trimEnd(),
    )
    .join("\n");
}

function readTool(value: unknown): ToolRow | undefined {
  if (!isFields(value)) return undefined;
  const { name, source, visibility, decisions } = value;
  if (typeof name !== "string" || typeof source !== "string" || typeof visibility !== "string") return undefined;
  if (!Array.isArray(decisions) || !decisions.every(isFields)) return undefined;
  return {
    name: neutralise(name),
    source: neutralise(source),
    state: neutralise(visibility),
    reason: neutralise(reasonOf(visibility, decisions)),
  };
}

/** What put it out; for what is in, how it is offered when that is not plain, and what is still open. */
function reasonOf(visibility: string, decisions: readonly Fields[]): string {
  const out = decisions.find(({ outcome }) => outcome === "excluded");
  if (out) return wordsOf(out);
  const telling = decisions.filter(
    ({ stage, outcome }) => outcome === "undecided" || (stage === "visibility" && visibility !== "eager"),
  );
  return telling.map(wordsOf).join("; ");
}

function wordsOf({ words, entry, file, line }: Fields): string {
  const place = typeof file === "string" ? ` (${shortPath(file)}${typeof line === "number" ? `:${line}` : ""})` : "";
  return `${typeof words === "string" ? words : ""}${typeof entry === "string" ? `: ${entry}` : ""}${place}`;
}

/** Folder and file: a row is one line, and the whole path is in the text of `/tools debug`. */
const shortPath = (file: string) => file.split(/[/\\]/).slice(-2).join("/");

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

function pad(text: string, width: number): string {
  const cut = takeWidth(text, width);
  return cut + " ".repeat(width - displayWidth(cut));
}
