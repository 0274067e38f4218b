import { dirname, isAbsolute, resolve } from "node:path";
import { nearest } from "../../text/nearest.ts";
import type { AgentHead, Entity, ServerRef, Think } from "../config.ts";
import { type ConfigProblem, problem } from "../problems.ts";
import { respell } from "../spellings.ts";
import { isTree, traced } from "../traced.ts";
import { type JsonText, readJson } from "./json-text.ts";

export interface SettingsFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** What its paths are relative to: the project, or for the global file its own folder. */
  readonly base: string;
  readonly scope: "global" | "project";
}

export interface AetherAgents {
  /** Empty when there is any problem: Aether loads all or nothing. */
  readonly agents: readonly Entity<AgentHead>[];
  readonly problems: readonly ConfigProblem[];
  /** What Aether would refuse and we do not. */
  readonly warnings: readonly ConfigProblem[];
}

/**
 * Reads Aether's `settings.json`, the global one first, as agents of ours (other-systems 1.4): non-empty `prompts` and
 * `mcps` of a later file replace, agents merge by trimmed name. Tools come from MCP servers alone unless an agent has
 * a list of its own (5.4).
 */
export async function readAetherSettings(files: readonly SettingsFile[]): Promise<AetherAgents> {
  const problems: ConfigProblem[] = [];
  const merged: Merged = { prompts: [], mcps: [], agents: new Map() };
  for (const file of files) {
    const json = await readJson(file.text, false);
    if (json.problem) problems.push(problem(file.path, json.problem.line, json.problem.message));
    else merge(merged, new Source(file, json, problems));
  }
  checkDefault(merged, problems);
  const warnings = [...merged.agents.values()]
    .filter(({ prompts }) => prompts.length === 0 && merged.prompts.length === 0)
    .map(({ name, file, line }) =>
      problem(file.path, line, `agent ${name}: has no prompt; Aether itself refuses that`),
    );
  if (problems.length > 0) return { agents: [], problems, warnings };
  const agents = await Promise.all([...merged.agents.values()].map((agent) => entityOf(agent, merged)));
  return { agents, problems, warnings };
}

const TOP_FIELDS = ["$schema", "agent", "agents", "mcps", "prompts", "providers"];
const AGENT_FIELDS = [
  "name",
  "description",
  "model",
  "reasoningEffort",
  "contextWindow",
  "userInvocable",
  "agentInvocable",
  "providers",
  "prompts",
  "mcps",
  "tools",
];

interface FoundAgent {
  readonly name: string;
  readonly head: AgentHead;
  /** Absolute paths or globs. */
  readonly prompts: readonly string[];
  readonly mcps: readonly ServerRef[];
  readonly userInvocable: boolean;
  readonly file: SettingsFile;
  readonly line: number;
}

interface Merged {
  prompts: readonly string[];
  mcps: readonly ServerRef[];
  readonly agents: Map<string, FoundAgent>;
  /** The chosen default, and where. */
  chosen?: { readonly name: string; readonly file: string; readonly line: number };
}

/** One file, and where its problems go. */
class Source {
  constructor(
    readonly file: SettingsFile,
    readonly json: JsonText,
    private readonly problems: ConfigProblem[],
  ) {}

  say(path: readonly PropertyKey[], message: string): void {
    this.problems.push(problem(this.file.path, this.json.lineOf(path), message));
  }

  /** A map under its meant spellings, unknown keys said. */
  fields(value: unknown, path: readonly PropertyKey[], known: readonly string[], by = ""): Record<string, unknown> {
    if (!isTree(value)) {
      this.say(path, `${by}expected a map`);
      return {};
    }
    const { data, clashes } = respell(value, { mcpServers: "mcps" });
    for (const [other, meant] of clashes)
      this.say([...path, other], `${by}${other} and ${meant} mean the same: keep one`);
    for (const key of Object.keys(data as object)) {
      if (known.includes(key) || clashes.some(([other]) => other === key)) continue;
      const near = nearest(key, known);
      const hint = near === undefined ? `known: ${known.join(", ")}` : `did you mean "${near}"?`;
      this.say([...path, key], `${by}unknown key "${key}" (${hint})`);
    }
    return data as Record<string, unknown>;
  }

  texts(value: unknown, path: readonly PropertyKey[]): readonly string[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    this.say(path, `${String(path.at(-1))}: expected a list of texts`);
    return [];
  }

  flag(value: unknown, path: readonly PropertyKey[]): boolean {
    if (value === undefined || value === null) return false;
    if (typeof value !== "boolean") this.say(path, `${String(path.at(-1))}: expected true or false`);
    return value === true;
  }

  absolute(path: string): string {
    return isAbsolute(path) ? path : resolve(this.file.base, path);
  }

  refs(value: unknown, path: readonly PropertyKey[]): readonly ServerRef[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      this.say(path, "mcps: expected a list of files");
      return [];
    }
    return value.flatMap((item: unknown, at): ServerRef[] => {
      if (typeof item === "string") return [this.absolute(item)];
      if (isTree(item) && item["type"] === "file" && typeof item["path"] === "string")
        return [{ type: "file", path: this.absolute(item["path"]), proxy: item["proxy"] === true }];
      if (isTree(item) && item["type"] === "inline" && isTree(item["servers"]))
        return [{ type: "inline", servers: item["servers"] }];
      this.say([...path, at], "mcps: expected a path, {type: file, path, proxy} or {type: inline, servers}");
      return [];
    });
  }
}

