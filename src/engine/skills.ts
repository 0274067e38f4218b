import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Skill, SkillPlace } from "../extensions/skills.ts";
import type { Engine } from "./engine.ts";
import { skillEntry } from "./executable-entries.ts";
import { real, type TrustedConfig } from "./resolve-config.ts";
import { trustsProject } from "./server-trust.ts";

/** The skills of a conversation: looked for again at the start of every turn, read when they are asked for. */
export class Skills {
  #all: readonly Skill[] = [];
  #stamp = "";

  get all(): readonly Skill[] {
    return this.#all;
  }

  /** Those the model is told of. */
  get invocable(): readonly Skill[] {
    return this.#all.filter(({ agentInvocable }) => agentInvocable);
  }

  find(name: string): Skill | undefined {
    return this.#all.find((skill) => skill.name.toLowerCase() === name.toLowerCase());
  }

  /** Its text, or one of its files. Throws with what there is instead. */
  async read(name: string, path?: string): Promise<string> {
    const skill = this.find(name);
    if (!skill) throw new Error(`there is no skill "${name}" any more`);
    const { readSkillText } = await import("../extensions/skills.ts");
    return readSkillText(skill, path);
  }

  /** Looks at the folders. True when a skill came, went or changed; where there is no folder nothing is loaded. */
  async refresh(engine: Engine, say: (problem: string) => void): Promise<boolean> {
    const places = await skillPlaces(engine);
    if (places.length === 0 && this.#stamp === "") return false;
    const { findSkills, stampOf } = await import("../extensions/skills.ts");
    const accepted = Object.values(engine.trusted.trust.book.accepted[await real(engine.cwd)] ?? {});
    const trusting = [...places.map(({ dir, mayRun }) => `${dir}\0${mayRun}`), ...accepted].join("\n");
    const files = await stampOf(places);
    const stamp = files === "" ? "" : `${trusting}\n${files}`;
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    const { skills, problems } = await findSkills(places);
    for (const problem of problems) say(problem);
    this.#all = await Promise.all(skills.map((skill) => asAccepted(skill, engine.trusted)));
    return true;
  }
}

type SkillFacts = Pick<Engine, "options" | "folders" | "config" | "cwd" | "trusted">;

/** Of a project that is trusted, the commands that a person accepted as they are now. */
export async function asAccepted(skill: Skill, { entries }: Pick<TrustedConfig, "entries">): Promise<Skill> {
  if (!skill.mayRun || !entries.isForeign(skill.file)) return skill;
  const text = await readFile(skill.file, "utf8").catch(() => "");
  const entry = skillEntry(skill.name, skill.file, text);
  return entry && !entries.runs(entry) ? { ...skill, mayRun: false } : skill;
}

/**
 * Where skills lie, lowest first: the person's, then the project's; the folders other tools share before our own
 * (https://agentskills.io). A person who turned a home off has turned off what lies beside it too.
 */
export async function skillPlaces({
  options,
  folders,
  config,
  cwd,
  trusted,
}: SkillFacts): Promise<readonly SkillPlace[]> {
  const shared = (dir: string, mayRun: boolean): SkillPlace => ({ dir, flat: false, mayRun });
  const own = (dir: string, mayRun: boolean): SkillPlace => ({ dir: join(dir, "skills"), flat: true, mayRun });
  const { global, projects } = config.homes;
  const xdg = options.env["XDG_CONFIG_HOME"] || join(folders.user, ".config");
  const mine = options.home === "" ? [] : [join(xdg, "agents", "skills"), join(folders.user, ".agents", "skills")];
  const theirs = options.config?.length === 0 ? [] : [".claude", ".agents"].map((dir) => join(cwd, dir, "skills"));
  const found = theirs.filter((dir) => !mine.includes(dir) && existsSync(dir));
  const isTrusted = found.length > 0 && (await trustsProject(options, trusted.trust));
  const places = [
    ...mine.map((dir) => shared(dir, true)),
    ...(global === undefined ? [] : [own(global, true)]),
    ...found.map((dir) => shared(dir, isTrusted)),
    ...projects.map((home) => own(home, !trusted.untrusted.includes(home))),
  ];
  return places.filter(({ dir }) => existsSync(dir));
}
