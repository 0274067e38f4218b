import type { EventOf } from "../../src/protocol/event.ts";
import { toolsTable } from "../view/tools-table.ts";
import { openPager, type PagerState } from "./pager.ts";

/** The pager for a command's answer: a table to search in, or a text longer than `rows`; undefined for short ones. */
export function commandPager(event: EventOf<"command-finished">, rows: number): PagerState | undefined {
  const table = /^\/tools\s+debug\s*$/.test(event.line) ? toolsTable(event.data) : undefined;
  if (table !== undefined) return openPager("Tools", table);
  const text = event.text ?? "";
  return text.split("\n").length > rows ? openPager("Command output", text) : undefined;
}
