// The format of test/scenarios/*/scenario.yaml. Unknown keys are refused: a slip must not pass for an expectation.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { readTree } from "./scenario-project.ts";
import { textSchema } from "./scenario-text.ts";

const tree = z.record(z.string(), z.string());
const changes = z.record(z.string(), z.string().nullable());
const pattern = z.record(z.string(), z.unknown());

/** What a person says to a request. */
const answer = z.union([
  z.enum(["once", "session", "project", "global", "deny"]),
  z.strictObject({ deny: z.string() }),
  /** One of the patterns that are offered. */
  z.strictObject({ allow: z.enum(["session", "project", "global"]), pattern: z.string() }),
  z.strictObject({ pick: z.string().nullable() }),
  z.strictObject({ edit: z.string().nullable() }),
  /** To a text that is to be reviewed. */
  z.strictObject({ approve: z.boolean() }),
  /** To one question: its options, words of one's own, or null for no answer. */
  z.strictObject({ say: z.array(z.string()).nullable() }),
]);

/** Done when the first event of the step that fits `when` arrives. */
const during = z.strictObject({
  when: pattern,
  cancel: z.literal(true).optional(),
  prompt: z.string().optional(),
  command: z.string().optional(),
  write: changes.optional(),
  "drop-queued": z.literal(true).optional(),
});

/** `[Tool, status, what its result says …]`; a call of Batch is `Batch/Tool`. */
const call = z.tuple([z.string(), z.string()], textSchema.or(z.strictObject({ is: z.string() })));

const promptResult = z.strictObject({
  reason: z.enum(["answered", "done", "cancelled", "limit", "failed"]).default("answered"),
  error: textSchema.optional(),
  answer: textSchema.optional(),
  /** Every call, in the order the model made them. */
  calls: z.array(call).optional(),
  /** Every request that was opened, in order; each entry a part of it. */
  requests: z.array(pattern).optional(),
  /** Some of the events, in order; each entry a part of one. */
  events: z.array(pattern).optional(),
  notices: z.array(textSchema).optional(),
  /** The whole text of each call's shortened output, by the number of the call from 1. */
  saved: z.record(z.string(), textSchema).optional(),
});
const commandResult = z.strictObject({
  text: textSchema.optional(),
  failed: z.boolean().default(false),
  data: z.unknown().optional(),
  requests: z.array(pattern).optional(),
  events: z.array(pattern).optional(),
  notices: z.array(textSchema).optional(),
});

const step = z.union([
  z.strictObject({
    prompt: z.string(),
    /** How many turns come of it, with the prompts queued meanwhile. */
    turns: z.number().default(1),
    answers: z.array(answer).default([]),
    during: z.array(during).default([]),
    expect: promptResult.prefault({}),
  }),
  z.strictObject({
    command: z.string(),
    answers: z.array(answer).default([]),
    expect: commandResult.prefault({}),
  }),
  /** Somebody else changes files; null deletes. */
  z.strictObject({ write: changes }),
  /** The program ends and is started again, with other options and another script. */
  z.strictObject({ restart: z.strictObject({ options: pattern.default({}), script: pattern.optional() }) }),
]);

const scenario = z.strictObject({
  title: z.string(),
  options: pattern.default({}),
  env: z.record(z.string(), z.string()).default({}),
  /** Files of the project beside those in `files/`, and of the person's home. */
  project: tree.default({}),
  home: tree.default({}),
  script: pattern,
  steps: z.array(step).min(1),
  /** What changed in the project; every other file must be as it was. */
  files: z.record(z.string(), textSchema.nullable()).default({}),
  homeFiles: z.record(z.string(), textSchema).default({}),
  /** A part of the session as it is read from its log. */
  session: pattern.optional(),
  /** Some of the log's records, in order. */
  log: z.array(pattern).optional(),
  /** Files that hold the ids of processes which must be gone. */
  gone: z.array(z.string()).default([]),
});

export type Scenario = z.infer<typeof scenario>;
export type Step = Scenario["steps"][number];
export type PromptStep = Extract<Step, { prompt: string }>;
export type CommandStep = Extract<Step, { command: string }>;
export type ScenarioAnswer = z.infer<typeof answer>;

/** `<project>`, `<home>`, `<node>` and `<helpers>` stand for places. Throws with what is wrong and where. */
export function readScenario(folder: string, places: { readonly project: string; readonly home: string }): Scenario {
  const text = readFileSync(join(folder, "scenario.yaml"), "utf8");
  const placed = text
    .replaceAll("<project>", places.project)
    .replaceAll("<home>", places.home)
    .replaceAll("<node>", process.execPath)
    .replaceAll("<helpers>", import.meta.dirname);
  const read = scenario.safeParse(parse(placed));
  if (!read.success) throw new Error(`${folder}/scenario.yaml: ${z.prettifyError(read.error)}`);
  const files = join(folder, "files");
  return existsSync(files) ? { ...read.data, project: { ...readTree(files), ...read.data.project } } : read.data;
}
