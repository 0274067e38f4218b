import type { Engine } from "./engine.ts";

/** `/info`: what this conversation runs with, as YAML. */
export function overview(engine: Engine): string {
  const { settings, config, state, session } = engine;
  const { used, window } = engine.contextUsage();
  const lines: readonly (readonly [string, string | number | boolean | undefined])[] = [
    ["session", session.log.id],
    ["name", state.name],
    ["title", state.title],
    ["file", session.log.file],
    ["agent", settings.agent.name],
    ["mode", settings.mode?.name],
    ["provider", engine.model.provider.name],
    ["model", engine.model.model],
    ["think", state.selection.think],
    ["workdir", engine.cwd],
    ["global_home", config.homes.global],
    ["project_homes", config.homes.projects.join(", ") || undefined],
    ["tools", engine.tools.active.map(({ name }) => name).join(", ")],
    ["max_steps", settings.limits.maxSteps],
    ["token_budget", settings.limits.tokenBudget || undefined],
    ["context_used", used],
    ["context_window", window],
    ["sandbox", engine.sandbox.brief],
    ["auto", state.auto],
    ["verbose", state.verbose],
  ];
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${typeof value === "string" && /[:#]/.test(value) ? JSON.stringify(value) : value}`)
    .join("\n");
}
