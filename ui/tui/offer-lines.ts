/** What an answer would remember, as lines of the approval dialog. */
import { displayWidth } from "../../src/text/width.ts";
import { alsoAllows, isExact, type Offer, offersOf, patternText } from "../view/offer-words.ts";
import * as wording from "../view/wording.ts";
import type { ApprovalState } from "./dialog-state.ts";
import type { DialogFrame } from "./dialog-view.ts";
import type { PlaceAction } from "./place-keys.ts";
import { clipLine, type Line, lineWidth, span, wrapLine } from "./spans.ts";

/** The pattern that answers would remember; `told` says for how long. */
export function savedLines({ request, chosen }: ApprovalState, { width, keyOf }: DialogFrame, told: boolean): Line[] {
  const offers = offersOf(request);
  const offer = offers[chosen];
  if (offer === undefined) return wrapLine([span(`only this once: ${wording.noPattern(request)}`, "warn")], width);
  const { sessionOnly } = offer;
  const head = span(sessionOnly ? `${keyOf("allow-session")} allows ` : `${SAVING.map(keyOf).join(" ")} allow `);
  const period = told ? [span(sessionOnly ? " until this session ends" : " from now on")] : [];
  const place = span(` (${chosen + 1}/${offers.length} ${keyOf("next-pattern")})`, "faint");
  const tail = offers.length > 1 ? [...period, place] : period;
  const room = width - lineWidth([head, ...tail]);
  const name = span(offers.length > 1 ? nameWithin(offer, room) : patternText(offer.pattern), "accent");
  return wrapLine([head, name, ...tail], width, [span("  ")]);
}

const SAVING = ["allow-session", "allow-project", "allow-global"] as const;

/** The patterns to choose from, one a line, the chosen one marked. */
export function offerLines({ request, chosen }: ApprovalState, { width, keyOf }: DialogFrame): Line[] {
  const offers = offersOf(request);
  const keys = SAVING.map(keyOf).join(" ");
  const means = offers[chosen]?.sessionOnly
    ? `${keyOf("allow-session")} allows until this session ends`
    : `${keys} allow from now on`;
  const head = `${means} what is marked (${keyOf("next-pattern")} marks the next):`;
  const rows = offers.flatMap((offer, at) => {
    const isChosen = at === chosen;
    const key = keyOf(CHOOSING[at] ?? "next-pattern");
    return offerRows(offer, [span(`${isChosen ? "▸" : " "} ${key} `, "accent")], isChosen, width);
  });
  return [...wrapLine([span(head)], width), ...rows];
}

/** With as many of the commands it would also allow as fit; what would be remembered is never cut. */
function offerRows(offer: Offer, lead: Line, isChosen: boolean, width: number): Line[] {
  const only = offer.sessionOnly ? "this session only" : "";
  const name = nameWithin(offer, width - lineWidth(lead) - (only === "" ? 0 : only.length + 2));
  const plain: Line = [...lead, { ...span(name), bold: isChosen }];
  const rowOf = (remark: string): Line => (remark === "" ? plain : [...plain, span(`  ${remark}`, "faint")]);
  const allowed = isExact(offer) ? [""] : NAMED.map((most) => alsoAllows(offer, most));
  const forms = allowed.map((allows) => rowOf([allows, only].filter((text) => text !== "").join("; ")));
  const fitting = forms.find((form) => lineWidth(form) <= width);
  if (fitting !== undefined) return [fitting];
  const isLong = lineWidth(plain) > width;
  if (isLong && isChosen) return wrapLine(plain, width, [span("    ")]);
  const shortened = isLong ? [...lead, span(endOf(name, width - lineWidth(lead)))] : (forms.at(-1) ?? plain);
  return [clipLine(shortened, width)];
}

/** Paths differ at their end, commands show what they are at their beginning. */
function endOf(name: string, room: number): string {
  const colon = name.indexOf(":/");
  if (colon < 0) return name;
  const tool = name.slice(0, colon + 1);
  const shown = room - displayWidth(tool) - 1;
  const letters = Array.from(name.slice(colon + 1));
  while (letters.length > 0 && displayWidth(letters.join("")) > shown) letters.shift();
  return `${tool}…${letters.join("")}`;
}

/** How many of the commands that would be allowed as well are named, where they fit. */
const NAMED = [4, 3, 2, 1];
const CHOOSING: readonly PlaceAction[] = ["first-pattern", "second-pattern", "third-pattern"];

/** A command that stands above in full is not written out again where there is no room for it. */
function nameWithin(offer: Offer, room: number): string {
  const name = patternText(offer.pattern);
  return name.length > room && isExact(offer) && name.startsWith("Bash:") ? "exactly this command" : name;
}
