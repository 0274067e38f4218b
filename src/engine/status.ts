import type { Status } from "../protocol/status.ts";
import type { Engine } from "./engine.ts";

export interface Activity {
  readonly busy: boolean;
  readonly queued: number;
}

export function statusOf(engine: Engine, { busy, queued }: Activity): Status {
  const { state, settings, session } = engine;
  const { used, window } = engine.contextUsage();
  return {
    sessionId: session.log.id,
    ...(state.name !== undefined && { sessionName: state.name }),
    ...(state.title !== undefined && { title: state.title }),
    agent: settings.agent.name,
    ...(settings.mode && { mode: settings.mode.name }),
    model: engine.model.model,
    provider: engine.model.provider.name,
    think: state.selection.think,
    step: state.step,
    maxSteps: settings.limits.maxSteps,
    tokens: { used, ...(window !== undefined && { window }) },
    ...(state.cost !== undefined && state.cost > 0 && { cost: state.cost }),
    sandbox: engine.sandbox.status,
    verbose: state.verbose,
    auto: state.auto,
    busy,
    queued,
    ...(engine.services.jobs.running > 0 && { background: engine.services.jobs.running }),
    cwd: engine.cwd,
    ...(engine.statusCommand?.line !== undefined && { statusLine: engine.statusCommand.line }),
  };
}

/** Tells the status when it differs from what was told last. */
export function showStatus(engine: Engine, activity: Activity): void {
  const status = statusOf(engine, activity);
  const text = JSON.stringify(status);
  // Also of a status that is the same: the command may be another one by now.
  engine.statusCommand?.changed(status, () => showStatus(engine, activity));
  if (text === engine.shownStatus) return;
  engine.shownStatus = text;
  engine.emit({ type: "status-changed", status });
}
