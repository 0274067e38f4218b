import { effectsOf } from "../policy/shell/reading.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { Engine } from "./engine.ts";
import { judgedCall } from "./judge-call.ts";

/** Whether a call is a shell command that, as far as it can be read for certain, changes no file. Never throws. */
export async function readsOnly(engine: Engine, tool: Tool, input: unknown): Promise<boolean> {
  try {
    const { shell, isRewritten } = await judgedCall(engine, tool, tool.name, input);
    if (shell?.reading.kind !== "read" || isRewritten) return false;
    return effectsOf(shell.reading.parts).every(({ kind }) => HARMLESS.has(kind));
  } catch {
    return false;
  }
}

/** `state` is what a shell remembers until it ends, such as its folder. */
const HARMLESS: ReadonlySet<string> = new Set(["read", "list", "state"]);
