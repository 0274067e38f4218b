import { resolve } from "node:path";
import { defineTool } from "../../toolkit/tool.ts";
import { notesIn } from "../../workspace/notes.ts";
import { readArguments } from "./read-arguments.ts";
import type { Absent, ServedPrompt, ServedServer, ServedTool, ServeHost, ShelvedSkill } from "./served-server.ts";

/** Skills, their slash commands as prompts, and notes (other-systems 1.8). */
export function skillsServer(args: readonly string[], _input: unknown, host: ServeHost): ServedServer {
  const { options } = readArguments("skills", args, { "--dir": "list", "--notes-dir": "value" });
  const dirs = options["--dir"].map((dir) => resolve(host.cwd, dir));
  const read = () => host.skills.read(dirs);
  const notesDir = options["--notes-dir"];
  const notes = notesDir === undefined ? [] : noteTools(resolve(host.cwd, notesDir));
  const present: readonly ServedTool[] = [
    { tool: listSkills(read), structured: true, readOnly: true },
    { tool: getSkills(read), structured: true, readOnly: true },
    ...notes,
  ];
  const absent: readonly Absent[] =
    notesDir === undefined
      ? ["save_note", "search_notes"].map((name) => ({ name, reason: "the server was given no --notes-dir" }))
      : [];
  return {
    name: "skills",
    tools: () => ({ present, absent }),
    prompts: async () =>
      (await read()).filter(({ userInvocable }) => userInvocable).map((skill) => asPrompt(skill, host)),
  };
}

type ReadSkills = () => Promise<readonly ShelvedSkill[]>;

const listSkills = (read: ReadSkills) =>
  defineTool({
    name: "list_skills",
    description: "Lists the skills there are, with what each is for.",
    input: { type: "object", properties: {}, additionalProperties: false },
    sandboxable: false,
    async run() {
      const skills = (await read())
        .filter(({ agentInvocable }) => agentInvocable)
        .map(({ name, description, tags }) => ({ name, description, tags }));
      return JSON.stringify({ skills, count: skills.length }, null, 2);
    },
  });

const getSkills = (read: ReadSkills) =>
  defineTool({
    name: "get_skills",
    description: "Gives the text of skills, or a file that belongs to one.",
    input: {
      type: "object",
      properties: {
        requests: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            properties: {
              name: { type: "string", minLength: 1 },
              path: { type: "string", description: "a file of the skill, relative to it; default: its text" },
            },
            required: ["name"],
            additionalProperties: false,
          },
        },
      },
      required: ["requests"],
      additionalProperties: false,
    },
    sandboxable: false,
    async run({ requests }) {
      const skills = (await read()).filter(({ agentInvocable }) => agentInvocable);
      const entries = [];
      for (const { name, path } of requests) {
        const skill = skills.find((known) => known.name.toLowerCase() === name.toLowerCase());
        const answer = skill
          ? await readSkill(skill, path)
          : { error: `there is no skill "${name}"`, availableFiles: [] };
        entries.push({ name, ...(path !== undefined && { path }), ...answer });
      }
      return JSON.stringify({ skills: entries }, null, 2);
    },
  });

async function readSkill(skill: ShelvedSkill, path: string | undefined) {
  try {
    return { content: await skill.read(path) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), availableFiles: await skill.files() };
  }
}

function noteTools(dir: string): readonly ServedTool[] {
  const save = defineTool({
    name: "save_note",
    description: "Saves a note. One on a topic that has notes already is added to them.",
    input: {
      type: "object",
      properties: {
        topic: { type: "string", minLength: 1 },
        content: { type: "string", minLength: 1 },
        tags: { type: "array", items: { type: "string", minLength: 1 } },
      },
      required: ["topic", "content"],
      additionalProperties: false,
    },
    parallel: false,
    sandboxable: false,
    async run({ topic, content, tags = [] }, { files }) {
      return JSON.stringify(await notesIn(dir, files).save({ topic, content, tags }));
    },
  });
  const search = defineTool({
    name: "search_notes",
    description: "Finds notes by words of their topic, or by a tag.",
    input: {
      type: "object",
      properties: { query: { type: "string", minLength: 1 } },
      required: ["query"],
      additionalProperties: false,
    },
    sandboxable: false,
    async run({ query }, { files }) {
      const notes = await notesIn(dir, files).search(query);
      return JSON.stringify({ notes, count: notes.length }, null, 2);
    },
  });
  return [
    { tool: save, structured: true },
    { tool: search, structured: true, readOnly: true },
  ];
}

function asPrompt(skill: ShelvedSkill, host: ServeHost): ServedPrompt {
  const { name, description, argumentHint, mayRun } = skill;
  return {
    name,
    description,
    ...(argumentHint !== undefined && { argumentHint }),
    async render(given) {
      const pieces = (await skill.read()).split(/!`([^`\n]+)`/);
      // Every other piece is a command. What the person typed goes in last, so that it can never become one.
      const outputs = await Promise.all(
        pieces.map((piece, at) => (at % 2 === 0 ? piece : mayRun ? host.runCommand(piece) : "")),
      );
      return outputs.map((piece, at) => (at % 2 === 0 ? piece.replaceAll("$ARGUMENTS", () => given) : piece)).join("");
    },
  };
}
