import { dirname } from "node:path";
import { composePrompt, environmentLines, templateEnvironment } from "../config/compose-prompt.ts";
import { promptData } from "../config/prompt-data.ts";
import { type FileConfinement, readPromptFiles } from "../config/prompt-files.ts";
import { gatherInstructions } from "../context/instructions.ts";
import type { MemoryScope } from "../workspace/memory-store.ts";
import type { Engine } from "./engine.ts";
import { filesEntry } from "./executable-entries.ts";
import { mcpOf } from "./mcp.ts";

/**
 * The system prompt of this session. The same bytes as long as agent, mode, model, tools and configuration stay the
 * same: a prompt that changed between requests would cost the provider's whole cache.
 */
export async function systemPrompt(engine: Engine): Promise<string> {
  const { settings, model } = engine;
  const tools = toolNames(engine);
  const key = JSON.stringify([
    settings.agent.name,
    settings.mode?.name,
    model.model,
    tools,
    engine.config.fingerprint,
    engine.trusted.untrusted,
    engine.services.reads.policy,
    ...(engine.sandbox.status === "none" ? [] : [engine.sandbox.status, engine.sandbox.wish()]),
  ]);
  const base = engine.composed?.key === key ? engine.composed.base : await compose(engine);
  const mcp = mcpOf(engine);
  const servers = mcp ? [mcp.instructions(engine), mcp.proxy.block(engine)].filter((text) => text !== "") : [];
  engine.composed = { key, base, text: [base, ...servers].join("\n\n") };
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
    tools: toolNames(engine),
    sandbox: sandboxFacts(engine),
    readBefore: engine.services.reads.policy,
    hooks: [],
    memories: { local: await memories(engine, "local"), global: await memories(engine, "global") },
    homes: config.homes,
    launchDir: cwd,
    workDir: cwd,
    vars: options.variables ?? {},
  });
  const env = templateEnvironment(options.env);
  const files = await readPromptFiles(settings.agent, data, env, confinementOfFiles(engine));
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

/**
 * What the prompt says of tools. A loaded tool stays among the deferred ones: loading it must not change a byte here, or
 * it would cost the cache of the whole conversation.
 */
function toolNames({ tools, availability }: Engine) {
  const late = new Set(availability.loaded);
  return {
    eager: tools.active.map(({ name }) => name).filter((name) => !late.has(name)),
    deferred: tools.index.map(({ tool, server }) => ({ name: tool.name, ...(server !== undefined && { server }) })),
  };
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

/** What is asked for and whether it is enforced, with absolute paths. */
function sandboxFacts({ sandbox }: Engine) {
  const wish = sandbox.wish();
  return {
    enabled: sandbox.status === "enforced",
    requested: wish !== undefined,
    readOnly: wish?.readOnly ?? [],
    readWrite: wish?.readWrite ?? [],
  };
}

/**
 * Where the `files` of a project's agent may lie, also when the project is trusted: what stands in them goes to a model
 * unasked, so a list that leads elsewhere holds as a person accepted it. A person's own agents read what they want.
 */
function confinementOfFiles({ trusted, config, options, settings, cwd }: Engine): FileConfinement | undefined {
  const { isForeign, runs } = trusted.entries;
  const { file, name, files } = settings.agent;
  const lists = [...(config.agents.get(name.toLowerCase())?.origins ?? [])].filter(([path]) => /^files\b/.test(path));
  const foreign = [file, ...lists.map(([, origin]) => origin.file)].find(isForeign);
  if (options.trust || foreign === undefined) return undefined;
  const homes = config.homes.projects.filter(isForeign);
  return {
    folders: [cwd, ...homes, ...homes.map((home) => dirname(home))],
    mayLeave: runs({ ...filesEntry(files), file: foreign }),
  };
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
