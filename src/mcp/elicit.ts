import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import type { Question, RequestTypes } from "../protocol/request.ts";
import { type ElicitedField, readField, readFields } from "./elicited-field.ts";

/** A server's question to the person, answered in the form the protocol wants. Must not throw. */
export type Elicit = (server: string, params: ElicitRequest["params"], signal: AbortSignal) => Promise<ElicitResult>;

export interface ElicitOptions {
  /** Null: nobody answered, or nobody is there. */
  ask(ask: RequestTypes["question"]["ask"], signal: AbortSignal): Promise<RequestTypes["question"]["answer"]>;
  /** Told to the person without waiting. */
  notice(text: string): void;
}

/** Times a field may be answered in a form the server does not take. */
const TRIES = 3;
const DECLINE = { action: "decline" } as const;
/** Characters of a server's own words in a dialog. */
const LONGEST_MESSAGE = 2_000;

/**
 * Puts elicitations (MCP specification 2025-11-25, client/elicitation) to the person: a field a question, under the
 * name of the server that asks. What looks like a secret is never asked for; a dismissed dialog declines.
 */
export function createElicit({ ask, notice }: ElicitOptions): Elicit {
  return async (server, params, signal) => {
    const message = params.message.slice(0, LONGEST_MESSAGE);
    if ("url" in params) {
      if (!/^https?:/.test(params.url)) return DECLINE;
      notice(`The server "${server}" asks you to open ${params.url}`);
      const answer = await ask({ from: server, questions: [visit(message, params.url)] }, signal);
      return answer?.[0]?.[0] === "Yes" ? { action: "accept" } : DECLINE;
    }
    const fields = readFields(params.requestedSchema);
    const secret = fields.find(({ isSecret }) => isSecret);
    if (secret) {
      notice(`The server "${server}" asked for "${secret.name}", which looks like a secret. It was refused.`);
      return DECLINE;
    }
    if (fields.length === 0) {
      const answer = await ask({ from: server, questions: [agree(message)] }, signal);
      return answer?.[0]?.[0] === "Yes" ? { action: "accept", content: {} } : DECLINE;
    }
    const content = await fill(fields, message, (questions) => ask({ from: server, questions }, signal));
    return content ? { action: "accept", content } : DECLINE;
  };
}

type Content = NonNullable<ElicitResult["content"]>;

/** Undefined: the person would not, or could not. */
async function fill(
  fields: readonly ElicitedField[],
  message: string,
  ask: (questions: readonly Question[]) => Promise<RequestTypes["question"]["answer"]>,
): Promise<Content | undefined> {
  const content: Content = {};
  let open = fields.map((field) => ({ field, problem: "" }));
  for (let round = 0; round < TRIES && open.length > 0; round++) {
    const lead = round === 0 ? message : "";
    const answers = await ask(open.map(({ field, problem }, at) => asked(field, problem || (at === 0 ? lead : ""))));
    if (!answers) return undefined;
    open = open.flatMap(({ field }, at) => {
      const read = readField(field, answers[at] ?? []);
      if ("problem" in read) return [{ field, problem: read.problem }];
      if (read.value !== undefined) content[field.name] = read.value;
      return [];
    });
  }
  return open.length === 0 ? content : undefined;
}

function asked(field: ElicitedField, before: string): Question {
  const { title, description, isRequired, options, isMulti, fallback } = field;
  const facts = [
    ...(isRequired ? [] : ["optional"]),
    ...(fallback === undefined ? [] : [`default: ${String(fallback)}`]),
  ];
  const line = `${title}${description ? `: ${description}` : ""}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
  return {
    text: before ? `${before}\n\n${line}` : line,
    options: options.map(({ label }) => ({ label })),
    multiSelect: isMulti,
  };
}

const YES_OR_NO = { options: [{ label: "Yes" }, { label: "No" }], multiSelect: false } as const;
const agree = (text: string): Question => ({ text, ...YES_OR_NO });
const visit = (message: string, url: string): Question => ({
  text: `${message}\n\nOpen ${url} in your browser? Look at the address first.`,
  ...YES_OR_NO,
});
