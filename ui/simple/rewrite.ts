import type { RequestOf } from "../../src/protocol/request.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import type { Heard } from "./asking.ts";
import { line, linesOf, type Manner } from "./line.ts";

export interface EditAsking {
  readonly kind: "edit";
  readonly request: RequestOf<"edit">;
  readonly prompt: string;
  readonly written: readonly string[];
}

/** A text to change: it is shown, and written anew line by line. */
export function askText(request: RequestOf<"edit">, manner: Manner) {
  const prompt = manner === "accessible" ? "New line: " : "text> ";
  const asking: EditAsking = { kind: "edit", request, prompt, written: [] };
  return {
    asking,
    lines: [
      line(neutralise(request.title), "strong"),
      ...linesOf(neutralise(request.text).trimEnd()),
      line("Write it anew; a line with only a dot ends it. Enter alone leaves it as it is.", "faint"),
    ],
  };
}

export function hearText(asking: EditAsking, typed: string): Heard {
  const { written } = asking;
  if (written.length === 0 && typed.trim() === "")
    return { answer: { kind: "edit", value: null }, lines: [line("Left as it is.")] };
  if (typed.trim() === ".") return { answer: { kind: "edit", value: written.join("\n") }, lines: [] };
  return { asking: { ...asking, written: [...written, typed] }, lines: [] };
}
