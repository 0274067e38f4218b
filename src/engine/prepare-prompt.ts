import { expandDirectives } from "../context/directives.ts";
import { inputObjection } from "../context/input-guard.ts";
import type { Message } from "../protocol/message.ts";
import { compactSession } from "./compact-session.ts";
import { directiveAccess } from "./directive-access.ts";
import type { Engine } from "./engine.ts";

export type PreparedPrompt =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "empty" };

/** Directives, then the input guard: what would overflow the context is compacted for once, and refused after that. */
export async function preparePrompt(engine: Engine, text: string, signal: AbortSignal): Promise<PreparedPrompt> {
  const expanded = text.includes("@")
    ? await expandDirectives(text, directiveAccess(engine, signal))
    : { text, images: [], warnings: [] };
  for (const warning of expanded.warnings) engine.emit({ type: "notice", level: "warn", text: warning });
  if (expanded.text.trim() === "" && expanded.images.length === 0) return { kind: "empty" };

  const objection = () => {
    const { user_input_max_percentage: most } = engine.settings.features.tools;
    return inputObjection(engine.estimate(expanded.text), engine.contextUsage(), most);
  };
  if (objection() !== undefined) await compactSession(engine, { forced: true });
  const reason = objection();
  if (reason !== undefined) return { kind: "refused", reason };
  return {
    kind: "message",
    message: {
      id: engine.newId(),
      role: "user",
      kind: "normal",
      at: engine.timestamp(),
      parts: [{ type: "text", text: expanded.text }, ...expanded.images],
    },
  };
}
