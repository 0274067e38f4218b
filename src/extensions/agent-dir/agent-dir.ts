import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { agent } from "../../config/entities/agent.ts";
import { validate } from "../../config/validate.ts";
import { readYaml } from "../../config/yaml-file.ts";
import { readAgentAcl } from "./agent-acl.ts";
import { type DirError, type DirWarning, dirError, dirWarning } from "./problems.ts";
import { readSchedules, type Schedule } from "./schedules.ts";
import { type DirTool, type ReadServer, readToolFolder } from "./tool-folder.ts";

/** An agent as a directory (other-systems 4.1): what it is, what it can do, and when it does what. */
export interface AgentDir {
  /** Absolute. */
  readonly dir: string;
  /** `instructions.md`. */
  readonly instructions: string | undefined;
  /** `agent.yaml` in the form of an agent's head: model, limits under `features.tools`, and all else it may say. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly tools: readonly DirTool[];
  readonly schedules: readonly Schedule[];
  /** The folder `skills`, when there is one. */
  readonly skills: string | undefined;
}

export interface LoadedAgentDir {
  /** Undefined when there is an error: a directory loads whole or not at all. */
  readonly agent: AgentDir | undefined;
  readonly errors: readonly DirError[];
  readonly warnings: readonly DirWarning[];
}

/** @param dir absolute */
export async function loadAgentDir(dir: string, readServer: ReadServer): Promise<LoadedAgentDir> {
  if (!(await stat(dir).catch(() => undefined))?.isDirectory())
    return { agent: undefined, errors: [dirError("no-directory", dir, "there is no such directory")], warnings: [] };
  const [tools, schedules, head, instructions, skills] = await Promise.all([
    readToolFolder(dir, readServer),
    readSchedules(dir),
    readAgentFile(dir),
    textOf(join(dir, "instructions.md")),
    stat(join(dir, "skills")).catch(() => undefined),
  ]);
  const errors = [...head.errors, ...tools.errors, ...schedules.errors];
  const speechless = schedules.schedules.length > 0 && !instructions?.trim();
  const warnings = [
    ...tools.warnings,
    ...schedules.warnings,
    ...(speechless
      ? [dirWarning("no-instructions", "instructions.md", "there are schedules but no text that says who does them")]
      : []),
  ];
  if (errors.length > 0) return { agent: undefined, errors, warnings };
  return {
    agent: {
      dir,
      instructions,
      head: head.fields,
      tools: tools.tools,
      schedules: schedules.schedules,
      skills: skills?.isDirectory() ? join(dir, "skills") : undefined,
    },
    errors,
    warnings,
  };
}

const LIMITS = ["max_steps", "token_budget"];

/** `agent.yaml`, or without one `agent.acl`: an agent's head, with `model` also as one text (`provider/model`) and `limits` as a short form. */
async function readAgentFile(
  dir: string,
): Promise<{ readonly fields: Readonly<Record<string, unknown>>; readonly errors: readonly DirError[] }> {
  const written = await textOf(join(dir, "agent.yaml"));
  const acl = written === undefined ? await textOf(join(dir, "agent.acl")) : undefined;
  const text = written ?? (acl === undefined ? undefined : JSON.stringify(readAgentAcl(acl)));
  if (text === undefined) return { fields: {}, errors: [] };
  const file = written === undefined ? "agent.acl" : "agent.yaml";
  const yaml = readYaml(text, file);
  const problems = yaml.problems.map(({ message, line }) => dirError("bad-agent", file, message, line));
  if (problems.length > 0) return { fields: {}, errors: problems };
  const refuse = (message: string, ...path: readonly PropertyKey[]) => ({
    fields: {},
    errors: [dirError("bad-agent", file, message, yaml.lineOf(path))],
  });
  if (typeof yaml.data !== "object" || yaml.data === null || Array.isArray(yaml.data))
    return refuse("expected a map of fields");
  const { model, limits = {}, features, ...rest } = yaml.data as Record<string, unknown>;
  if (typeof limits !== "object" || limits === null || Array.isArray(limits))
    return refuse(`limits: expected a map of ${LIMITS.join(", ")}`, "limits");
  const unknown = Object.keys(limits).find((key) => !LIMITS.includes(key));
  if (unknown !== undefined)
    return refuse(`limits: there is no "${unknown}"; known: ${LIMITS.join(", ")}`, "limits", unknown);
  const tools = { ...(features as { tools?: object } | undefined)?.tools, ...limits };
  const fields = {
    ...rest,
    ...(model !== undefined && { model: typeof model === "string" ? modelOf(model) : model }),
    ...((features !== undefined || Object.keys(tools).length > 0) && {
      features: { ...(features as object | undefined), ...(Object.keys(tools).length > 0 && { tools }) },
    }),
  };
  const checked = validate(agent.schema, fields, file, yaml.lineOf);
  if (checked.ok) return { fields, errors: [] };
  return {
    fields: {},
    errors: checked.problems.map(({ message, line }) => dirError("bad-agent", file, message, line)),
  };
}

function modelOf(text: string): object {
  const at = text.indexOf("/");
  return at < 0 ? { name: text } : { provider: text.slice(0, at), name: text.slice(at + 1) };
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
