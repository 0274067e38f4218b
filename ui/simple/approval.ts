import type { ApprovalAnswer, RequestOf } from "../../src/protocol/request.ts";
import type { Scope } from "../../src/protocol/verdict.ts";
import { reveal } from "../../src/text/neutralise.ts";
import { explainApproval } from "../view/approval-words.ts";
import { allowing, alsoAllows, type Offer, offersOf, patternText } from "../view/offer-words.ts";
import { previewLines } from "../view/preview-words.ts";
import * as wording from "../view/wording.ts";
import type { Heard } from "./asking.ts";
import { diffInWords } from "./diff-words.ts";
import { type Line, line, linesOf, type Manner } from "./line.ts";

export interface ApprovalAsking {
  readonly kind: "approval";
  readonly request: RequestOf<"approval">;
  readonly manner: Manner;
  readonly prompt: string;
  /** Which of the offered patterns an answer would remember. */
  readonly chosen: number;
  /** Lines of the change that were not shown yet. */
  readonly more: readonly Line[];
}

/** A longer change is told in parts, so that the choices stay in reach. */
const PART_LINES = 80;
/** Numbers are the same for every call; those that are not possible are left out. */
const SCOPES = ["once", "session", "project", "global"] as const satisfies readonly Scope[];
const DENY = SCOPES.length + 1;
/** What chooses a pattern, behind the answers. */
const PATTERN_WORDS: readonly string[] = ["6", "7", "8"];
const MOST_NAMED = 8;
const ANSWERS: ReadonlyMap<string, Scope> = new Map(
  Object.entries({
    1: "once",
    2: "session",
    3: "project",
    4: "global",
    y: "once",
    yes: "once",
    allow: "once",
    a: "once",
    once: "once",
    s: "session",
    session: "session",
    p: "project",
    project: "project",
    g: "global",
    global: "global",
  } as const),
);

export function askApproval(request: RequestOf<"approval">, manner: Manner, waiting: number) {
  const { preview } = request;
  const known = preview === undefined ? [] : previewLines(preview).map(({ text }) => line(text));
  const change = [...known, ...(preview?.diff === undefined ? [] : changeLines(preview.diff, manner))];
  const place = waiting > 1 ? ` (1 of ${waiting})` : "";
  const { shown, more } = part(change);
  const prompt = manner === "accessible" ? "Your answer: " : "confirm> ";
  const asking: ApprovalAsking = { kind: "approval", request, manner, prompt, chosen: 0, more };
  const head = headLines(request, manner, place);
  const body = manner === "simple" ? [...shown, ...head] : [...head, ...shown];
  return { asking, lines: [...body, ...whyLines(request), ...choiceLines(asking)] };
}

/** aura 19.4: a number or word allows; whatever else is typed denies. Words after a denial are told to the model. */
export function hearApproval(asking: ApprovalAsking, typed: string): Heard {
  const text = typed.trim();
  const word = text.toLowerCase();
  // Enter alone is neither yes nor no.
  if (text === "") return { asking, lines: [line(`Type a number, 1 to allow once or ${DENY} to deny.`)] };
  if (asking.more.length > 0 && (word === "m" || word === "more")) {
    const { shown, more } = part(asking.more);
    const next = { ...asking, more };
    return { asking: next, lines: [...shown, ...moreLine(next)] };
  }
  const { request, chosen } = asking;
  if (word === "?") return { asking, lines: explanationLines(asking) };
  const offers = offersOf(request);
  const offer = offers[chosen];
  const other = offers.length > 1 ? PATTERN_WORDS.indexOf(word) : -1;
  if (offers[other] !== undefined) {
    const next = { ...asking, chosen: other };
    return { asking: next, lines: choiceLines(next) };
  }
  const scope = ANSWERS.get(word);
  if (scope !== undefined && wording.offersScope(offer, scope))
    return answered(
      allowing(request, scope, offer),
      scope === "once" ? "Allowed once." : `Allowed, and from now on: ${meaning(offer, scope)}.`,
    );
  if (scope !== undefined)
    return answered({ allow: false }, `Denied: that is not offered, because ${wording.noPattern(request, offer)}.`);
  const advice = /^(?:5|d|deny|n|no)[\s:,.]+(\S[\s\S]*)$/i.exec(text)?.[1];
  if (advice !== undefined) return answered({ allow: false, feedback: advice }, "Denied, and the model is told why.");
  return answered(
    { allow: false },
    /^(?:5|d|deny|n|no)$/.test(word) ? "Denied." : `Denied: "${reveal(text)}" is no choice.`,
  );
}