function merge(merged: Merged, source: Source): void {
  const top = source.fields(source.json.data, [], TOP_FIELDS);
  const prompts = source.texts(top["prompts"], ["prompts"]).map((path) => source.absolute(path));
  const mcps = source.refs(top["mcps"], ["mcps"]);
  if (prompts.length > 0) merged.prompts = prompts;
  if (mcps.length > 0) merged.mcps = mcps;
  const agents = top["agents"] ?? [];
  if (!Array.isArray(agents)) return source.say(["agents"], "agents: expected a list");
  agents.forEach((value: unknown, at) => {
    const agent = readAgent(value, at, source);
    if (agent) merged.agents.set(agent.name, agent);
  });
  const chosen = top["agent"];
  if (typeof chosen === "string")
    merged.chosen = { name: chosen.trim(), file: source.file.path, line: source.json.lineOf(["agent"]) };
}

function readAgent(value: unknown, at: number, source: Source): FoundAgent | undefined {
  const path = ["agents", at];
  const written = isTree(value) ? value["name"] : undefined;
  const name = typeof written === "string" ? written.trim() : "";
  if (name === "") {
    source.say(path, `agent ${at + 1}: "name" is missing`);
    return undefined;
  }
  const by = `agent ${name}: `;
  if (name === "__default__") source.say(path, `${by}this name is reserved`);
  const fields = source.fields(value, path, AGENT_FIELDS, by);
  const tools = toolsOf(fields["tools"], [...path, "tools"], source, by);
  const userInvocable = source.flag(fields["userInvocable"], [...path, "userInvocable"]);
  const agentInvocable = source.flag(fields["agentInvocable"], [...path, "agentInvocable"]);
  if (!userInvocable && !agentInvocable)
    source.say(path, `${by}nobody can use it: set userInvocable or agentInvocable`);
  const head: AgentHead = {
    name,
    ...(typeof fields["description"] === "string" && { description: fields["description"] }),
    model: modelOf(fields),
    tools,
    hide: !userInvocable,
    subagent: agentInvocable,
  };
  return {
    name,
    head,
    prompts: source.texts(fields["prompts"], [...path, "prompts"]).map((file) => source.absolute(file)),
    mcps: source.refs(fields["mcps"], [...path, "mcps"]),
    userInvocable,
    file: source.file,
    line: source.json.lineOf([...path, "name"]),
  };
}

function toolsOf(value: unknown, path: readonly PropertyKey[], source: Source, by: string) {
  const known = ["allow", "deny", "enabled", "disabled"];
  const fields = value === undefined || value === null ? {} : source.fields(value, path, known, by);
  const list = (theirs: string, ours: string) => {
    if (fields[theirs] !== undefined && fields[ours] !== undefined)
      source.say([...path, ours], `${by}tools.${theirs} and tools.${ours} mean the same: keep one`);
    return source.texts(fields[theirs] ?? fields[ours], [...path, theirs]);
  };
  const enabled = list("allow", "enabled");
  const disabled = list("deny", "disabled");
  return { enabled: enabled.length > 0 ? enabled : ["mcp__*"], disabled };
}

const EFFORT: Readonly<Record<string, Think>> = {
  none: "off",
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** `provider:model`. */
function modelOf(fields: Readonly<Record<string, unknown>>): NonNullable<AgentHead["model"]> {
  const { model, reasoningEffort, contextWindow } = fields;
  const [, provider, name] = /^([^:]*):(.*)$/s.exec(typeof model === "string" ? model : "") ?? [];
  const think = EFFORT[String(reasoningEffort)];
  return {
    ...(provider && { provider }),
    ...((name ?? model) ? { name: name ?? String(model) } : {}),
    ...(think !== undefined && { think }),
    ...(typeof contextWindow === "number" && { context: contextWindow }),
  };
}

function checkDefault({ chosen, agents }: Merged, problems: ConfigProblem[]): void {
  if (!chosen) return;
  const agent = agents.get(chosen.name);
  const why = agent ? (agent.userInvocable ? undefined : "is not userInvocable") : "is no agent of it";
  if (why) problems.push(problem(chosen.file, chosen.line, `agent: the default "${chosen.name}" ${why}`));
}

async function entityOf(agent: FoundAgent, merged: Merged): Promise<Entity<AgentHead>> {
  const { name, head, file, line } = agent;
  const prompts = agent.prompts.length > 0 ? agent.prompts : merged.prompts;
  const files = (await Promise.all(prompts.map(matching))).flat();
  const mcps = agent.mcps.length > 0 ? agent.mcps : merged.mcps;
  return {
    ...traced<AgentHead>({ ...head, files, mcps }),
    kind: "agents",
    name,
    body: "",
    file: file.path,
    line,
    home: dirname(file.path),
    scope: file.scope,
    foreign: true,
  };
}

/** The files of a glob, in order; a plain path as it is. */
async function matching(path: string): Promise<readonly string[]> {
  if (!/[*?[{]/.test(path)) return [path];
  const { default: glob } = await import("fast-glob");
  return (await glob(path, { dot: true, onlyFiles: true })).sort();
}
