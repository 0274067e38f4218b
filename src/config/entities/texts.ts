import * as z from "zod";
import type { CommandHead, PromptHead, SkillHead } from "../config.ts";
import { section, text, texts } from "./fields.ts";
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
  schema: section({ name: text, description: text }),
};
