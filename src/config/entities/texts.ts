import * as z from "zod";
import type { CommandHead, PromptHead, SkillHead } from "../config.ts";
import { anything, flag, number, section, text, texts } from "./fields.ts";
import type { EntityKind } from "./kind.ts";

export const prompt: EntityKind<PromptHead> = {
  name: "prompts",
  inherits: true,
  required: ["name"],
  schema: section({ name: text, description: text, inherit: texts }),
};

export const command: EntityKind<CommandHead> = {
  name: "commands",
  required: ["name"],
  // The original's documents show a list of hints, its source a text.
  schema: section({ name: text, description: text, hints: z.union([text, texts]) }),
};

export const skill: EntityKind<SkillHead> = {
  name: "skills",
  required: ["name", "description"],
  // The union of what Aura, Aether and Agent Skills write; how it is read, extensions/skill-file.ts says.
  schema: section({
    name: text,
    description: text,
    license: text,
    compatibility: text,
    metadata: anything,
    model: text,
    context: text,
    ...inBothSpellings("user", "invocable", flag),
    ...inBothSpellings("agent", "invocable", flag),
    ...inBothSpellings("disable", "model-invocation", flag),
    ...inBothSpellings("argument", "hint", text),
    ...inBothSpellings("allowed", "tools", z.union([text, texts])),
    ...inBothSpellings("agent", "authored", flag),
    tags: texts,
    triggers: section({ read: texts }),
    globs: z.union([text, texts]),
    paths: z.union([text, texts]),
    helpful: number,
    harmful: number,
  }),
};

function inBothSpellings<T extends z.ZodType>(first: string, second: string, type: T): Record<string, T> {
  const name = `${first}-${second}`;
  return { [name]: type, [name.replaceAll("-", "_")]: type };
}
