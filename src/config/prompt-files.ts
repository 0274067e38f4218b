import { readFile, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { isInside } from "../system/paths.ts";
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
 * that renders to nothing is left out on purpose. With `within`, what lies in none of these folders (absolute, links
 * followed) is left out with a problem. @throws TemplateProblem
 */
export async function readPromptFiles(
  agent: TurnSettings["agent"],
  data: PromptData,
  env?: (name: string) => string | undefined,
  within?: readonly string[],
): Promise<PromptFiles> {
  const files: { name: string; text: string }[] = [];
  const problems: ConfigProblem[] = [];
  const name = agent.file ?? `agent ${agent.name}`;
  for (const template of agent.files) {
    const path = (await renderTemplate(template, data, { name, ...(env && { env }) })).trim();
    if (path === "") continue;
    const file = resolve(agent.home ?? data.WorkDir, path);
    if (within && !(await isWithin(file, within))) {
      problems.push(
        problem(name, undefined, `files: ${path} is left out: it lies outside a project that is not trusted`),
      );
      continue;
    }
    const text = await readFile(file, "utf8").catch((error: Error) => error);
    if (typeof text === "string") {
      const lines = text.replaceAll("\r\n", "\n");
      files.push({ name: path, text: agent.plainFiles ? lines.replaceAll("{{", '{{ "{{" }}') : lines });
    } else problems.push(problem(name, undefined, `files: ${path} cannot be read: ${text.message}`));
  }
  return { files, problems };
}

async function isWithin(file: string, folders: readonly string[]): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => path);
  const target = await real(file);
  return (await Promise.all(folders.map(real))).some((folder) => isInside(folder, target));
}
