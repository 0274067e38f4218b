import type { PickItem } from "../../src/protocol/request.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { filteredItems, type PickState } from "./dialog-state.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import { editorBox } from "./editor-box.ts";
import { clipLine, type Line, paint, span } from "./spans.ts";

/** A list to choose from, with group headings, narrowed by typing. */
export function pickBox(state: PickState, frame: DialogFrame): DialogView {
  const { width, theme } = frame;
  const input = editorBox({ editor: state.filter, ghost: "", placeholder: "type to filter" }, width, 1, theme);
  const rows = listRows(filteredItems(state), state.selected, width);
  const room = Math.max(1, frame.height - 1);
  const at = rows.findIndex((row) => row.selected);
  const top = Math.max(0, Math.min(rows.length - room, at - Math.floor(room / 2)));
  const shown = rows.slice(top, top + room).map((row) => paint(row.line, theme));
  const list = shown.length > 0 ? shown : [paint([span("nothing matches", "faint")], theme)];
  const box = { title: neutralise(state.request.title), lines: [...input.lines, ...list], caret: input.caret };
  return { box, page: Math.max(1, room - 1), help: "↑↓ choose • enter take • esc close" };
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
