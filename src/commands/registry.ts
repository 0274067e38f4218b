import { nearest } from "../text/nearest.ts";
import { agentCommands } from "./agent-commands.ts";
import { type Command, type CommandResult, UsageError } from "./command.ts";
import { contextCommands } from "./context-commands.ts";
import type { Controls } from "./controls.ts";
import { delegationCommands } from "./delegation-commands.ts";
import { extensionCommands } from "./extension-commands.ts";
import { helpCommand, infoCommands } from "./info-commands.ts";
import { jobCommands } from "./job-commands.ts";
import { sessionCommands } from "./session-commands.ts";
import { settingCommands } from "./setting-commands.ts";
import { splitLine } from "./split-line.ts";
import { toolCommands } from "./tool-commands.ts";
import { undoCommands } from "./undo-commands.ts";

export interface CommandRegistry {
  /** As of now: those that files define come and go. */
  readonly commands: readonly Command[];
  /** One sentence for each command of a file that another one of its name keeps out. */
  readonly clashes: readonly string[];
  find(name: string): Command | undefined;
  /** Runs `/name args`. Never throws: a failure is a failed result with a message. */
  run(line: string, controls: Controls): Promise<CommandResult>;
}

/** @param custom those that files define; a built-in name wins over them, an earlier one over a later. */
export function createCommands(custom: () => readonly Command[] = () => []): CommandRegistry {
  const others = [
    ...agentCommands,
    ...sessionCommands,
    ...undoCommands,
    ...contextCommands,
    ...toolCommands,
    ...jobCommands,
    ...settingCommands,
    ...delegationCommands,
    ...extensionCommands,
    ...infoCommands,
  ];
  const builtIn: readonly Command[] = [helpCommand(() => all().commands), ...others];
  const all = () => {
    const byName = new Map(builtIn.flatMap((command) => namesOf(command).map((name) => [name, command] as const)));
    const commands = [...builtIn];
    const clashes: string[] = [];
    for (const command of custom()) {
      const other = byName.get(command.name);
      if (other) {
        const whose = other.group === "custom" ? "another one of yours has that name" : "that is a built-in command";
        clashes.push(`The command /${command.name} of your files is left out: ${whose}.`);
      } else {
        byName.set(command.name, command);
        commands.push(command);
      }
    }
    return { byName, commands, clashes };
  };
  const find = (name: string) => all().byName.get(name.toLowerCase().replace(/^\//, ""));

  return {
    get commands() {
      return all().commands;
    },
    get clashes() {
      return all().clashes;
    },
    find,
    async run(line, controls) {
      const typed = line.trim().replace(/^\//, "");
      const [word = "", ...args] = splitLine(typed);
      const command = find(word);
      if (!command) {
        // One or two letters are one edit away from too much to guess from.
        const near = word.length > 2 ? nearest(word.toLowerCase(), all().byName.keys()) : undefined;
        return failed(`unknown command: /${word} ${near ? `(did you mean /${near}? try /help)` : "(try /help)"}`);
      }
      try {
        return await command.run(args, controls, typed.replace(/^\S+\s*/, ""));
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
