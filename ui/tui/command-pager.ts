import type { EventOf } from "../../src/protocol/event.ts";
import { commandOutput } from "../view/command-output.ts";
import { toolsTable } from "../view/tools-table.ts";
import { openPager, type PagerState } from "./pager.ts";

/** The pager for a command's answer: a table to search in, what was changed, or a text longer than `rows`. */
export function commandPager(event: EventOf<"command-finished">, rows: number): PagerState | undefined {
  const table = /^\/tools\s+debug\s*$/.test(event.line) ? toolsTable(event.data) : undefined;
  if (table !== undefined) return openPager("Tools", table);
  const { title, text, look } = commandOutput(event.line, event.text ?? "");
  const isChange = look?.kind === "diff" && event.line.startsWith("/diff");
  return isChange || text.split("\n").length > rows ? openPager(title, text, look) : undefined;
}
