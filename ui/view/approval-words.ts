/** Everything there is to know before a call is allowed: what asks, and what each answer would mean. Pure. */
import type { RequestOf } from "../../src/protocol/request.ts";
import type { Scope } from "../../src/protocol/verdict.ts";
import { neutralise, reveal } from "../../src/text/neutralise.ts";
import { coverage } from "./pattern-words.ts";
import { because, noPattern, offersScope, scopeMeaning } from "./wording.ts";

type SavedScope = Exclude<Scope, "once">;

export interface Explained {
  /** A few letters that the text belongs to, for example the key of an answer. */
  readonly topic: string;
  readonly text: string;
}

/** Why `request` was opened, then its answers one by one. */
export function explainApproval(request: RequestOf<"approval">): readonly Explained[] {
  const { pattern } = request;
  const scopes = (["session", "project", "global"] as const).filter((scope) => offersScope(request, scope));
  const remembered = pattern === undefined ? [] : scopes.map((scope, at) => told(pattern, scope, scopes[at - 1]));
  const limited = request.noPattern !== undefined || pattern === undefined || request.sessionOnly === true;
  return [
    { topic: "why", text: whatAsks(request) },
    { topic: "a", text: "allow this call; nothing is remembered" },
    ...remembered,
    ...(limited ? [{ topic: "not", text: `nothing broader is offered: ${noPattern(request)}` }] : []),
    { topic: "d", text: "deny this call; the model is told and goes on without it" },
    { topic: "e", text: "deny it and tell the model what to do instead" },
  ];
}

/** What remembering for `scope` means; what it covers is not said twice. */
function told(pattern: string, scope: SavedScope, before: SavedScope | undefined): Explained {
  const covers = coverage(pattern, scope);
  const same = before !== undefined && coverage(pattern, before) === covers;
  const reach = same ? "It covers the same." : `It covers: ${covers}.`;
  return { topic: scope[0] ?? "", text: `${scopeMeaning(scope, patternText(pattern))}. ${reach}` };
}

/** A pattern on one line, with everything in it to be seen. */
export function patternText(pattern: string): string {
  return reveal(pattern).replace(/\n/g, "␊").replace(/\t/g, "␉");
}

function whatAsks({ because: why, tool }: RequestOf<"approval">): string {
  const origin = ORIGINS[why.from];
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
  "built-in": "a rule of Aura itself",
};
