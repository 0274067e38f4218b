import { relative, sep } from "node:path";
import { fitsGlob } from "../text/path-glob.ts";
import type { Hooks } from "../toolkit/hooks.ts";
import { conversationView } from "./conversation-view.ts";
import type { Engine } from "./engine.ts";

/** The name by which an agent's own copy is told from the one of the agent it works for. */
export const SKILL_TRIGGERS = "skill-triggers";

/**
 * Skills that hang on files: the first time one that fits is read, by whatever tool, the skill's text follows the
 * result. It comes again when the model can no longer see it, as after a compaction.
 */
export function skillTriggers(engine: Engine): Hooks {
  /** By skill: the last message when it was told, for reads of the same reply. */
  const toldAt = new Map<string, string>();
  return {
    name: SKILL_TRIGGERS,
    async postHook({ tool, input, paths }) {
      const triggered = engine.skills.all.filter(({ readGlobs }) => readGlobs.length > 0);
      if (triggered.length === 0 || !isRead(engine, tool, input)) return undefined;
      const places = paths.map((path) => relative(engine.cwd, path).split(sep).join("/"));
      const { at, holds } = conversationView(engine);
      const texts: string[] = [];
      for (const { name, readGlobs } of triggered) {
        if (!places.some((place) => readGlobs.some((glob) => fitsGlob(glob, place)))) continue;
        const opening = `<skill name="${name}">`;
        if (toldAt.get(name) === at || holds(opening)) continue;
        toldAt.set(name, at);
        texts.push(`${opening}\n${await engine.skills.read(name)}\n</skill>`);
      }
      return texts.length === 0 ? undefined : { text: texts.join("\n\n") };
    },
  };
}

function isRead({ tools }: Engine, name: string, input: unknown): boolean {
  return name === "Read" || tools.find(name)?.sameAs?.(input)?.tool === "Read";
}
