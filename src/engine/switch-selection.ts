import { isOutdated } from "../config/load.ts";
import { visible } from "../config/resolve.ts";
import type { ThinkLevel } from "../protocol/status.ts";
import type { ProviderFailure } from "../providers/provider.ts";
import type { Engine } from "./engine.ts";
import { loadOptions } from "./load-options.ts";
import { choicesOf } from "./resolve-choices.ts";
import { loadTrusted, problemsOf, resolveTrusted, type TrustedConfig } from "./resolve-config.ts";
import { savedRules } from "./services.ts";
import type { Selection } from "./session-state.ts";

/** Reads changed configuration at the start of a turn. A broken one is told, and the one before stays in force. */
export async function refresh(engine: Engine): Promise<void> {
  const isConfigOutdated = await isOutdated(engine.config, loadOptions(engine.options, engine.folders));
  if (isConfigOutdated || (await engine.trusted.dirTools?.isOutdated())) await reload(engine);
  else if (await refreshSkills(engine)) engine.rebuildTools();
}

export async function reload(engine: Engine): Promise<void> {
  const trusted = await loadTrusted(engine.options, engine.folders);
  const { config } = trusted;
  const problem = problemsOf(config);
  if (problem !== undefined) {
    engine.emit({ type: "notice", level: "warn", text: `The one before stays in force: ${problem}` });
    // Told once, not at every turn.
    engine.trusted = { ...engine.trusted, config: { ...engine.config, fingerprint: config.fingerprint } };
    return;
  }
  engine.trusted = trusted; // which folders have skills, and which of those may run commands
  await refreshSkills(engine);
  await adopt(engine, trusted, engine.state.selection);
  if (!engine.options.ignoreApprovals) engine.services.approvals.replaceSaved(savedRules(config));
}

const refreshSkills = (engine: Engine) =>
  engine.skills.refresh(engine, (text) => engine.emit({ type: "notice", level: "warn", text }));

/** Switches to an agent with its own model, thinking and mode. Throws when there is no such agent. */
export async function useAgent(engine: Engine, name: string, reason: "user" | "resume" = "user"): Promise<void> {
  await switchAgent(engine, name, reason);
  engine.fallbacks = [...engine.settings.fallback];
}

async function switchAgent(engine: Engine, name: string, reason: "user" | "resume" | "failover"): Promise<void> {
  const from = engine.settings.agent.name;
  await adopt(engine, engine.trusted, { agent: name, mode: undefined, provider: "", model: "", think: "off" }, "fresh");
  for (const hooks of engine.hooks) await hooks.onAgentSwitch?.({ from, to: engine.settings.agent.name, reason });
}

/**
 * Goes on with the next agent of the `fallback` list after its provider failed for good: one way, for the rest of the
 * session (aura 13.1). False when nothing else can be tried, or trying another would not help.
 */
export async function failOver(engine: Engine, failure: ProviderFailure): Promise<boolean> {
  if (failure.kind === "cancelled" || failure.kind === "content_filter" || failure.kind === "context_exhausted")
    return false;
  const from = engine.model.provider.name;
  for (let name = engine.fallbacks.shift(); name !== undefined; name = engine.fallbacks.shift()) {
    try {
      await switchAgent(engine, name, "failover");
      const text = `[failover] ${from} unreachable, switched to ${engine.model.provider.name}`;
      engine.emit({ type: "notice", level: "warn", text });
      return true;
    } catch (error) {
      engine.emit({ type: "notice", level: "warn", text: `[failover] ${name}: ${String(error)}` });
    }
  }
  return false;
}

/** `undefined` leaves the mode. */
export async function useMode(engine: Engine, name: string | undefined): Promise<void> {
  await adopt(engine, engine.trusted, { ...engine.state.selection, mode: name });
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
  engine.rebuildTools();
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
async function adopt(
  engine: Engine,
  trusted: TrustedConfig,
  wish: Selection,
  how: "keep" | "fresh" = "keep",
): Promise<void> {
  const choices = await choicesOf(engine.options);
  const { agent, mode } = wish;
  const resolved = resolveTrusted(trusted, {
    ...(how === "fresh" ? withoutModel(choices) : choices),
    agent,
    mode: how === "fresh" ? undefined : (mode ?? ""),
  });
  if (!resolved.ok) throw new Error(resolved.message);
  const { settings } = resolved;
  if (how === "fresh" && settings.model.provider !== undefined) {
    const choice = await engine.models.choose(trusted.config, settings, {});
    if (choice.kind !== "chosen") throw new Error(choice.kind === "none" ? choice.reason : choice.problem);
    engine.model = choice.chosen;
  }
  engine.trusted = trusted;
  engine.useSettings(settings);
  engine.rebuildTools();
  Object.assign(engine.services.reads.policy, engine.state.readBefore ?? settings.readBefore);
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
