import { renderTemplate } from "../text/template.ts";
import type { PromptData } from "./prompt-data.ts";
import type { TurnSettings } from "./settings.ts";

/** An AGENTS.md, taken as text: braces in it are no template. */
interface WorkspaceText {
  readonly type: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

export interface PromptInput {
  readonly prompt: TurnSettings["prompt"];
  /** The agent's `files`, read; templates. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly workspace: readonly WorkspaceText[];
  readonly data: PromptData;
  /**
   * What the machine is like, one line each, what differs most between projects last. Goes to the very end, so that
   * two projects share all of the prompt before it. A compositor prompt says itself what it wants of this.
   */
  readonly environment?: readonly string[];
  /** What `{{ env "X" }}` may answer; see `templateEnvironment`. */
  env?(name: string): string | undefined;
  /** What `{{ now }}` answers: fixed for a session, or every request would miss the provider's cache. */
  now?(): Date;
}

/**
 * The system prompt (aura 17.10). The same input gives the same bytes. Without a compositor and without template
 * actions this is plain joining and loads nothing.
 * @throws TemplateProblem
 */
export async function composePrompt(input: PromptInput): Promise<string> {
  const { system } = input.prompt;
  const text = system ? await renderCompositor(input, system) : await joinParts(input);
  const deferred = input.data.Tools.Deferred;
  const isTold = deferred === "" || text.includes(deferred);
  const blocks = [text.trim(), ...(isTold ? [] : [deferred])];
  if (!system && input.environment?.length) blocks.push(`# Environment\n${input.environment.join("\n")}`);
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** The lines a default prompt ends with; the working directory last, since it differs between projects. */
export function environmentLines(facts: {
  readonly platform: string;
  readonly date?: string;
  readonly workDir: string;
}): readonly string[] {
  return [
    `Platform: ${facts.platform}`,
    ...(facts.date === undefined ? [] : [`Date: ${facts.date}`]),
    `Working directory: ${facts.workDir}`,
  ];
}

/** Lets templates see a few harmless variables, and those whose names begin with `AURA_VAR_`. */
export function templateEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): (name: string) => string | undefined {
  return (name) => (READABLE.has(name) || name.startsWith("AURA_VAR_") ? env[name] : undefined);
}

const READABLE: ReadonlySet<string> = new Set([
  "CI",
  "EDITOR",
  "HOME",
  "HOSTNAME",
  "LANG",
  "LOGNAME",
  "OSTYPE",
  "SHELL",
  "TERM",
  "TZ",
  "USER",
  "USERNAME",
  "VISUAL",
  "XDG_CONFIG_HOME",
]);

async function joinParts(input: PromptInput): Promise<string> {
  const { agent, mode } = input.prompt;
  const render = (name: string, text: string) => renderTemplate(text, dataOf(input), templateOptions(input, name));
  const parts = [await render(agent.file ?? `agent ${agent.name}`, agent.body)];
  for (const { name, text } of input.files) parts.push(`### ${name}\n\n${(await render(name, text)).trim()}`);
  for (const { type, text } of input.workspace) parts.push(`## ${type}\n\n${text.trim()}`);
  if (mode) parts.push(`## Active Mode: ${mode.name}\n\n${await render(mode.file ?? `mode ${mode.name}`, mode.body)}`);
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

function renderCompositor(input: PromptInput, system: NonNullable<TurnSettings["prompt"]["system"]>): Promise<string> {
  return renderTemplate(system.body, dataOf(input), templateOptions(input, system.file ?? `prompt ${system.name}`));
}

function templateOptions(input: PromptInput, name: string) {
  const partials: Record<string, string> = { agent: input.prompt.agent.body, mode: input.prompt.mode?.body ?? "" };
  for (const file of input.files) partials[fileTemplate(file.name)] = file.text;
  for (const { path, text } of input.workspace) partials[workspaceTemplate(path)] = text.replaceAll("{{", '{{ "{{" }}');
  return { name, partials, ...(input.env && { env: input.env }), ...(input.now && { now: input.now }) };
}

function dataOf(input: PromptInput) {
  return {
    ...input.data,
    Files: input.files.map(({ name }) => ({ Name: name, TemplateName: fileTemplate(name) })),
    Workspace: input.workspace.map(({ type, path }) => ({ Type: type, TemplateName: workspaceTemplate(path) })),
  };
}

function fileTemplate(name: string): string {
  return `files/${name}`;
}

function workspaceTemplate(path: string): string {
  return `workspace/${path}`;
}
