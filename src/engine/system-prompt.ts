import { resolve } from "node:path";
import { composePrompt, environmentLines, templateEnvironment } from "../config/compose-prompt.ts";
import { expandVariables } from "../config/expand.ts";
import { promptData } from "../config/prompt-data.ts";
import { readPromptFiles } from "../config/prompt-files.ts";
import { gatherInstructions } from "../context/instructions.ts";
import type { MemoryScope } from "../workspace/memory-store.ts";
import type { Engine } from "./engine.ts";

/**
 * The system prompt of this session. The same bytes as long as agent, mode, model, tools and configuration stay the
 * same: a prompt that changed between requests would cost the provider's whole cache.
 */
export async function systemPrompt(engine: Engine): Promise<string> {
  const { settings, model, tools } = engine;
  const key = JSON.stringify([
    settings.agent.name,
    settings.mode?.name,
    model.model,
    tools.schemas.map(({ name }) => name),
    engine.config.fingerprint,
    engine.trusted.untrusted,
    engine.services.reads.policy,
  ]);
  if (engine.composed?.key !== key) engine.composed = { key, text: await compose(engine) };
  return engine.composed.text;
}

async function compose(engine: Engine): Promise<string> {
  const { settings, model, config, cwd, options } = engine;
  const instructions = await instructionsOf(engine);
  for (const text of instructions.notices) engine.emit({ type: "notice", level: "warn", text });
  const capabilities = model.info?.capabilities;
  const data = promptData(settings, {
    provider: model.provider.name,
    model: {
      name: model.model,
      ...(engine.window() !== undefined && { contextLength: engine.window()! }),
      ...(capabilities && {
        thinking: capabilities.includes("thinking"),
        vision: capabilities.includes("vision"),
        tools: capabilities.includes("tools"),
      }),
    },
    tools: { eager: engine.tools.schemas.map(({ name }) => name), deferred: [] },
    sandbox: { enabled: false, ...requestedSandbox(engine) },
    readBefore: engine.services.reads.policy,
    hooks: [],
    memories: { local: await memories(engine, "local"), global: await memories(engine, "global") },
    homes: config.homes,
    launchDir: cwd,
    workDir: cwd,
    vars: options.variables ?? {},
  });
  const env = templateEnvironment(options.env);
  const files = await readPromptFiles(settings.agent, data, env, foldersForFiles(engine));
  for (const { message } of files.problems) engine.emit({ type: "notice", level: "warn", text: message });
  return composePrompt({
    prompt: settings.prompt,
    files: files.files,
    workspace: instructions.files.map(({ path, text }) => ({ type: "Workspace Instructions", path, text })),
    data,
    environment: environmentLines({ platform: process.platform, workDir: cwd }),
    env,
  });
}

/** The AGENTS.md files that hold in this conversation. */
export function instructionsOf({ config, cwd, settings }: Engine): ReturnType<typeof gatherInstructions> {
  return gatherInstructions({
    homes: [
      ...(config.homes.global === undefined ? [] : [{ dir: config.homes.global, scope: "global" as const }]),
      ...config.homes.projects.map((dir) => ({ dir, scope: "local" as const })),
    ],
    workdir: cwd,
    launchDir: cwd,
    which: settings.agent.agentsmd,
  });
}

/** What the configuration asks for, with absolute paths; `extra` adds to `restrictions`. */
function requestedSandbox({ settings, cwd, options, folders }: Engine) {
  const { enabled, restrictions, extra } = settings.features.sandbox;
  const absolute = (path: string) =>
    resolve(cwd, expandVariables(path, options.env).replace(/^~(?=$|\/)/, folders.user));
  return {
    requested: enabled,
    readOnly: [...restrictions.ro, ...extra.ro].map(absolute),
    readWrite: [...restrictions.rw, ...extra.rw].map(absolute),
  };
}

/** Where an agent's `files` may lie while a project is not trusted: an agent that came with a clone may want any. */
function foldersForFiles({ trusted, config, cwd }: Engine): readonly string[] | undefined {
  if (trusted.untrusted.length === 0) return undefined;
  const { global } = config.homes;
  return [cwd, ...trusted.untrusted, ...(global === undefined ? [] : [global])];
}

/** Only templates show memories; reading them for a prompt that has none would be waste. */
async function memories(engine: Engine, scope: MemoryScope): Promise<string> {
  const { prompt } = engine.settings;
  if (![prompt.system, prompt.agent, prompt.mode].some((part) => part?.body.includes(".Memories"))) return "";
  const { memory } = engine.services;
  const texts: string[] = [];
  for (const key of (await memory.keys(scope)) ?? []) texts.push((await memory.read(scope, key)) ?? "");
  return texts.join("\n---\n");
}
