import type { Entity } from "./config.ts";
import { type ConfigProblem, problem } from "./problems.ts";
import { type OverlayRules, overlay, type Traced, traced } from "./traced.ts";

export interface InheritRules extends OverlayRules {
  /** `nearest`: the own body, else the last non-empty one up the chain. `all`: the chain's bodies, each once. */
  readonly body: "nearest" | "all";
}

interface Inheriting {
  readonly inherit?: readonly string[] | undefined;
}

/**
 * Applies `inherit: [parents]` (aura 17.3): parents left to right, the child last. A missing parent or a cycle is a
 * problem of the child, which then stands for itself.
 */
export function inherit<Head extends Inheriting>(
  entities: ReadonlyMap<string, Entity<Head>>,
  rules: InheritRules,
): { readonly entities: ReadonlyMap<string, Entity<Head>>; readonly problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const done = new Map<string, Entity<Head>>();
  const chains = new Map<string, readonly Entity<Head>[]>();
  const reported = new Set<string>();

  const finish = (entity: Entity<Head>, path: readonly string[]): Entity<Head> | undefined => {
    const key = entity.name.toLowerCase();
    const ready = done.get(key);
    if (ready) return ready;
    const seenAt = path.findIndex((name) => name.toLowerCase() === key);
    if (seenAt >= 0) {
      const cycle = path.slice(seenAt);
      const members = [...cycle].sort().join("\0");
      if (!reported.has(members)) problems.push(at(entity, `inheritance cycle: ${[...cycle, cycle[0]].join(" -> ")}`));
      reported.add(members);
      return undefined;
    }
    const parents: Entity<Head>[] = [];
    for (const name of entity.value.inherit ?? []) {
      const parent = entities.get(name.toLowerCase());
      if (!parent) problems.push(at(entity, `inherits from "${name}", which does not exist`));
      const finished = parent && finish(parent, [...path, entity.name]);
      if (finished) parents.push(finished);
    }
    const result = combine(entity, parents);
    if (path.length === 0 || parents.length === (entity.value.inherit ?? []).length) done.set(key, result);
    return result;
  };

  const combine = (entity: Entity<Head>, parents: readonly Entity<Head>[]): Entity<Head> => {
    let settings: Traced<unknown> = traced({});
    for (const parent of parents) settings = overlay(settings, withoutIdentity(parent), rules);
    settings = overlay(settings, entity, rules);
    const before = parents.flatMap((parent) => chains.get(parent.name.toLowerCase()) ?? []);
    const chain = [...new Set([...before, entity])];
    chains.set(entity.name.toLowerCase(), chain);
    const bodies = chain
      .map((link) => entities.get(link.name.toLowerCase())!.body)
      .filter((body) => body.trim() !== "");
    const body = rules.body === "all" ? bodies.map((text) => text.trim()).join("\n\n") : (bodies.at(-1) ?? "");
    return { ...entity, value: settings.value as Head, origins: settings.origins, body };
  };

  const result = new Map<string, Entity<Head>>();
  for (const [key, entity] of entities) result.set(key, finish(entity, []) ?? entity);
  return { entities: result, problems };
}

/** A name, the mark of the default, and the list of parents are the parent's own. */
function withoutIdentity(parent: Traced<object>): Traced<unknown> {
  const { name: _name, default: _default, inherit: _inherit, ...rest } = parent.value as Record<string, unknown>;
  return { value: rest, origins: parent.origins };
}

function at(entity: Entity<unknown>, message: string): ConfigProblem {
  const line = entity.origins.get("inherit.0")?.line ?? entity.line;
  return problem(entity.file ?? "built in", line, `${entity.name}: ${message}`);
}
