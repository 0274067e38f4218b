import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { renderTemplate } from "../text/template.ts";
import { type ConfigProblem, problem } from "./problems.ts";
import type { PromptData } from "./prompt-data.ts";
import type { TurnSettings } from "./settings.ts";

export interface PromptFiles {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads an agent's `files` for the system prompt. Paths are templates, relative to the home the agent comes from; one
 * that renders to nothing is left out on purpose. @throws TemplateProblem
 */
export async function readPromptFiles(
  agent: TurnSettings["agent"],
  data: PromptData,
  env?: (name: string) => string | undefined,
): Promise<PromptFiles> {
  const files: { name: string; text: string }[] = [];
  const problems: ConfigProblem[] = [];
  const name = agent.file ?? `agent ${agent.name}`;
  for (const template of agent.files) {
    const path = (await renderTemplate(template, data, { name, ...(env && { env }) })).trim();
    if (path === "") continue;
    const text = await readFile(resolve(agent.home ?? data.WorkDir, path), "utf8").catch((error: Error) => error);
    if (typeof text === "string") files.push({ name: path, text: text.replaceAll("\r\n", "\n") });
    else problems.push(problem(name, undefined, `files: ${path} cannot be read: ${text.message}`));
  }
  return { files, problems };
}
