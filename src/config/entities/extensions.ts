import * as z from "zod";
import type { HookEntry, LanguageServerEntry, McpServerEntry, PluginManifest, TaskEntry } from "../config.ts";
import { checkName, readEntry } from "../servers/read-entry.ts";
import { featuresSchema } from "./features.ts";
import { anything, condition, count, duration, filter, flag, number, section, text, textMap, texts } from "./fields.ts";
import type { EntityKind } from "./kind.ts";

export const hook: EntityKind<HookEntry> = {
  name: "hooks",
  inherits: true,
  required: ["event", "command"],
  schema: section({
    description: text,
    event: z.enum(["pre", "post"]),
    matcher: text.refine(isRegex, { error: "not a regular expression" }),
    files: text,
    command: text,
    /** Seconds. */
    timeout: number,
    depends: texts,
    silent: flag,
    disabled: flag,
    inherit: texts,
  }),
};

/** Checked by the one reader of definitions, whatever file they come from; its codes travel as `params`. */
export const mcpServer: EntityKind<McpServerEntry> = {
  name: "mcp",
  checkName,
  schema: z.unknown().transform((data, context): McpServerEntry => {
    const { entry, issues } = readEntry(data);
    for (const { code, path, message } of issues)
      context.addIssue({ code: "custom", path: [...path], message, params: { code } });
    return entry;
  }),
};

export const languageServer: EntityKind<LanguageServerEntry> = {
  name: "lsp",
  required: ["command"],
  schema: section({
    command: text,
    args: texts,
    file_types: texts,
    root_markers: texts,
    settings: anything,
    init_options: anything,
    /** Seconds. */
    timeout: number,
    disabled: flag,
  }),
};

export const task: EntityKind<TaskEntry> = {
  name: "tasks",
  inherits: true,
  required: ["commands"],
  schema: section({
    description: text,
    schedule: text,
    timeout: duration,
    disabled: flag,
    agent: text,
    mode: text,
    session: text,
    workdir: text,
    tools: filter,
    features: featuresSchema,
    pre: texts,
    commands: texts,
    post: texts,
    foreach: section({ file: text, shell: text, continue_on_error: flag, retries: count }),
    finally: texts,
    on_max_steps: texts,
    vars: textMap,
    env: textMap,
    env_file: texts,
    inherit: texts,
  }),
};

export const plugin: EntityKind<PluginManifest> = {
  name: "plugins",
  schema: section({
    name: text,
    description: text,
    disabled: flag,
    override: flag,
    opt_in: flag,
    condition,
    once: flag,
    env: texts,
    config: anything,
  }),
};

function isRegex(source: unknown): boolean {
  try {
    new RegExp(String(source));
    return true;
  } catch {
    return false;
  }
}
