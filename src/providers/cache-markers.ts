// Where Anthropic may cache a prompt. It allows four markers and caches everything before each of them
// (https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching): the tools, the system prompt, the end of this
// request, and the end of the previous one, where this request finds what that one stored.

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";

/** `call` with markers; nothing else of it changes. */
export function markForAnthropic(call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = [...call.prompt];
  const ends = prompt.flatMap((message, at) => (isEnd(prompt, at, message) ? [at] : [])).slice(-2);
  for (const at of [...prompt.keys()]
    .filter((at) => prompt[at]?.role === "system")
    .slice(0, 1)
    .concat(ends)) {
    prompt[at] = { ...prompt[at]!, providerOptions: MARK };
  }
  const tools = call.tools?.map((tool, at, all) =>
    at === all.length - 1 && tool.type === "function" ? { ...tool, providerOptions: MARK } : tool,
  );
  return { ...call, prompt, ...(tools === undefined ? {} : { tools }) };
}

const MARK = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

/** The last of neighbouring user and tool messages: a request ends there. */
function isEnd(prompt: readonly LanguageModelV4Message[], at: number, { role }: LanguageModelV4Message): boolean {
  if (role !== "user" && role !== "tool") return false;
  const next = prompt[at + 1]?.role;
  return next !== "user" && next !== "tool";
}
