import type { Answer, RequestOf } from "../../src/protocol/request.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import type { Heard } from "./asking.ts";
import { type Line, line, type Manner } from "./line.ts";
import { say, sayRest, silence } from "./sentences.ts";

export interface ReviewAsking {
  readonly kind: "review";
  readonly request: RequestOf<"review">;
  readonly prompt: string;
  /** Comments were chosen: the next line is one. */
  readonly commenting: boolean;
}

/** A text to read and approve, or to send back with a word. */
export function askReview(request: RequestOf<"review">, manner: Manner) {
  const prompt = manner === "accessible" ? "Your answer: " : "review> ";
  const asking: ReviewAsking = { kind: "review", request, prompt, commenting: false };
  const begun = say(silence, neutralise(request.text), manner);
  const body = [...begun.lines, ...sayRest(begun.speech, manner)].map((text) => line(text));
  const title = neutralise(request.title).replace(/\s+/g, " ").trim();
  return { asking, lines: [line(title, "strong"), ...body, ...CHOICES] };
}

const CHOICES: readonly Line[] = [
  line("1 approve"),
  line("2 deny"),
  line("3 comment; words behind it are told to the model"),
];

/** Only a clear yes approves; any words that are no choice are taken for a comment. */
export function hearReview(asking: ReviewAsking, typed: string): Heard {
  const text = typed.trim();
  const word = text.toLowerCase();
  if (asking.commenting)
    return text === ""
      ? { asking: { ...asking, commenting: false }, lines: [line("No comment."), ...CHOICES] }
      : answered({ approved: false, feedback: text }, "Not approved, and the model is told why.");
  // Enter alone is neither yes nor no.
  if (text === "") return { asking, lines: [line("Type a number, 1 to approve or 2 to deny.")] };
  if (/^(?:1|a|y|yes|approve)$/.test(word)) return answered({ approved: true }, "Approved.");
  if (/^(?:2|d|n|no|deny)$/.test(word)) return answered({ approved: false }, "Not approved.");
  if (/^(?:3|c|comment)$/.test(word))
    return { asking: { ...asking, commenting: true }, lines: [line("Write the comment on one line.")] };
  const feedback = /^(?:[23]|[cd]|comment|deny|no)[\s:,.]+(\S[\s\S]*)$/i.exec(text)?.[1] ?? text;
  return answered({ approved: false, feedback }, "Not approved, and the model is told why.");
}

function answered(value: Extract<Answer, { kind: "review" }>["value"], words: string): Heard {
  return { answer: { kind: "review", value }, lines: [line(words)] };
}
