import type { Command } from "../commands/command.ts";
import { customCommand } from "../commands/custom.ts";
import type { Skill } from "../extensions/skills.ts";
import type { Engine } from "./engine.ts";

/**
 * The commands of files: `config/commands`, the skills a person may start, then the prompts of servers inside this
 * process. Names may clash; the first wins.
 */
export function customCommands(engine: Engine): readonly Command[] {
  const written = [...engine.config.commands.values()].map(({ name, value, body, file }) =>
    customCommand({
      name,
      about: value.description ?? "",
      hints: typeof value.hints === "string" ? value.hints : (value.hints ?? []).join(" "),
      // A file that came with a clone runs nothing by being called.
      text: () => (mayRun(engine, body, file) ? body : withoutDirectives(body)),
    }),
  );
  const skills = engine.skills.all
    .filter(({ userInvocable }) => userInvocable)
    .map((skill) =>
      customCommand({
        name: skill.name,
        about: skill.description,
        ...(skill.argumentHint !== undefined && { hints: skill.argumentHint }),
        text: () => skillPrompt(engine, skill),
      }),
    );
  const own = [...written, ...skills];
  const ofServers = (engine.mcp?.prompts ?? [])
    .filter((prompt) => !own.some(({ name }) => name === prompt.name.toLowerCase()))
    .map((prompt) =>
      customCommand({
        name: prompt.name,
        about: prompt.description,
        ...(prompt.argumentHint !== undefined && { hints: prompt.argumentHint }),
        text: async () => withoutDirectives(await prompt.render("$ARGUMENTS")).trim(),
      }),
    );
  return [...own, ...ofServers];
}

async function skillPrompt(engine: Engine, skill: Skill): Promise<string> {
  const [{ replaceCommands, UNTRUSTED_COMMAND }, { runForPerson }] = await Promise.all([
    import("../tools/skill-commands.ts"),
    import("./run-for-person.ts"),
  ]);
  const text = withoutDirectives(await engine.skills.read(skill.name));
  const filled = await replaceCommands(text, async (command) =>
    skill.mayRun ? withoutDirectives(await runForPerson(engine, command)) : UNTRUSTED_COMMAND,
  );
  return filled.trim();
}

/** Directives are for what a person writes; in a file's text, or in what a command printed, they are words. */
const withoutDirectives = (text: string) => text.replace(/@(Image|Bash|File|Path)\[/g, "@$1 [");

const mayRun = ({ trusted }: Engine, text: string, file: string | undefined) =>
  trusted.entries.runs({ kind: "command", text, ...(file !== undefined && { file }) });
