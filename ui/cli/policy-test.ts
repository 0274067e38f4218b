import { createInterface } from "node:readline";
import { explanationLines, type OpenOptions } from "../../src/index.ts";
import type { Outputs } from "../headless/writers.ts";
import type { Invocation } from "./arguments.ts";
import { ExpectedStop } from "./expected-stop.ts";
import { withInspection } from "./inspect.ts";

/** `aura policy test`: the verdict the engine would enforce, and why. */
export async function testPolicy(
  { args, json, stdin }: Extract<Invocation, { command: "policy-test" }>,
  options: OpenOptions,
  out: Outputs,
): Promise<number> {
  if (!stdin && args[0] === undefined)
    throw new ExpectedStop('policy test: name a tool and its input: Bash \'{"command":"ls"}\'');
  return withInspection(options, async (inspection) => {
    const answer = async (tool: string, input: unknown) => {
      const explained = await inspection.explain(tool, input);
      out.data(json || stdin ? `${JSON.stringify(explained)}\n` : `${explanationLines(explained).join("\n")}\n`);
    };
    if (!stdin) {
      await answer(args[0]!, readInput(args[1] ?? "{}"));
      return 0;
    }
    let failed = 0;
    let number = 0;
    for await (const line of createInterface({ input: process.stdin })) {
      number++;
      if (line.trim() === "") continue;
      const call = readCall(line);
      if (typeof call === "string") {
        failed = 1;
        out.data(`${JSON.stringify({ error: call, line: number })}\n`);
      } else await answer(call.tool, call.input);
    }
    return failed;
  });
}

function readInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ExpectedStop(`policy test: the input is not JSON: ${(error as Error).message}`);
  }
}

/** `{tool, args}` (or `input`); a sentence when it is not that. */
function readCall(line: string): { tool: string; input: unknown } | string {
  try {
    const value = JSON.parse(line) as { tool?: unknown; args?: unknown; input?: unknown } | null;
    if (typeof value?.tool !== "string") return 'expected {"tool": "…", "args": {…}}';
    return { tool: value.tool, input: value.args ?? value.input ?? {} };
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
}
