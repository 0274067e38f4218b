import type { Node, ParseError } from "jsonc-parser";

type Path = readonly PropertyKey[];

/** A JSON text as data that knows its line numbers. */
export interface JsonText {
  /** `{}` for an empty text. */
  readonly data: unknown;
  /** The first thing that cannot be read. */
  readonly problem?: { readonly line: number; readonly message: string };
  /** The 1-based line of the key or item at `path`, or of the nearest thing above it that is written. */
  lineOf(path: Path): number;
}

/** @param relaxed comments and trailing commas are fine; else they are problems, as in plain JSON */
export async function readJson(text: string, relaxed: boolean): Promise<JsonText> {
  const { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } = await import("jsonc-parser");
  const clean = text.replace(/^\uFEFF/, "");
  const errors: ParseError[] = [];
  const tree =
    clean.trim() === ""
      ? undefined
      : parseTree(clean, errors, { disallowComments: !relaxed, allowTrailingComma: relaxed });
  const lineAt = (offset: number) => clean.slice(0, offset).split("\n").length;
  const first = errors[0];
  return {
    data: tree ? getNodeValue(tree) : {},
    ...(first && {
      problem: { line: lineAt(first.offset), message: `not valid JSON: ${wording(printParseErrorCode(first.error))}` },
    }),
    lineOf(path) {
      let node: Node | undefined;
      for (let length = path.length; tree && !node && length >= 0; length--)
        node = findNodeAtLocation(tree, path.slice(0, length) as (string | number)[]);
      // The key, not what it holds.
      const place = node?.parent?.type === "property" ? node.parent : node;
      return place ? lineAt(place.offset) : 1;
    },
  };
}

/** `CommaExpected` → `comma expected`. */
function wording(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