function answered(value: ApprovalAnswer, words: string): Heard {
  return { answer: { kind: "approval", value }, lines: [line(words)] };
}

function headLines(request: RequestOf<"approval">, manner: Manner, place: string): Line[] {
  const tool = reveal(request.tool);
  const detail = reveal(request.detail).split("\n");
  const label =
    manner === "accessible"
      ? `Approval needed for ${tool}${request.who === undefined ? "" : `, asked${wording.asker(request)}`}`
      : `? ${wording.approvalTitle(request)}`;
  const title = detail.length === 1 ? `${label}: ${detail[0]}${place}` : `${label}${place}:`;
  const about = reveal(request.about).replace(/\s+/g, " ").trim();
  return [
    line(title, "strong"),
    ...(detail.length === 1 ? [] : detail.map((text) => line(`  ${text}`))),
    ...(about === "" ? [] : [line(about, "faint")]),
  ];
}

function changeLines(diff: string, manner: Manner): Line[] {
  return manner === "accessible" ? diffInWords(diff).map((text) => line(text)) : linesOf(reveal(diff).trimEnd());
}

function part(lines: readonly Line[]): { shown: readonly Line[]; more: readonly Line[] } {
  return { shown: lines.slice(0, PART_LINES), more: lines.slice(PART_LINES) };
}

function whyLines(request: RequestOf<"approval">): Line[] {
  return [line(`Asked because of ${wording.because(request.because)}.`, "faint")];
}

function choiceLines(asking: ApprovalAsking): Line[] {
  const { request, chosen } = asking;
  const offers = offersOf(request);
  const offer = offers[chosen];
  const offered = SCOPES.flatMap((scope, index) =>
    wording.offersScope(offer, scope) ? [line(`${index + 1} ${meaning(offer, scope)}`)] : [],
  );
  const missing =
    offered.length === SCOPES.length
      ? []
      : [line(`Not more than that: ${wording.noPattern(request, offer)}.`, "faint")];
  return [
    ...moreLine(asking),
    ...offered,
    ...missing,
    line(`${DENY} deny; words behind it are told to the model`),
    line("? why this is asked, and what each answer covers", "faint"),
    ...otherLines(offers, chosen),
  ];
}

/** All there is to know, under the numbers that answer here. */
function explanationLines({ request, chosen }: ApprovalAsking): Line[] {
  return explainApproval(request, chosen).flatMap(({ topic, text }) => {
    const number = topic === "e" ? undefined : (TOPICS[topic] ?? topic);
    return number === undefined ? [] : [line(number === "" ? `  ${text}` : `${number}: ${text}`)];
  });
}

const TOPICS: Readonly<Record<string, string>> = { a: "1", s: "2", p: "3", g: "4", d: "5", 1: "6", 2: "7", 3: "8" };

/** The patterns that might be remembered instead. */
function otherLines(offers: readonly Offer[], chosen: number): Line[] {
  return offers.flatMap((offer, at) => {
    if (at === chosen) return [];
    const allows = alsoAllows(offer, MOST_NAMED);
    return [line(`${PATTERN_WORDS[at]} remember ${patternText(offer.pattern)} instead${allows && `; it ${allows}`}`)];
  });
}

function moreLine({ more }: ApprovalAsking): Line[] {
  return more.length === 0 ? [] : [line(`The change has ${more.length} more lines: answer m to read on.`, "warn")];
}

function meaning(offer: Offer | undefined, scope: Scope): string {
  return wording.scopeMeaning(scope, patternText(offer?.pattern ?? ""));
}
