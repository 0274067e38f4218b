import type { Hooks } from "../toolkit/hooks.ts";
import type { Turn } from "./turn.ts";

type Point = Exclude<keyof Hooks, "name">;
type Asked<P extends Point> = Parameters<NonNullable<Hooks[P]>>;
type Answered<P extends Point> = Exclude<Awaited<ReturnType<NonNullable<Hooks[P]>>>, undefined>;

/**
 * Asks every hook that has this point, in order, and yields the answers given. A hook that throws becomes a notice
 * and is skipped: it may never break a turn (aura 16).
 */
export function askHooks<P extends Point>(
  turn: Pick<Turn, "hooks" | "emit">,
  point: P,
  ...args: Asked<P>
): AsyncGenerator<Answered<P>> {
  return askChained(turn, point, () => args);
}

/** The same where each hook is to see what the one before it changed: `args` is called anew for each. */
export async function* askChained<P extends Point>(
  turn: Pick<Turn, "hooks" | "emit">,
  point: P,
  args: () => Asked<P>,
): AsyncGenerator<Answered<P>> {
  for (const hooks of turn.hooks) {
    const method = hooks[point] as ((...args: Asked<P>) => Promise<Answered<P> | undefined>) | undefined;
    if (!method) continue;
    try {
      const answer = await method.apply(hooks, args());
      if (answer !== undefined) yield answer;
    } catch (error) {
      turn.emit({ type: "notice", level: "warn", text: `hook ${hooks.name} failed at ${point}: ${String(error)}` });
    }
  }
}
