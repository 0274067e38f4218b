import * as z from "zod";
import type { ProviderEntry } from "../config.ts";
import { count, duration, section, text, texts } from "./fields.ts";
import type { EntityKind } from "./kind.ts";

export const provider: EntityKind<ProviderEntry> = {
  name: "providers",
  required: ["type"],
  schema: section({
    url: text,
    type: z.enum([
      "anthropic",
      "codex",
      "copilot",
      "google",
      "llamacpp",
      "ollama",
      "openai",
      "openai-compatible",
      "openrouter",
      "scripted",
    ]),
    token: text,
    models: section({ include: texts, exclude: texts }),
    keep_alive: duration,
    timeout: duration,
    retry: section({ max_attempts: count, base_delay: duration, max_delay: duration }),
    capabilities: z.array(z.enum(["chat", "embed", "rerank", "transcribe", "synthesize"])),
  }),
};
