/** A request as numbered lines, and what a typed line answers. Pure. */
import type { Answer, Request } from "../../src/protocol/request.ts";
import { type ApprovalAsking, askApproval, hearApproval } from "./approval.ts";
import type { Line, Manner } from "./line.ts";
import { askPick, hearPick, type PickAsking } from "./pick.ts";
import { askQuestion, hearQuestion, type QuestionAsking } from "./question.ts";
import { askReview, hearReview, type ReviewAsking } from "./review.ts";
import { askText, type EditAsking, hearText } from "./rewrite.ts";

/** What is being asked, and how far the person has come with it. */
export type Asking = ApprovalAsking | PickAsking | QuestionAsking | EditAsking | ReviewAsking;

/** Something to say, and either another line to wait for or the answer. */
export interface Heard {
  readonly lines: readonly Line[];
  readonly asking?: Asking;
  readonly answer?: Answer;
}

/** `waiting` is how many requests there are, this one included. */
export function ask(request: Request, manner: Manner, waiting: number): { asking: Asking; lines: readonly Line[] } {
  switch (request.kind) {
    case "approval":
      return askApproval(request, manner, waiting);
    case "pick":
      return askPick(request, manner);
    case "question":
      return askQuestion(request, manner);
    case "edit":
      return askText(request, manner);
    case "review":
      return askReview(request, manner);
  }
}

export function hear(asking: Asking, typed: string): Heard {
  switch (asking.kind) {
    case "approval":
      return hearApproval(asking, typed);
    case "pick":
      return hearPick(asking, typed);
    case "question":
      return hearQuestion(asking, typed);
    case "edit":
      return hearText(asking, typed);
    case "review":
      return hearReview(asking, typed);
  }
}

/** What leaving without an answer means: a refusal, or nothing chosen. */
export function dismissal(asking: Asking): Answer {
  return asking.kind === "approval"
    ? { kind: "approval", value: { allow: false } }
    : { kind: asking.kind, value: null };
}
