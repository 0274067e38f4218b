/** Everything there is to know before a call is allowed: what asks, and what each answer would mean. Pure. */
import type { RequestOf } from "../../src/protocol/request.ts";
import type { Scope } from "../../src/protocol/verdict.ts";
import { neutralise, reveal } from "../../src/text/neutralise.ts";
import { alsoAllows, isExact, type Offer, offersOf, patternText } from "./offer-words.ts";
import { coverage } from "./pattern-words.ts";
import { because, noPattern, offersScope, scopeMeaning } from "./wording.ts";

type SavedScope = Exclude<Scope, "once">;

export interface Explained {
  /** A few letters that the text belongs to, for example the key of an answer. */
  readonly topic: string;
  readonly text: string;
}

/** Why `request` was opened, how its command was read, what may be remembered, and its answers one by one. */
export function explainApproval(request: RequestOf<"approval">, chosen = 0): readonly Explained[] {
  const { explained = [] } = request;
  const offers = offersOf(request);
  const offer = offers[chosen];
  const scopes = (["session", "project", "global"] as const).filter((scope) => offersScope(offer, scope));
  const several = offers.length > 1;
  const remembered = offer === undefined ? [] : scopes.map((scope, at) => told(offer, scope, several, scopes[at - 1]));
  const limit = offers.some((one) => offersScope(one, "global"))
    ? "kept for this session only"
    : "nothing broader is offered";
  const limited = request.noPattern !== undefined || !offersScope(offer, "global");
  return [
    { topic: "why", text: whatAsks(request) },
    ...explained.map((text, at) => ({ topic: at === 0 ? "read as" : "", text: reveal(text) })),
    { topic: "a", text: "allow this call; nothing is remembered" },
    ...(several ? offers.map((one, at) => offered(one, at, at === chosen)) : []),
    ...remembered,
    ...(limited ? [{ topic: "note", text: `${limit}: ${noPattern(request, offer)}` }] : []),
    { topic: "d", text: "deny this call; the model is told and goes on without it" },
    { topic: "e", text: "deny it and tell the model what to do instead" },
  ];
}

/** One of the patterns to choose from, with all that is known to be let through by it. */
function offered(offer: Offer, at: number, isChosen: boolean): Explained {
  const allows = alsoAllows(offer, Number.POSITIVE_INFINITY);
  const covers = coverage(offer.pattern, "project");
  const text = `${patternText(offer.pattern)}${isChosen ? " (chosen)" : ""}: ${covers}`;
  return { topic: String(at + 1), text: isExact(offer) || allows === "" ? text : `${text}. It ${allows}` };
}

/** What remembering for `scope` means; what it covers is not said twice. */
function told({ pattern }: Offer, scope: SavedScope, several: boolean, before: SavedScope | undefined): Explained {
  const topic = scope[0] ?? "";
  const meaning = scopeMeaning(scope, patternText(pattern));
  const covers = coverage(pattern, scope);
  const isSaid = several && coverage(pattern, "project") === covers;
  if (isSaid) return { topic, text: meaning };
  const same = before !== undefined && coverage(pattern, before) === covers;
  return { topic, text: `${meaning}. ${same ? "It covers the same." : `It covers: ${covers}.`}` };
}

function whatAsks({ because: why, tool, who }: RequestOf<"approval">): string {
  const origin = why.from === "agent" && who !== undefined ? "the agent" : ORIGINS[why.from];
  return `${because(why)}: ${origin} asks before ${neutralise(tool)} may do this`;
}

const ORIGINS: Readonly<Record<RequestOf<"approval">["because"]["from"], string>> = {
  default: "the default policy",
  mode: "the mode you are in",
  agent: "the agent you talk to",
  features: "the tool settings",
  project: "a rule of this project",
  global: "one of your own rules",
  session: "a choice of this session",
  plugin: "a plugin",
  guardrail: "the guardrail",
  server: "the server it belongs to",
  "built-in": "a rule of Aura itself",
};
