import type { PickItem } from "../../src/protocol/request.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { wrapText } from "../../src/text/wrap.ts";
import { filteredItems, type PickState } from "./dialog-state.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import { editorBox } from "./editor-box.ts";
import { clipLine, type Line, paint, span } from "./spans.ts";

/** Rows a preview takes at most, in a box that has room for it. */
const PREVIEW_ROWS = 3;
/** A box with fewer lines shows the list alone. */
const ROOMY = 10;

/** A list to choose from, with group headings, narrowed by typing; below it more about the item under the cursor. */
export function pickBox(state: PickState, frame: DialogFrame): DialogView {
  const { width, theme } = frame;
  const input = editorBox({ editor: state.filter, ghost: "", placeholder: "type to filter" }, width, 1, theme);
  const items = filteredItems(state);
  const rows = listRows(items, state.selected, width);
  const preview = frame.height >= ROOMY ? previewLines(state, items[state.selected], width) : [];
  const room = Math.max(1, frame.height - 1 - preview.length);
  const at = rows.findIndex((row) => row.selected);
  const top = Math.max(0, Math.min(rows.length - room, at - Math.floor(room / 2)));
  const shown = rows.slice(top, top + room).map((row) => paint(row.line, theme));
  const list = shown.length > 0 ? shown : [paint([span("nothing matches", "faint")], theme)];
  const lines = [...input.lines, ...list, ...preview.map((line) => paint(line, theme))];
  const count =
    items.length === state.request.items.length ? "" : ` (${items.length} of ${state.request.items.length})`;
  const box = { title: neutralise(state.request.title) + count, lines, caret: input.caret };
  return { box, page: Math.max(1, room - 1), help: "↑↓ choose • enter take • esc close" };
}

/** Always the same height while the list has previews, so that the list stands still. */
function previewLines({ request }: PickState, item: PickItem | undefined, width: number): Line[] {
  if (request.items.every((other) => other.preview === undefined)) return [];
  const lines = wrapText(neutralise(item?.preview ?? ""), width).slice(0, PREVIEW_ROWS);
  const fill = Array.from({ length: PREVIEW_ROWS - lines.length }, () => "");
  return [[span("─".repeat(width), "border")], ...[...lines, ...fill].map((line): Line => [span(line, "faint")])];
}

interface ListRow {
  readonly line: Line;
  readonly selected: boolean;
}

function listRows(items: readonly PickItem[], selected: number, width: number): ListRow[] {
  const rows: ListRow[] = [];
  let group: string | undefined;
  items.forEach((item, index) => {
    if (item.group !== group && item.group !== undefined) {
      rows.push({ line: clipLine([span(neutralise(item.group), "heading")], width), selected: false });
    }
    group = item.group;
    const chosen = index === selected;
    const mark = `${chosen ? "❯" : " "}${item.current ? "*" : " "} `;
    const about = item.description === undefined ? [] : [span(`  ${neutralise(item.description)}`, "faint")];
    const label = { ...span(neutralise(item.label), chosen ? "accent" : "text") };
    rows.push({ line: clipLine([span(mark, "accent"), label, ...about], width), selected: chosen });
  });
  return rows;
}
