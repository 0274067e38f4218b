import type { ToolAccess } from "../toolkit/tool-access.ts";

/** Replaces each command of a skill's text, written as an exclamation mark and the command in backticks. */
export async function replaceCommands(text: string, run: (command: string) => Promise<string>): Promise<string> {
  const pieces = text.split(/!`([^`\n]+)`/);
  const done: string[] = [];
  // What a command prints is never looked at again for commands.
  for (const [at, piece] of pieces.entries()) done.push(at % 2 === 0 ? piece : await run(piece));
  return done.join("");
}

/** What is said in place of a command that may not run. */
export const UNTRUSTED_COMMAND = "[a command was left out: this project is not trusted]";

/** A skill's commands run as Bash calls under the Skill call: filter, policy and hooks see each of them. */
export function runBashInside(
  text: string,
  mayRun: boolean,
  { callTools }: Pick<ToolAccess, "callTools">,
): Promise<string> {
  return replaceCommands(text, async (command) => {
    if (!mayRun) return UNTRUSTED_COMMAND;
    const [call] = await callTools([{ tool: "Bash", input: { command } }], { mayAsk: true });
    return call?.status === "done" ? standardOutput(call.output.text) : "";
  });
}

/** What a Bash result says the command printed; nothing when it failed (aura 2.1). */
export function standardOutput(result: string): string {
  if (/(^|\n)EXIT CODE: [^\n]*\n?$/.test(result)) return "";
  return result.replace(/(^|\n)STDERR:\n[\s\S]*$/, "").trim();
}
