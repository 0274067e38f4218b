import type { KnownTool, ToolSource } from "../toolkit/known-tool.ts";
import type { Tool } from "../toolkit/tool.ts";
import { createAsk } from "../tools/ask.ts";
import { done } from "../tools/done.ts";
import { createSkill } from "../tools/skill.ts";
import { createTask, type Subagent } from "../tools/task.ts";
import { mayDelegate, NOT_DELEGATED, namesTool } from "./child-settings.ts";
import type { Engine } from "./engine.ts";
import { mcpOf } from "./mcp.ts";

/**
 * The tools that are about the conversation itself: each is known always, so that it can be explained, and offered
 * while what it needs is there. They obey the filters like all others (aura 4.5).
 */
export class MetaTools implements ToolSource {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  known(): readonly KnownTool[] {
    const engine = this.#engine;
    return [
      meta(taskOf(engine), whyNoTask(engine)),
      meta(skillOf(engine), engine.skills.invocable.length === 0 ? "there are no skills" : undefined),
      meta(askOf(engine), whyNoAsk(engine)),
      meta(done, whyNoDone(engine)),
      ...callToolOf(engine),
    ];
  }
}

/** The way to proxied tools, where there are servers at all. */
function callToolOf(engine: Engine): readonly KnownTool[] {
  const proxy = mcpOf(engine)?.proxy;
  return proxy ? [proxy.callTool(engine)] : [];
}

/** The agents that may be set to work, by name: the order is part of the prompt prefix. */
export function subagentsOf({ config }: Pick<Engine, "config">): readonly Subagent[] {
  return [...config.agents.values()]
    .filter(({ value }) => value.subagent === true)
    .map(({ name, value }) => ({ name, description: (value.description ?? "").trim().replace(/\s+/g, " ") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function meta(tool: Tool, missing: string | undefined): KnownTool {
  return { tool, source: "meta", ...(missing !== undefined && { unavailable: { value: missing } }) };
}

function taskOf(engine: Engine): Tool {
  const agents = subagentsOf(engine);
  return createTask({
    agents,
    async run({ agent, description, prompt }, call) {
      const { runChild } = await import("./run-child.ts");
      const { default_agent: standard } = engine.settings.features.subagent;
      const ending = await runChild(engine, {
        agent: agent ?? (standard || engine.settings.agent.name),
        description,
        prompt,
        ...call,
      });
      const { text, calls, error, kind, maxSteps } = ending;
      return {
        text,
        calls,
        ...(kind === "exhausted" && { exhaustedAfter: maxSteps }),
        ...(error !== undefined && { error }),
      };
    },
  });
}

function whyNoTask(engine: Engine): string | undefined {
  if (subagentsOf(engine).length === 0) return "no agent has subagent: true";
  return engine.above && !mayDelegate(engine, ["Task"]) ? NOT_DELEGATED : undefined;
}

function skillOf({ skills }: Engine): Tool {
  return createSkill({
    skills: skills.invocable,
    read: (skill, path) => skills.read(skill.name, path),
  });
}

function askOf(engine: Engine): Tool {
  const name = engine.above && engine.settings.agent.name;
  return createAsk({ isAuto: () => engine.state.auto, ...(name !== undefined && { from: name }) });
}

function whyNoAsk(engine: Engine): string | undefined {
  if (engine.options.canAsk !== true) return "nobody can be asked here: there is no screen";
  return engine.above && !namesTool(engine.settings, ["Ask"]) ? NOT_DELEGATED : undefined;
}

function whyNoDone(engine: Engine): string | undefined {
  if (engine.above) return "a subagent ends with its answer";
  return engine.state.done ? undefined : "it is turned off: /done on";
}
