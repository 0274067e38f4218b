import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type AgentDir, type LoadedAgentDir, loadAgentDir } from "../extensions/agent-dir/agent-dir.ts";
import type { Schedule } from "../extensions/agent-dir/schedules.ts";
import { filesItRuns, whatItRuns } from "../extensions/agent-dir/what-it-runs.ts";
import { SHIPPED_TIER } from "../policy/rules.ts";
import { writeAtomically } from "../system/atomic-file.ts";
import { isInside, personalFolders } from "../system/paths.ts";
import type { OpenOptions } from "./open-options.ts";
import { readDirServer } from "./read-dir-server.ts";
import { real } from "./resolve-config.ts";
import { openTrust } from "./trust.ts";

/** What `aura agentdir check` prints. */
export interface AgentDirCheck extends Pick<LoadedAgentDir, "errors" | "warnings"> {
  readonly tools: readonly { readonly name: string; readonly kind: "mcp" | "script"; readonly file: string }[];
}

/** A directory ready to be served. */
export interface ServedDir {
  readonly schedules: readonly Schedule[];
  /** What a conversation of one of its schedules opens with. */
  optionsFor(schedule: Schedule): OpenOptions;
}

export type OpenedAgentDir =
  | { readonly kind: "ready"; readonly served: ServedDir; readonly warnings: readonly string[] }
  | { readonly kind: "refused"; readonly problems: readonly string[] }
  /** Nobody has trusted it as it is now; a line for every command and script, and one for what else it says. */
  | { readonly kind: "untrusted"; readonly runs: readonly string[] };

/** Runs the loader alone. @param dir absolute */
export async function checkAgentDir(dir: string): Promise<AgentDirCheck> {
  const { agent, errors, warnings } = await loadAgentDir(dir, readDirServer);
  const tools = (agent?.tools ?? []).map((tool) => {
    const { kind, name, file } = tool;
    if (kind === "mcp") return { name, kind, file, transport: tool.server.transport };
    const { path, allowedTools, limits } = tool.script;
    return { name, kind, file, path, allowed_tools: allowedTools, limits };
  });
  return { tools, errors, warnings };
}

/**
 * Makes a directory an agent of its own: its text, model and limits become an agent, its skills the skills of a home that
 * is written anew at every start below the state folder; sessions are kept there too. Nothing of it counts before a
 * person trusted every file of it; `options.trust` does that now.
 */
export async function openAgentDir(options: OpenOptions, given: string): Promise<OpenedAgentDir> {
  const dir = await real(resolve(options.cwd, given));
  const { agent, errors, warnings } = await loadAgentDir(dir, readDirServer);
  if (!agent) return { kind: "refused", problems: errors.map(({ code, message }) => `${code}: ${message}`) };
  const { instructions } = agent;
  if (!instructions?.trim())
    return { kind: "refused", problems: ["instructions.md: the text of the agent is missing"] };

  const folders = personalFolders(options.env);
  const trust = await openTrust(folders.state);
  const files = await filesOf(agent, options.cwd);
  const verdicts = await Promise.all(files.map((file) => trust.trustsFile(file)));
  const held = isInside(await real(folders.config), dir) ? [] : files.filter((_, at) => !verdicts[at]);
  if (held.length > 0 && !options.trust)
    return { kind: "untrusted", runs: [...whatItRuns(agent.tools), saysMore(held)] };
  for (const file of files) await trust.vouchFor(file);

  const name = basename(dir);
  const home = join(
    folders.state,
    "agent-dirs",
    `${name}-${createHash("sha256").update(dir).digest("hex").slice(0, 8)}`,
  );
  await writeHome(home, name, agent, instructions);
  const { trust: _, continueLast: __, resume: ___, ...rest } = options;
  return {
    kind: "ready",
    warnings: warnings.map(({ code, message }) => `${code}: ${message}`),
    served: {
      schedules: agent.schedules,
      optionsFor: (schedule) => ({
        ...rest,
        config: [...(options.config ?? []), home],
        agent: options.agent ?? name,
        agentDir: dir,
        withMcp: true,
        needsServersOf: dir,
        sessionName: `schedule:${schedule.name}`,
      }),
    },
  };
}

/** Nobody is there to be asked: what changes files or runs programs is refused unless the directory or a rule allows it. */
const UNATTENDED = { policy: { confirm: (SHIPPED_TIER.confirm ?? []).map(({ value }) => value) } };

const saysMore = (files: readonly string[]) => `files nobody trusted as they are: ${files.join(", ")}`;

/** Everything that is read of it or run by it, links followed, as far as it is there. */
async function filesOf(agent: AgentDir, workspace: string): Promise<string[]> {
  const texts = ["instructions.md", "agent.yaml", "agent.acl", ...agent.schedules.map(({ file }) => file)];
  const files = [
    ...texts.map((file) => join(agent.dir, file)),
    ...filesItRuns(agent.tools, workspace),
    ...(agent.skills === undefined ? [] : await filesBelow(agent.skills)),
  ];
  const found = await Promise.all(files.map(real));
  return [...new Set(found.filter((file) => existsSync(file)))];
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}

/** An agent's Markdown file and a link to its skills, where a home has them. */
async function writeHome(home: string, name: string, agent: AgentDir, instructions: string): Promise<void> {
  const { stringify } = await import("yaml");
  await mkdir(join(home, "config/agents"), { recursive: true, mode: 0o700 });
  const head = stringify({
    description: `of ${agent.dir}`,
    ...agent.head,
    tools: { ...UNATTENDED, ...(agent.head["tools"] as object | undefined) },
    name,
    default: true,
  });
  await writeAtomically(join(home, "config/agents/agent.md"), `---\n${head}---\n${instructions}`, { mode: 0o600 });
  const skills = join(home, "skills");
  await rm(skills, { force: true, recursive: true });
  if (agent.skills !== undefined) await symlink(agent.skills, skills);
}
