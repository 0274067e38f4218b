/** What `/tools debug` gives as data, as a table that a pager can search and narrow. Pure. */
import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, takeWidth } from "../../src/text/width.ts";

interface ToolRow {
  readonly name: string;
  readonly source: string;
  readonly state: string;
  readonly reason: string;
}

const HEAD: ToolRow = { name: "TOOL", source: "FROM", state: "IN/OUT", reason: "WHY" };
/** Wider names are cut, so that a long one does not push every row apart. */
const MOST_CELLS = 40;

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
      [pad(name, nameWidth), pad(source, sourceWidth), pad(state, 6), reason].join("  ").trimEnd(),
    )
    .join("\n");
}

function readTool(value: unknown): ToolRow | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, source, inclusion } = value as Record<string, unknown>;
  if (typeof name !== "string" || typeof source !== "string") return undefined;
  if (typeof inclusion !== "object" || inclusion === null) return undefined;
  const { included, reason } = inclusion as Record<string, unknown>;
  return {
    name: neutralise(name),
    source: neutralise(source),
    state: included === true ? "in" : "out",
    reason: typeof reason === "string" ? neutralise(reason) : "",
  };
}

function pad(text: string, width: number): string {
  const cut = takeWidth(text, width);
  return cut + " ".repeat(width - displayWidth(cut));
}
