import type { JSONPath } from "jsonc-parser";
import { isTree, type Tree } from "../traced.ts";
import { sameData } from "./same-data.ts";

/** What becomes of one entry: `owned` keys are set or removed, any other key of it stays. Undefined: the entry goes. */
export interface EntryEdit {
  /** The key in the file. */
  readonly key: string;
  readonly entry?: Tree | undefined;
  readonly owned: readonly string[];
}

/** The text with these entries below `path`; comments, order, indentation and everything else stay. */
export async function editJson(text: string, path: readonly string[], edits: readonly EntryEdit[]): Promise<string> {
  const { applyEdits, modify, parse } = await import("jsonc-parser");
  let result = text.trim() === "" ? "{}\n" : text;
  const formattingOptions = formatOf(result);
  const set = (at: JSONPath, value: unknown) => {
    result = applyEdits(result, modify(result, at, value, { formattingOptions }));
  };
  const valueAt = (at: JSONPath): unknown =>
    at.reduce<unknown>(
      (value, key) => (isTree(value) ? value[String(key)] : undefined),
      parse(result, [], { allowTrailingComma: true }),
    );
  for (const { key, entry, owned } of edits) {
    const at = [...path, key];
    const found = valueAt(at);
    if (entry === undefined) {
      if (found !== undefined) set(at, undefined);
    } else if (!isTree(found)) set(at, entry);
    else {
      for (const field of owned) {
        if (field in found && !(field in entry)) set([...at, field], undefined);
        else if (field in entry && !sameData(found[field], entry[field])) set([...at, field], entry[field]);
      }
    }
  }
  return result;
}

/** As the file is indented already. */
function formatOf(text: string): { readonly insertSpaces: boolean; readonly tabSize: number; readonly eol: string } {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 2 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
