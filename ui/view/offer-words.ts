/** The patterns a person may have remembered, and what each would let through, in words. Pure. */
import type { ApprovalAnswer, RequestOf } from "../../src/protocol/request.ts";
import type { Offered, Scope } from "../../src/protocol/verdict.ts";
import { reveal } from "../../src/text/neutralise.ts";

type Approval = RequestOf<"approval">;

/** `allows` is absent where nobody looked what else it would let through. */
export type Offer = Omit<Offered, "allows"> & Partial<Pick<Offered, "allows">>;

/** What there is to choose from, the narrowest first; empty when only once is possible. */
export function offersOf({ patterns, pattern, sessionOnly }: Approval): readonly Offer[] {
  if (patterns !== undefined && patterns.length > 0) return patterns;
  return pattern === undefined ? [] : [{ pattern, ...(sessionOnly && { sessionOnly }) }];
}

/** A yes that remembers `offer`, which is what was shown, and nothing else. */
export function allowing(request: Approval, scope: Scope, offer: Offer | undefined): ApprovalAnswer {
  const isChosen = scope !== "once" && request.patterns !== undefined && offer !== undefined;
  return { allow: true, scope, ...(isChosen && { pattern: offer.pattern }) };
}

/** A pattern on one line, with everything in it to be seen. */
export function patternText(pattern: string): string {
  return reveal(pattern).replace(/\n/g, "␊").replace(/\t/g, "␉");
}

/** It lets through a text that is given word for word. */
export const isExact = ({ pattern }: Offer): boolean => pattern.includes(":") && !/(?<!\\)\*/.test(pattern);

/** `also allows git push --force, git push --tags`; empty where nobody looked. What was looked at are shell commands. */
export function alsoAllows(offer: Offer, most: number): string {
  if (isExact(offer)) return "allows nothing else";
  const { allows, pattern } = offer;
  if (allows === undefined || allows.length === 0)
    return allows !== undefined && pattern.startsWith("Bash:") ? "also allows none of the usual commands" : "";
  const shown = allows.slice(0, most).map((text) => shorten(patternText(text)));
  const more = allows.length - shown.length;
  return `also allows ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const MOST_OF_ONE = 60;
const shorten = (text: string) => (text.length <= MOST_OF_ONE ? text : `${text.slice(0, MOST_OF_ONE - 1)}…`);
