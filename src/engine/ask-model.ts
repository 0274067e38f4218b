import type { SummaryAnswer } from "../context/compaction.ts";
import { textOf } from "../protocol/message.ts";
import type { Engine } from "./engine.ts";

/**
 * One question beside the conversation, put to the session's own model with a configured prompt, or else an agent's
 * body, as its system prompt. Undefined when the configuration names neither: then nothing is asked.
 */
export function askModel(
  engine: Engine,
  promptName: string,
  agentName: string,
): ((question: string) => Promise<SummaryAnswer>) | undefined {
  const { prompts, agents } = engine.config;
  const system = (prompts.get(promptName.toLowerCase()) ?? agents.get(agentName.toLowerCase()))?.body;
  if (system === undefined) return undefined;
  return async (question) => {
    const { provider, model } = engine.model;
    const message = {
      id: engine.newId(),
      role: "user",
      kind: "normal",
      at: engine.timestamp(),
      parts: [{ type: "text", text: question }],
    } as const;
    const request = { model, system, messages: [message], tools: [], think: "off" } as const;
    let text = "";
    for await (const part of provider.stream({ ...request, signal: AbortSignal.timeout(LIMIT_MS) })) {
      if (part.type === "part" && part.part.type === "tool-call") return { kind: "failed", reason: "it called a tool" };
      if (part.type === "part") text += textOf({ ...message, parts: [part.part] });
      if (part.type === "failed") return { kind: "failed", reason: part.failure.message };
      if (part.type === "finished") engine.countUsage(part.usage);
    }
    return text.trim() === "" ? { kind: "failed", reason: "the answer was empty" } : { kind: "text", text };
  };
}

const LIMIT_MS = 120_000;
