import * as z from "zod";
import type { ToolOverride } from "../config.ts";
import { condition, flag, section, text, texts } from "./fields.ts";
import type { EntityKind } from "./kind.ts";

export const toolOverride: EntityKind<ToolOverride> = {
  name: "tools",
  schema: section({
    disabled: flag,
    override: flag,
    description: text,
    usage: text,
    examples: z.union([text, texts]),
    condition,
    parallel: flag,
  }),
};
