import { join } from "node:path";
import { CALL_TOOL, createCallTool, proxyBlock } from "../mcp/proxy.ts";
import { openProxyShelf } from "../mcp/proxy-shelf.ts";
import type { KnownTool } from "../toolkit/known-tool.ts";
import type { HeldTool, ToolSet } from "../toolkit/tool-set.ts";
import type { Engine } from "./engine.ts";
import { judgedCall, policyInForce } from "./judge-call.ts";
import { judgeNames } from "./judge-names.ts";

/** Tools whose schemas are on disk instead of in the request: where they are, and the one tool that calls them. */
export interface ToolProxy {
  /** For one engine: an agent that was set to work calls what it may call itself. */
  callTool(engine: Engine): KnownTool;
  /** Before a request: the folder says what may be called now. */
  prepare(engine: Engine): Promise<void>;
  /** For the system prompt; "" where nothing is proxied. */
  block(engine: Engine): string;
  close(): Promise<void>;
}

/** @param describe words of a server's definition about itself */
export function openToolProxy(root: Engine, describe: (server: string) => string | undefined): ToolProxy {
  const dir = join(root.folders.state, "tool-proxy", root.session.log.id);
  const shelf = openProxyShelf(dir);
  const offered = new WeakMap<Engine, Offered>();
  /** What agents that were set to work may call beside what this conversation's own agent may. */
  const ofOthers = new Map<string, HeldTool>();
  const heldBy = (engine: Engine) => offered.get(engine)?.held ?? [];
  return {
    callTool: (engine) => ({
      tool: createCallTool({
        proxied: () => heldBy(engine),
        explainMissing: (name) =>
          engine.tools.proxied.some(({ tool }) => tool.name === name)
            ? `every call of "${name}" is denied by policy`
            : engine.tools.explainMissing(name),
      }),
      source: "meta",
      aliases: [CALL_TOOL.slice("mcp__".length)],
      reaches: "proxied",
    }),
    async prepare(engine) {
      const policy = policyInForce(engine);
      const before = offered.get(engine);
      if (before?.tools === engine.tools && before.policy === JSON.stringify(policy)) return;
      if (!before && engine.tools.proxied.length === 0) return;
      const held: HeldTool[] = [];
      for (const one of engine.tools.proxied) if (!(await isDenied(engine, one))) held.push(one);
      offered.set(engine, { tools: engine.tools, policy: JSON.stringify(policy), held });
      if (engine !== root) for (const one of held) ofOthers.set(one.tool.name, one);
      const own = heldBy(root);
      const names = new Set(own.map(({ tool }) => tool.name));
      await shelf.write([...own, ...[...ofOthers.values()].filter(({ tool }) => !names.has(tool.name))]);
    },
    block: (engine) => proxyBlock(heldBy(engine), dir, describe) ?? "",
    close: () => shelf.close(),
  };
}

interface Offered {
  readonly tools: ToolSet;
  readonly policy: string;
  readonly held: readonly HeldTool[];
}

/** A rule denies every call of it: then it is as if it were not there. */
async function isDenied(engine: Engine, { tool }: HeldTool): Promise<boolean> {
  try {
    const call = await judgedCall(engine, tool, tool.name, {});
    return judgeNames(call, tool, policyInForce(engine), engine.services.approvals).kind === "deny";
  } catch {
    return false; // it cannot say what a call without arguments amounts to: each call is judged anyway
  }
}
