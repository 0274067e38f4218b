import { defineTool } from "../../toolkit/tool.ts";
import { createElicit } from "../elicit.ts";
import { readArguments } from "./read-arguments.ts";
import type { ServedServer } from "./served-server.ts";

/** A form for the person, filled in by them or declined (other-systems 1.8). */
export function surveyServer(args: readonly string[]): ServedServer {
  readArguments("survey", args, {});
  return { name: "survey", tools: () => ({ present: [{ tool: askUser, structured: true }], absent: [] }) };
}

const askUser = defineTool({
  name: "ask_user",
  description:
    "Asks the person to fill in a form. Answers whether they did, and the data. Only for what you cannot find out yourself.",
  input: {
    type: "object",
    properties: {
      message: { type: "string", minLength: 1 },
      schema: {
        type: "object",
        description: "JSON Schema of a flat object, also as JSON text; enum makes a choice. Empty: yes or no",
        properties: {},
        additionalProperties: true,
      },
    },
    required: ["message"],
    additionalProperties: false,
  },
  parallel: false,
  sandboxable: false,

  async run({ message, schema = {} }, access) {
    const elicit = createElicit({
      ask: (question) => access.ask("question", question),
      notice: (text) => access.print(text),
    });
    const requestedSchema = { properties: {}, ...schema, type: "object" as const };
    const { action, content } = await elicit("survey", { message, requestedSchema }, access.signal);
    return JSON.stringify({ accepted: action === "accept", data: content ?? null });
  },
});
