import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, normalize, resolve } from "node:path";
import { isInside } from "../system/paths.ts";
import { renderTemplate } from "../text/template.ts";
import { type ConfigProblem, problem } from "./problems.ts";
import type { PromptData } from "./prompt-data.ts";
import type { TurnSettings } from "./settings.ts";

export interface PromptFiles {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly problems: readonly ConfigProblem[];
}

/** Where files may lie: absolute folders, links followed. */
export interface FileConfinement {
  readonly folders: readonly string[];
  /** A path that is written so that it leads elsewhere may do so; a link may not. */
  readonly mayLeave: boolean;
}

/** Whether a path of `files`, which begins in a home, is written so that it may lead out of the project around that. */
export const leadsOut = (path: string): boolean =>
  isAbsolute(path) || /^~|\{\{/.test(path) || /^\.\.[/\\]\.\./.test(normalize(path));

/**
 * Reads an agent's `files` for the system prompt. Paths are templates, relative to the home the agent comes from; one
 * that renders to nothing is left out on purpose. With `within`, what lies elsewhere is left out with a problem. @throws TemplateProblem
 */
export async function readPromptFiles(
  agent: TurnSettings["agent"],
  data: PromptData,
  env?: (name: string) => string | undefined,
  within?: FileConfinement,
): Promise<PromptFiles> {
  const files: { name: string; text: string }[] = [];
  const problems: ConfigProblem[] = [];
  const name = agent.file ?? `agent ${agent.name}`;
  for (const template of agent.files) {
    const path = (await renderTemplate(template, data, { name, ...(env && { env }) })).trim();
    if (path === "") continue;
    const file = resolve(agent.home ?? data.WorkDir, path);
    if (within && !(within.mayLeave && leadsOut(template)) && !(await isWithin(file, within.folders))) {
      problems.push(
        problem(name, undefined, `files: ${path} is left out: it lies outside the project that asks for it`),
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
