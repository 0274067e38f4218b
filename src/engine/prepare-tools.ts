import type { ConditionState } from "../toolkit/filter.ts";
import type { Written } from "../toolkit/known-tool.ts";
import type { Engine } from "./engine.ts";
import { mcpOf } from "./mcp.ts";

/** Before a model request: the tools as the conditions are now. What is offered keeps its place from here on. */
export async function prepareTools(engine: Engine, signal: AbortSignal): Promise<void> {
  await decideConditions(engine, signal);
  await mcpOf(engine)?.proxy.prepare(engine);
  engine.availability.offered(engine.tools.active.map(({ name }) => name));
}

/** Asks the conditions that tools hang on, all at once and of one moment. Costs nothing where there are none. */
export async function decideConditions(engine: Engine, signal: AbortSignal): Promise<void> {
  let open = engine.tools.conditions;
  if (open.length === 0) return;
  const [{ holds, looksOutside }, { conditionFacts }] = await Promise.all([
    import("../config/condition.ts"),
    import("./condition-facts.ts"),
  ]);
  const asked = new Set<string>();
  // A tool that appears may bring LoadTools, which may have a condition of its own.
  while (open.length > 0) {
    const facts = conditionFacts(engine, signal);
    const states = await Promise.all(
      open.map(async (condition): Promise<readonly [Written<string>, ConditionState]> => {
        asked.add(condition.value);
        if (looksOutside(condition.value) && !mayRun(engine, condition)) return [condition, "untrusted"];
        return [condition, (await holds(condition.value, facts)) ? "holds" : "fails"];
      }),
    );
    if (engine.availability.decide(states)) engine.rebuildTools();
    open = engine.tools.conditions.filter(({ value }) => !asked.has(value));
  }
}

/** A project nobody trusted yet may have come with a clone: what its conditions would run is not run. */
function mayRun({ trusted }: Engine, { value, file }: Written<string>): boolean {
  return trusted.entries.runs({ kind: "condition", text: value, ...(file !== undefined && { file }) });
}
