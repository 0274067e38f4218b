import { relative, sep } from "node:path";
import { isInside } from "../../system/paths.ts";
import { fitsGlob } from "../../text/path-glob.ts";
import type { ConversationView, ServedTool, ShelvedSkill, SkillShelf } from "./served-server.ts";

/** Texts that go with files: the first read of a fitting one brings them, and the first after they were compacted away. */
export interface Rules {
  /** The rules that are new with this file. @param file absolute */
  newFor(file: string): Promise<readonly string[]>;
}

/** @param dirs absolute @param root what globs are relative to, absolute */
export function createRules(
  dirs: readonly string[],
  root: string,
  { skills: shelf, view }: { readonly skills: SkillShelf; readonly view: () => ConversationView },
): Rules {
  /** By rule: where the conversation stood when it was shown, for reads of the same reply. */
  const shownAt = new Map<string, string>();
  let loaded: Promise<readonly ShelvedSkill[]> | undefined;
  return {
    async newFor(file) {
      loaded ??= shelf.read(dirs);
      if (!isInside(root, file)) return [];
      const path = relative(root, file).split(sep).join("/");
      const { at, holds } = view();
      const isShown = (name: string) => shownAt.get(name) === at || holds(titleOf(name));
      const fitting = (await loaded).filter(
        ({ name, readGlobs }) => readGlobs.some((glob) => fitsGlob(glob, path)) && !isShown(name),
      );
      for (const { name } of fitting) shownAt.set(name, at);
      return Promise.all(fitting.map(async ({ name, read }) => `${titleOf(name)}\n${(await read()).trim()}`));
    },
  };
}

const titleOf = (name: string) => `[rule ${name}]`;

/** `read_file` with the rules of the file it showed after its text. Other tools stay as they are. */
export function withRules(rules: Rules | undefined, served: ServedTool): ServedTool {
  const { tool } = served;
  if (!rules || tool.name !== "read_file") return served;
  return {
    ...served,
    tool: {
      ...tool,
      async run(input, access) {
        const result = await tool.run(input, access);
        const output = typeof result === "string" ? { text: result } : result;
        const [path] = tool.paths?.(input).read ?? [];
        if (path === undefined) return output;
        const added = await rules.newFor(await access.files.realPath(await access.files.resolve(path, access.cwd)));
        return { ...output, text: [output.text.trimEnd(), ...added].join("\n\n") + (added.length > 0 ? "\n" : "") };
      },
    },
  };
}
