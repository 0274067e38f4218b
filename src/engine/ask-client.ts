import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import type { Answer, Question, Request, RequestOf } from "../protocol/request.ts";
import type { Engine } from "./engine.ts";

/** A client may leave its person as much time as they need. */
const PATIENCE_MS = 24 * 3_600_000;

/**
 * Puts what wants a person to the client, as elicitations (MCP specification 2025-11-25). Without an answer, and where
 * the client cannot ask, everything is denied or declined. Resolves when the engine is closed.
 */
export async function askClient(engine: Engine, server: Server, signal: AbortSignal): Promise<void> {
  const ask: AskForm = async (message, requestedSchema) => {
    const { elicitation } = server.getClientCapabilities() ?? {};
    if (!elicitation || (elicitation.form === undefined && elicitation.url !== undefined)) return undefined;
    try {
      return await server.elicitInput({ message, requestedSchema }, { signal, timeout: PATIENCE_MS });
    } catch {
      return undefined; // the client is gone, or does not know how after all
    }
  };
  const opened = { type: "notice", level: "info", text: "serving" } as const;
  for await (const event of engine.hub.listen(opened))
    if (event.type === "request-opened") {
      const { request } = event;
      void answerTo(request, ask).then((answer) => engine.answer(request.id, answer));
    }
}

type Form = ElicitRequestFormParams["requestedSchema"];
/** Undefined: nobody could be asked. */
type AskForm = (message: string, form: Form) => Promise<ElicitResult | undefined>;

async function answerTo(request: Request, ask: AskForm): Promise<Answer> {
  switch (request.kind) {
    case "approval":
      return { kind: "approval", value: await approve(request, ask) };
    case "question":
      return { kind: "question", value: await askQuestions(request, ask) };
    case "review":
      return { kind: "review", value: await review(request, ask) };
    case "pick":
      return { kind: "pick", value: null };
    case "edit":
      return { kind: "edit", value: null };
  }
}

async function approve(request: RequestOf<"approval">, ask: AskForm) {
  const { tool, about, detail, because, preview, pattern } = request;
  const lasting = pattern === undefined ? [] : [ALLOW_SESSION];
  const message = [`${tool}: ${about}`, detail, preview?.diff ?? "", `(${because.rule})`].filter(Boolean).join("\n\n");
  const reply = await ask(message, {
    type: "object",
    properties: {
      decision: { type: "string", title: "Allow this?", enum: [DENY, ALLOW, ...lasting], default: DENY },
    },
    required: ["decision"],
  });
  if (!reply) return { allow: false as const, nobody: "nobody could be asked: the client cannot ask a person" };
  const decision = reply.action === "accept" ? reply.content?.["decision"] : DENY;
  if (decision === ALLOW) return { allow: true as const, scope: "once" as const };
  if (decision === ALLOW_SESSION && pattern !== undefined) return { allow: true as const, scope: "session" as const };
  return { allow: false as const };
}

const DENY = "deny";
const ALLOW = "allow";
const ALLOW_SESSION = "allow for this session";

async function review({ title, text }: RequestOf<"review">, ask: AskForm) {
  const reply = await ask(`${title}\n\n${text}`, {
    type: "object",
    properties: {
      decision: { type: "string", title: "Approve?", enum: [DENY, "approve"], default: DENY },
      feedback: { type: "string", title: "Feedback" },
    },
    required: ["decision"],
  });
  if (!reply) return null;
  if (reply.action === "accept" && reply.content?.["decision"] === "approve") return { approved: true as const };
  const feedback = reply.content?.["feedback"];
  return { approved: false as const, ...(typeof feedback === "string" && feedback !== "" && { feedback }) };
}

async function askQuestions({ questions }: RequestOf<"question">, ask: AskForm) {
  const properties = Object.fromEntries(questions.map((question, at) => [`answer${at + 1}`, fieldOf(question)]));
  const message = questions.map(({ text }) => text).join("\n\n");
  const reply = await ask(message, { type: "object", properties });
  if (reply?.action !== "accept") return null;
  return questions.map((_, at) => {
    const answer = reply.content?.[`answer${at + 1}`];
    if (answer === undefined || answer === "") return [];
    return Array.isArray(answer) ? answer : [String(answer)];
  });
}

function fieldOf({ text, options, multiSelect }: Question): Form["properties"][string] {
  const title = text.split("\n").at(-1) ?? text;
  const labels = options.map(({ label }) => label);
  if (labels.length === 0) return { type: "string", title };
  return multiSelect
    ? { type: "array", title, items: { type: "string", enum: labels } }
    : { type: "string", title, enum: labels };
}
