import { readFile } from "node:fs/promises";
import { readSkill } from "./skill-file.ts";
import { type FoundSkill, findSkillFiles, nameOfFile, readResource, skillResources } from "./skill-folder.ts";

/** A folder of skills. */
export interface SkillPlace {
  readonly dir: string;
  /** Markdown files without a folder of their own are skills too. */
  readonly flat: boolean;
  /** Commands in a skill's text may run. */
  readonly mayRun: boolean;
}

export interface Skill {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** Absolute. */
  readonly file: string;
  /** Of a skill with files of its own. */
  readonly folder?: string;
  readonly hasFiles: boolean;
  readonly mayRun: boolean;
  readonly userInvocable: boolean;
  readonly agentInvocable: boolean;
  readonly argumentHint?: string;
  readonly tags: readonly string[];
  readonly readGlobs: readonly string[];
}

export interface FoundSkills {
  /** By name. */
  readonly skills: readonly Skill[];
  /** One line each, with the file: a skill that is not there because of it. */
  readonly problems: readonly string[];
}

/** Everything a look at the folders needs to tell whether anything changed. */
export async function stampOf(places: readonly SkillPlace[]): Promise<string> {
  const found = await Promise.all(places.map(({ dir, flat }) => findSkillFiles(dir, flat)));
  return found
    .flat()
    .map(({ file, stamp }) => `${file}\0${stamp}`)
    .join("\n");
}

/** Names and one line each; texts are read when they are asked for. On a clash of names the later place wins. */
export async function findSkills(places: readonly SkillPlace[]): Promise<FoundSkills> {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  for (const place of places)
    for (const found of await findSkillFiles(place.dir, place.flat)) {
      const skill = await look(found, place).catch((error: Error) => `${found.file}: ${error.message}`);
      if (typeof skill === "string") problems.push(skill);
      else if (skill) skills.set(skill.name.toLowerCase(), skill);
    }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** A skill's text without its head, or one of its files. Throws with what there is instead. */
export async function readSkillText({ file, folder, name }: Skill, path?: string): Promise<string> {
  if (path !== undefined && path !== "SKILL.md") {
    if (folder === undefined) throw new Error(`the skill "${name}" has no files`);
    return readResource(folder, path);
  }
  const { body } = await readSkill(await readFile(file, "utf8"));
  const files = folder === undefined ? [] : await skillResources(folder);
  return files.length === 0 ? body : `${body}\n\n[Files of this skill, in ${folder}: ${files.join(", ")}]`;
}

/** Undefined for a skill that nobody could ever see. */
async function look(found: FoundSkill, { mayRun }: SkillPlace): Promise<Skill | string | undefined> {
  const { file, folder } = found;
  const { head } = await readSkill(await readFile(file, "utf8"));
  const { name = nameOfFile(found), description, agentInvocable, argumentHint, tags, readGlobs } = head;
  const userInvocable = head.userInvocable ?? folder !== undefined;
  if (!agentInvocable && !userInvocable && readGlobs.length === 0) return undefined;
  if (description === undefined) return `${file}: "description" is missing, so nobody could know when to use it`;
  return {
    name,
    description,
    file,
    ...(folder !== undefined && { folder }),
    hasFiles: folder !== undefined && (await skillResources(folder)).length > 0,
    mayRun,
    userInvocable,
    agentInvocable,
    ...(argumentHint !== undefined && { argumentHint }),
    tags,
    readGlobs,
  };
}
