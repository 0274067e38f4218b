import * as z from "zod";
import type { FeaturesPatch } from "../features.ts";
import type { Spellings } from "../spellings.ts";
import {
  anything,
  count,
  duration,
  durationOrMs,
  filter,
  flag,
  number,
  percent,
  policy,
  section,
  text,
  texts,
} from "./fields.ts";
import type { EntityKind } from "./kind.ts";

const agentOrPrompt = { agent: text, prompt: text };
const paths = section({ ro: texts, rw: texts });
const confinement = section({
  enabled: flag,
  restrictions: paths,
  extra: paths,
  network: z.enum(["inherit", "none"]),
});

export const featuresSchema: z.ZodType<FeaturesPatch> = section({
  compaction: section({
    threshold: percent,
    max_tokens: count,
    trim_threshold: percent,
    trim_max_tokens: count,
    keep_last_messages: count,
    ...agentOrPrompt,
    tool_result_max_length: count,
    truncation_retries: z.array(count),
    chunks: count,
    prune: section({
      mode: z.enum(["off", "iteration", "compaction"]),
      protect_percent: percent,
      arg_threshold: count,
    }),
  }),
  title: section({ disabled: flag, ...agentOrPrompt, max_length: count }),
  thinking: section({ ...agentOrPrompt, keep_last: count, token_threshold: count }),
  vision: section({ agent: text, dimension: count, quality: z.int().min(0).max(100) }),
  embeddings: section({
    agent: text,
    max_results: count,
    gitignore: text,
    offload: flag,
    chunking: section({ strategy: z.enum(["auto", "ast", "line"]), max_tokens: count, overlap_tokens: count }),
    reranking: section({ agent: text, multiplier: count, offload: flag }),
  }),
  tools: section({
    mode: z.enum(["percentage", "tokens"]),
    result: section({ max_tokens: count, max_percentage: percent }),
    read_small_file_tokens: count,
    max_steps: count,
    token_budget: count,
    rejection_message: text,
    bash: section({
      truncation: section({ max_output_bytes: count, max_lines: count, head_lines: count, tail_lines: count }),
      rewrite: text,
      engine: z.enum(["host", "virtual"]),
      timeout: durationOrMs,
    }),
    user_input_max_percentage: percent,
    read_before: section({ write: flag, delete: flag }),
    enabled: texts,
    disabled: texts,
    opt_in: texts,
    deferred: texts,
    webfetch_max_body_size: count,
    parallel: flag,
    scripts: flag,
    policy,
  }),
  stt: section({ agent: text, language: text }),
  tts: section({ agent: text, voice: text, format: text, speed: number }),
  sandbox: confinement,
  policy: section({ preview: z.enum(["auto", "always", "off"]) }),
  subagent: section({ max_steps: count, default_agent: text }),
  mcp: section({ enabled: texts, disabled: texts, token_budget: count, grace: durationOrMs }),
  plugins: section({
    dir: text,
    unsafe: flag,
    include: texts,
    exclude: texts,
    config: section({ global: anything, local: anything }),
  }),
  estimation: section({
    method: z.enum(["rough", "tiktoken", "rough+tiktoken", "native"]),
    divisor: z.number().min(0),
    encoding: text,
  }),
  guardrail: section({
    mode: z.enum(["", "block", "log"]),
    on_error: z.enum(["", "block", "allow"]),
    timeout: duration,
    scope: section({ tool_calls: section(agentOrPrompt), user_messages: section(agentOrPrompt) }),
    tools: filter,
  }),
  snapshot: section({ disabled: flag }),
  ui: section({
    fullscreen: flag,
    mouse: flag,
    theme: z.enum(["auto", "dark", "light", "high-contrast"]),
    notify: flag,
    statusline: text,
  }),
});

/** As Aura's own pages print them: `bash:` and `parallel:` without the section they lie in, or in another one. */
export const featureSpellings: Spellings = {
  bash: "tools.bash",
  parallel: "tools.parallel",
  "tool_execution.parallel": "tools.parallel",
};

export const features: EntityKind<FeaturesPatch> = {
  name: "features",
  schema: featuresSchema,
  spellings: featureSpellings,
};

/** A sandbox file is a features file that may say nothing else. */
export const sandbox: EntityKind<FeaturesPatch> = {
  name: "sandbox",
  schema: section({ sandbox: confinement }),
};
