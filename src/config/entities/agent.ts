import * as z from "zod";
import type { AgentHead, ModeHead } from "../config.ts";
import type { Spellings } from "../spellings.ts";
import { featureSpellings, featuresSchema } from "./features.ts";
import { anything, count, filter, flag, number, section, text, texts, toolFilter } from "./fields.ts";
import type { EntityKind } from "./kind.ts";

const THINK_WORDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [false, "off"],
  ["false", "off"],
  [true, "on"],
  ["true", "on"],
]);
const think = z.preprocess(
  (value) => THINK_WORDS.get(value) ?? value,
  z.enum(["off", "on", "low", "medium", "high"], { error: "expected false, true, low, medium or high" }),
);

const generation = section({
  temperature: number,
  top_p: number,
  top_k: number,
  frequency_penalty: number,
  presence_penalty: number,
  max_output_tokens: count,
  stop: texts,
  seed: z.int(),
  think_budget: count,
});

export const modelSchema = section({ provider: text, name: text, think, context: count, generation });

const shared = {
  name: text,
  description: text,
  hide: flag,
  tools: toolFilter,
  hooks: filter,
  features: featuresSchema,
  inherit: texts,
};

const serverRef = z.union(
  [
    text,
    z.strictObject({ type: z.literal("file"), path: text, proxy: flag.optional() }),
    z.strictObject({ type: z.literal("inline"), servers: anything }),
  ],
  { error: "expected the path of a file, {type: file, path, proxy} or {type: inline, servers}" },
);

/** Of features below the key of that name. */
export const ofFeatures: Spellings = Object.fromEntries(
  Object.entries(featureSpellings).map(([other, meant]) => [`features.${other}`, `features.${meant}`]),
);

export const agent: EntityKind<AgentHead> = {
  name: "agents",
  inherits: true,
  required: ["name"],
  // Aether's words (other-systems 5.4).
  spellings: {
    mcpServers: "mcps",
    "tools.allow": "tools.enabled",
    "tools.deny": "tools.disabled",
    ...ofFeatures,
  },
  schema: section({
    ...shared,
    mcps: z.array(serverRef),
    model: modelSchema,
    system: text,
    mode: text,
    default: flag,
    subagent: flag,
    agentsmd: z.enum(["", "all", "global", "local", "none"]),
    thinking: z.enum(["", "strip", "rewrite"]),
    files: texts,
    fallback: texts,
    response_format: section({
      type: z.enum(["text", "json_object", "json_schema"]),
      name: text,
      schema: anything,
      strict: flag,
    }),
  }),
};

export const mode: EntityKind<ModeHead> = {
  name: "modes",
  inherits: true,
  required: ["name"],
  schema: section(shared),
  spellings: ofFeatures,
};
