import type { AsyncLocalStorage } from "node:async_hooks";
import type { ToolCall } from "../../protocol/tool-call.ts";
import { resultText } from "../../toolkit/result-text.ts";
import type { ToolAccess } from "../../toolkit/tool-access.ts";
import { capped } from "./capped.ts";
import type { InnerRefusal, InnerResult } from "./messages.ts";
import type { InnerCall, ScriptRun } from "./run-script.ts";
import { callOf, toolOf } from "./tool-aliases.ts";

/** What a script tool needs to know of the session it is called in. */
export interface ScriptSession {
  /** Whether some script tool has that name. */
  isScript(tool: string): boolean;
  /** Whether calls of it may run beside others. Default for a tool nobody knows: yes. */
  isParallel(tool: string): boolean;
  /** Set while a script runs, for everything that happens on its behalf. */
  readonly chain: AsyncLocalStorage<string>;
  /** Whether the session has such a tool at all. */
  has(tool: string): boolean;
}

/** They wait for a person, end the turn, start calls of their own, or change what there is to call. */
const NEVER: ReadonlySet<string> = new Set(["Ask", "Batch", "Done", "LoadTools"]);

/**
 * The inner calls of one script call. Each goes through the whole pipeline, as a child of the call; what the list does
 * not name never gets there.
 */
export function innerCalls(
  options: { readonly name: string; readonly allowed: readonly string[]; readonly maxOutputBytes: number },
  session: ScriptSession,
  access: ToolAccess,
): Pick<ScriptRun, "refusal" | "call"> {
  const allowed = new Set(options.allowed.map(toolOf));
  let last: Promise<unknown> = Promise.resolve();
  const run = async (tool: string, input: Readonly<Record<string, unknown>>, { signal, asked }: InnerCall) => {
    const [call] = await access.callTools([{ tool, input }], { mayAsk: true, who: options.name, signal, asked });
    return resultOf(call!, options.maxOutputBytes);
  };
  return {
    refusal(name) {
      const tool = toolOf(name);
      if (!allowed.has(tool)) return notAllowed(`"${name}" is not in this script's allowed_tools`);
      if (NEVER.has(tool) || session.isScript(tool)) return notAllowed(`"${name}" cannot be called by a script`);
      return undefined;
    },
    call: (name, given, inner) =>
      session.chain.run(options.name, async () => {
        const { tool, input } = callOf(name, given);
        if (session.isParallel(tool)) return run(tool, input, inner);
        const turn = last.then(() => run(tool, input, inner));
        last = turn.catch(() => undefined);
        return turn;
      }),
  };
}

const notAllowed = (message: string): InnerRefusal => ({ code: "tool-not-allowed", message });

function resultOf(call: ToolCall, maxOutputBytes: number): InnerResult | InnerRefusal {
  if (call.status === "failed" && call.failure.kind === "unknown-tool") return notAllowed(call.failure.message);
  const { text, failed } = resultText(call);
  if (call.status === "failed" && call.failure.kind === "bad-input") return { code: "bad-arguments", message: text };
  const output = capped(text, maxOutputBytes);
  const metadata = {
    status: call.status,
    ...("ms" in call && { ms: call.ms }),
    ...(output.cut && { truncated: true, bytes: Buffer.byteLength(text) }),
  };
  return {
    name: call.tool,
    output: output.text,
    text: call.tool === "Read" && !failed ? capped(withoutNumbers(text), maxOutputBytes).text : output.text,
    exitCode: failed ? 1 : exitCodeOf(call.tool, text),
    metadata: JSON.stringify(metadata),
  };
}

/** Bash ends its output with the code of a command that failed. */
function exitCodeOf(tool: string, text: string): number {
  const code = tool === "Bash" ? /\nEXIT CODE: (\d+|TIMEOUT)[^\n]*$/.exec(text)?.[1] : undefined;
  return code === undefined ? 0 : code === "TIMEOUT" ? 124 : Number(code);
}

/** The lines Read numbered, without the numbers and without its notices below them. */
function withoutNumbers(text: string): string {
  const lines: string[] = [];
  let next: number | undefined;
  for (const line of text.split("\n")) {
    const [number, content] = [Number.parseInt(line, 10), line.slice(line.indexOf(": ") + 2)];
    if (!/^\d+: /.test(line) || (next !== undefined && number !== next)) break;
    lines.push(content);
    next = number + 1;
  }
  return lines.length === 0 ? text : lines.join("\n");
}
