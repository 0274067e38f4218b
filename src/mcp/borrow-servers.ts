import type { ServerDef } from "../config/mcp-server.ts";
import type { Servers } from "./servers.ts";

/** `own` beside some of another conversation's servers, which go on without us: only `own` are started and ended. */
export function borrowServers(own: Servers, others: Servers, isBorrowed: (server: string) => boolean): Servers {
  const fromOthers = <T>(list: readonly T[], nameOf: (one: T) => string | undefined) =>
    list.filter((one) => isBorrowed(nameOf(one) ?? ""));
  return {
    ...own,
    known: () => [...fromOthers(others.known(), ({ server }) => server), ...own.known()],
    get statuses() {
      return [...fromOthers(others.statuses, ({ name }) => name), ...own.statuses];
    },
    get costs() {
      return [...fromOthers(others.costs, ({ name }) => name), ...own.costs];
    },
    get instructions() {
      return [...fromOthers(others.instructions, ({ server }) => server), ...own.instructions];
    },
    find: (name) => own.find(name) ?? (isBorrowed(name.toLowerCase()) ? others.find(name) : undefined),
  };
}

/** Whether the other conversation has the same server: then one is enough. Ours inside this process are bound to theirs. */
export function hasAlike(others: Servers, def: ServerDef): boolean {
  const server = others.find(def.name);
  return (
    server !== undefined &&
    def.transport !== "in-memory" &&
    server.state.kind !== "disabled" &&
    JSON.stringify(server.def) === JSON.stringify(def)
  );
}
