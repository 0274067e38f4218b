import type { Question, RequestOf } from "../../src/protocol/request.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import * as wording from "../view/wording.ts";
import type { Heard } from "./asking.ts";
import { type Line, line, linesOf, type Manner } from "./line.ts";

export interface QuestionAsking {
  readonly kind: "question";
  readonly request: RequestOf<"question">;
  readonly prompt: string;
  /** Answers to the questions before this one. */
  readonly answers: readonly (readonly string[])[];
  /** What is typed now is not to be seen. */
  readonly secret: boolean;
}

export function askQuestion(request: RequestOf<"question">, manner: Manner) {
  const prompt = manner === "accessible" ? "Your answer: " : "answer> ";
  return next({ kind: "question", request, prompt, answers: [], secret: false });
}

function next(asking: QuestionAsking): { asking: QuestionAsking; lines: readonly Line[] } {
  const { questions } = asking.request;
  const index = asking.answers.length;
  const question = questions[index] ?? NO_QUESTION;
  const { from } = asking.request;
  const place = questions.length > 1 ? `${index + 1} of ${questions.length}` : "";
  const label =
    from === undefined
      ? `${`Question ${place}`.trimEnd()}: `
      : `${wording.questionTitle({ from })}${place === "" ? "" : ` (${place})`}: `;
  const options = question.options.map(({ label: name, description }, at) =>
    line(`${at + 1} ${neutralise(name)}${description === undefined ? "" : `: ${neutralise(description)}`}`),
  );
  return {
    asking: { ...asking, secret: question.secret === true },
    lines: [...linesOf(neutralise(question.text).trim(), "strong", label), ...options, ...how(question)],
  };
}

const NO_QUESTION: Question = { text: "", options: [], multiSelect: false };

function how({ options, multiSelect, secret }: Question): Line[] {
  if (secret) return [line("What you type is not shown.", "faint")];
  if (options.length === 0) return [];
  const numbers = multiSelect ? "one or more numbers, like 1 2," : "a number";
  return [line(`Type ${numbers} or an answer of your own.`, "faint")];
}

export function hearQuestion(asking: QuestionAsking, typed: string): Heard {
  const question = asking.request.questions[asking.answers.length] ?? NO_QUESTION;
  const chosen = chosenIn(question, typed.trim());
  if (typeof chosen === "string") return { asking, lines: [line(chosen, "warn")] };
  const answers = [...asking.answers, chosen];
  if (answers.length >= asking.request.questions.length)
    return { answer: { kind: "question", value: answers }, lines: [] };
  return next({ ...asking, answers });
}

/** The labels or words that were meant, or a sentence about what is wrong. */
function chosenIn({ options, multiSelect, secret }: Question, text: string): readonly string[] | string {
  if (text === "") return "Nothing was typed; Ctrl+C leaves the question.";
  if (secret || options.length === 0) return [text];
  const numbers = text.split(/[\s,;]+/).filter((word) => word !== "");
  if (numbers.every((word) => /^\d+$/.test(word)) && (multiSelect || numbers.length === 1)) {
    const labels = numbers.map((word) => options[Number(word) - 1]?.label);
    const wrong = numbers.find((_, index) => labels[index] === undefined);
    if (wrong !== undefined) return `There is no option ${wrong}.`;
    return [...new Set(labels.filter((label) => label !== undefined))];
  }
  const named = options.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  return [named?.label ?? text];
}
