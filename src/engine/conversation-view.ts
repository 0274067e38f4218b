import type { Engine } from "./engine.ts";

/** What the model has before it now. */
export function conversationView({ session }: Engine): { readonly at: string; holds(text: string): boolean } {
  const messages = session.history.forModel();
  return {
    at: messages.at(-1)?.id ?? "",
    holds: (text) => messages.some(({ parts }) => parts.some((part) => "text" in part && part.text.includes(text))),
  };
}
