import { nearest } from "../text/nearest.ts";
import { agentCommands } from "./agent-commands.ts";
import { type Command, type CommandResult, UsageError } from "./command.ts";
import { contextCommands } from "./context-commands.ts";
import type { Controls } from "./controls.ts";
import { helpCommand, infoCommands } from "./info-commands.ts";
import { sessionCommands } from "./session-commands.ts";
import { settingCommands } from "./setting-commands.ts";
import { splitLine } from "./split-line.ts";
import { toolCommands } from "./tool-commands.ts";

export interface CommandRegistry {
  readonly commands: readonly Command[];
  find(name: string): Command | undefined;
  /** Runs `/name args`. Never throws: a failure is a failed result with a message. */
  run(line: string, controls: Controls): Promise<CommandResult>;
}

export function createCommands(): CommandRegistry {
  const others = [
    ...agentCommands,
    ...sessionCommands,
    ...contextCommands,
    ...toolCommands,
    ...settingCommands,
    ...infoCommands,
  ];
  const commands: readonly Command[] = [helpCommand(() => commands), ...others];
  const byName = new Map(commands.flatMap((command) => namesOf(command).map((name) => [name, command] as const)));
  const find = (name: string) => byName.get(name.toLowerCase().replace(/^\//, ""));

  return {
    commands,
    find,
    async run(line, controls) {
      const [word = "", ...args] = splitLine(line.trim().replace(/^\//, ""));
      const command = find(word);
      if (!command) {
        // One or two letters are one edit away from too much to guess from.
        const near = word.length > 2 ? nearest(word.toLowerCase(), byName.keys()) : undefined;
        return failed(`unknown command: /${word} ${near ? `(did you mean /${near}? try /help)` : "(try /help)"}`);
      }
      try {
        return await command.run(args, controls);
      } catch (error) {
        if (error instanceof UsageError) return failed(usageOf(command, error.message));
        return failed(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

const namesOf = (command: Command) => [command.name, ...(command.aliases ?? [])];
const failed = (text: string): CommandResult => ({ text, failed: true });

function usageOf(command: Command, detail: string): string {
  const usage = `usage: /${command.name}${command.hints ? ` ${command.hints}` : ""}`;
  return detail ? `${detail}\n${usage}` : usage;
}
