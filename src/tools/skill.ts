import { defineTool, type Tool } from "../toolkit/tool.ts";
import { runBashInside } from "./skill-commands.ts";

/** A skill as the model is told of it. */
export interface OfferedSkill {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** It is a folder with more files than its text. */
  readonly hasFiles: boolean;
  /** Commands in its text may run: it does not come from a project that nobody trusted. */
  readonly mayRun: boolean;
}

export interface SkillOptions {
  readonly skills: readonly OfferedSkill[];
  /** Its text, or a file of its folder by a path relative to that. Throws with what there is instead. */
  read(skill: OfferedSkill, path: string | undefined): Promise<string>;
}

/** Instructions on demand: names and one line each in the schema, the text when it is asked for (aura 2.22). */
export function createSkill({ skills, read }: SkillOptions): Tool {
  const files = skills.some(({ hasFiles }) => hasFiles);
  return defineTool({
    name: "Skill",
    description: `Returns the instructions of a skill; follow them when a task fits one. Skills:\n${skills.map(({ name, description }) => `- ${name}: ${description}`).join("\n")}`,
    input: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1 },
        // Only where there is something to read: a parameter costs every request.
        ...(files && { path: { type: "string" as const, description: "A file that the skill's text speaks of" } }),
      },
      required: ["name"],
    },
    sandboxable: false,
    changes: "nothing",

    async run(input, access) {
      const { name, path } = input as { readonly name: string; readonly path?: string };
      const skill = skills.find((known) => known.name.toLowerCase() === name.trim().toLowerCase());
      if (!skill)
        throw new Error(`unknown skill "${name}", available: ${skills.map((known) => known.name).join(", ")}`);
      const text = await read(skill, path);
      if (path !== undefined) return text;
      return (await runBashInside(text, skill.mayRun, access)).trim();
    },
  });
}
