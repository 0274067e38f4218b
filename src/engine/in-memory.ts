import { readFile } from "node:fs/promises";
import type { InMemoryServers } from "../mcp/serve/in-memory.ts";
import { inMemoryServers } from "../mcp/serve/in-memory-servers.ts";
import type { ServeHost, ShelvedSkill, SkillShelf } from "../mcp/serve/served-server.ts";
import { isInside } from "../system/paths.ts";
import type { ToolSource } from "../toolkit/known-tool.ts";
import { defineTool, type Tool } from "../toolkit/tool.ts";
import { builtinTools } from "../tools/index.ts";
import { standardOutput } from "../tools/skill-commands.ts";
import { conversationView } from "./conversation-view.ts";
import type { Engine } from "./engine.ts";
import { trustsProject } from "./server-trust.ts";
import { asAccepted } from "./skills.ts";
import { spawnInstructions, spawnSubagents } from "./spawn-subagents.ts";

/** The in-process servers of a conversation. */
export const inMemoryOf = (engine: Engine): InMemoryServers => inMemoryServers(serveHost(engine));

/**
 * What our own servers stand on: the tools and services of one engine.
 * @param sources where tools besides those built in are looked for; what servers bring is not ours
 */
export function serveHost(
  engine: Engine,
  sources: () => readonly ToolSource[] = () => engine.sources.filter(({ ofServers }) => !ofServers),
): ServeHost {
  return {
    cwd: engine.cwd,
    now: () => new Date(engine.timestamp()),
    view: () => conversationView(engine),
    find: (name) => builtinTools.find((tool) => tool.name === name) ?? findBrought(sources(), name),
    skills: skillShelf(engine),
    delegate: {
      instructions: () => spawnInstructions(engine),
      spawn: () => spawnTool(engine),
    },
    readText: (path) => readFile(path, "utf8"),
    async runCommand(command) {
      const { callFromOutside } = await import("./outside-call.ts");
      const signal = AbortSignal.timeout(COMMAND_MS);
      try {
        const call = { tool: "Bash", input: { command } };
        return standardOutput((await callFromOutside(engine, call, { signal, print: () => undefined })).text);
      } catch {
        return ""; // a text with a command that may not run is still a text
      }
    },
  };
}

/** How long a command in a skill's text may take. */
const COMMAND_MS = 60_000;

/** A tool that a plugin or a later part of the product brings. */
function findBrought(sources: readonly ToolSource[], name: string): Tool | undefined {
  return sources
    .flatMap((source) => source.known())
    .find(({ tool, server, unavailable }) => tool.name === name && server === undefined && !unavailable)?.tool;
}

function skillShelf(engine: Engine): SkillShelf {
  return {
    async read(dirs) {
      const { findSkills, readSkillText } = await import("../extensions/skills.ts");
      const { skillResources } = await import("../extensions/skill-folder.ts");
      const isTrusted = await trustsProject(engine.options, engine.trusted.trust);
      const places = dirs.map((dir) => ({ dir, flat: true, mayRun: isTrusted || !isInside(engine.cwd, dir) }));
      const { skills: found, problems } = await findSkills(places);
      const skills = await Promise.all(found.map((skill) => asAccepted(skill, engine.trusted)));
      for (const text of problems) engine.emit({ type: "notice", level: "warn", text });
      return skills.map(
        (skill): ShelvedSkill => ({
          ...skill,
          read: (path) => readSkillText(skill, path),
          files: async () => (skill.folder === undefined ? [] : skillResources(skill.folder)),
        }),
      );
    },
  };
}

const spawnTool = (engine: Engine) =>
  defineTool({
    name: "spawn_subagent",
    description:
      "Sets agents to work on tasks, all at once, and returns every result in the order of the tasks. An agent sees nothing of this conversation: say in its prompt all it needs.",
    input: {
      type: "object",
      properties: {
        tasks: {
          type: "array",
          items: {
            type: "object",
            properties: { agentName: { type: "string", minLength: 1 }, prompt: { type: "string", minLength: 1 } },
            required: ["agentName", "prompt"],
            additionalProperties: false,
          },
        },
      },
      required: ["tasks"],
      additionalProperties: false,
    },
    sandboxable: false,
    async run({ tasks }, { callId, signal }) {
      return JSON.stringify(await spawnSubagents(engine, tasks, { callId, signal }), null, 2);
    },
  });
