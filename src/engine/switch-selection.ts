import type { Config } from "../config/config.ts";
import { isOutdated, loadConfig } from "../config/load.ts";
import { describeProblem } from "../config/problems.ts";
import { resolveSettings, visible } from "../config/resolve.ts";
import type { ThinkLevel } from "../protocol/status.ts";
import type { Engine } from "./engine.ts";
import { gatherTools } from "./gather-tools.ts";
import { loadOptions } from "./load-options.ts";
import { choicesOf } from "./resolve-choices.ts";
import { savedRules } from "./services.ts";
import type { Selection } from "./session-state.ts";

/** Reads changed configuration at the start of a turn. A broken one is told, and the one before stays in force. */
export async function refresh(engine: Engine): Promise<void> {
  if (await isOutdated(engine.config)) await reload(engine);
}

export async function reload(engine: Engine): Promise<void> {
  const config = await loadConfig(loadOptions(engine.options, engine.folders));
  if (config.problems.length > 0) {
    const problems = config.problems.map(describeProblem).join("\n");
    engine.emit({
      type: "notice",
      level: "warn",
      text: `The configuration is broken, the one before stays:\n${problems}`,
    });
    engine.config = { ...engine.config, fingerprint: config.fingerprint }; // told once, not at every turn
    return;
  }
  await adopt(engine, config, engine.state.selection);
  if (!engine.options.ignoreApprovals) engine.services.approvals.replaceSaved(savedRules(config));
}

/** Switches to an agent with its own model, thinking and mode. Throws when there is no such agent. */
export async function useAgent(engine: Engine, name: string, reason: "user" | "cycle" | "resume"): Promise<void> {
  const from = engine.settings.agent.name;
  await adopt(engine, engine.config, { agent: name, mode: undefined, provider: "", model: "", think: "off" }, "fresh");
  for (const hooks of engine.hooks) await hooks.onAgentSwitch?.({ from, to: engine.settings.agent.name, reason });
}

/** `undefined` leaves the mode. */
export async function useMode(engine: Engine, name: string | undefined): Promise<void> {
  await adopt(engine, engine.config, { ...engine.state.selection, mode: name });
}

/** `model` or `provider/model`; returns `provider/model`. */
export async function useModel(engine: Engine, reference: string): Promise<string> {
  const isQualified = reference.includes("/");
  const choice = await engine.models.choose(engine.config, engine.settings, {
    model: reference,
    ...(!isQualified && { provider: engine.model.provider.name }),
  });
  if (choice.kind !== "chosen") throw new Error(choice.kind === "none" ? choice.reason : choice.problem);
  engine.model = choice.chosen;
  remember(engine, { ...engine.state.selection, provider: choice.chosen.provider.name, model: choice.chosen.model });
  return `${choice.chosen.provider.name}/${choice.chosen.model}`;
}

export function setThink(engine: Engine, think: ThinkLevel): void {
  remember(engine, { ...engine.state.selection, think });
}

/** The command line that moves one step on among agents, modes or thinking levels. */
export function nextInCycle(engine: Engine, what: "agent" | "mode" | "think"): string {
  const { settings, config, state } = engine;
  switch (what) {
    case "agent":
      return `/agent "${after(
        visible(config.agents).map(({ name }) => name),
        settings.agent.name,
      )}"`;
    case "mode":
      return `/mode "${after(["none", ...visible(config.modes).map(({ name }) => name)], settings.mode?.name ?? "none")}"`;
    case "think":
      return `/think ${after(["off", "low", "medium", "high"], state.selection.think)}`;
  }
}

const after = (names: readonly string[], current: string) =>
  names[(names.indexOf(current) + 1) % names.length] ?? current;

/** `fresh`: the agent's own model and thinking instead of the ones in force. */
async function adopt(engine: Engine, config: Config, wish: Selection, how: "keep" | "fresh" = "keep"): Promise<void> {
  const choices = await choicesOf(engine.options);
  const { agent, mode } = wish;
  const resolved = resolveSettings(config, {
    ...(how === "fresh" ? withoutModel(choices) : choices),
    agent,
    mode: how === "fresh" ? undefined : (mode ?? ""),
  });
  if (!resolved.ok) throw new Error(resolved.message);
  const { settings } = resolved;
  if (how === "fresh" && settings.model.provider !== undefined) {
    const choice = await engine.models.choose(config, settings, {});
    if (choice.kind !== "chosen") throw new Error(choice.kind === "none" ? choice.reason : choice.problem);
    engine.model = choice.chosen;
  }
  engine.config = config;
  engine.settings = settings;
  engine.tools = gatherTools(config, settings);
  remember(engine, {
    agent: settings.agent.name,
    mode: settings.mode?.name,
    provider: engine.model.provider.name,
    model: engine.model.model,
    think: how === "fresh" ? settings.model.think : wish.think,
  });
}

const withoutModel = <T extends object>(choices: T): T => ({
  ...choices,
  provider: undefined,
  model: undefined,
  think: undefined,
});

function remember(engine: Engine, selection: Selection): void {
  Object.assign(engine.state.selection, selection);
  engine.session.log.append({ type: "meta", meta: { ...selection, mode: selection.mode ?? null } });
}
