import { bash } from "../tools/bash.ts";
import { standardOutput } from "../tools/skill-commands.ts";
import type { Engine } from "./engine.ts";
import { judgeWithAbove } from "./judge-child.ts";
import { toolAccess } from "./tool-access.ts";

/**
 * Runs a command of a text that a person called up, outside any turn, under the policy Bash has: refused is refused,
 * and what asks is asked. Returns what it printed; nothing when it did not run, or failed.
 */
export async function runForPerson(engine: Engine, command: string): Promise<string> {
  const { closing: signal } = engine;
  const tool = engine.tools.find("Bash");
  if (!tool) return "";
  const input = { command };
  const verdict = await judgeWithAbove(engine, {
    callId: "skill",
    tool: "Bash",
    input,
    reads: [],
    writes: [],
    given: [],
  });
  if (verdict.kind === "deny") return "";
  if (verdict.kind === "confirm" && !engine.state.auto && engine.options.approveAll !== true) {
    const asked = engine.requests.open(
      "approval",
      {
        callId: "skill",
        tool: "Bash",
        about: "A command of this skill.",
        detail: command,
        because: verdict.because,
        ...(verdict.explained && { explained: verdict.explained }),
      },
      signal,
    );
    const result = await asked.answered;
    if (result === "withdrawn" || !result.answer.allow) return "";
  }
  try {
    const access = { ...toolAccess(engine, "skill", signal, () => undefined), ask: nobody, callTools: nobody };
    const result = await bash.run(input, access);
    const text = typeof result === "string" ? result : result.text;
    return standardOutput((await engine.shorten(text)).text);
  } catch {
    return ""; // as for a command that failed: the skill goes on without it
  }
}

const nobody = () => Promise.reject(new Error("a command of a skill asks nobody"));
