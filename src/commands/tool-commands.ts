import type { ToolStatus } from "../toolkit/tool-set.ts";
import { type Command, type CommandResult, UsageError } from "./command.ts";
import type { PolicyControls } from "./controls.ts";
import { optionalSwitch, parseSwitch } from "./parse-switch.ts";
import { debugTools, listTools, noSuchTool, toolsNamed, whyTools } from "./tool-words.ts";

export const toolCommands: readonly Command[] = [
  {
    name: "tools",
    group: "tools",
    about: "List the tools; `debug` says why each is in or out",
    hints: "[debug [tool]]",
    async run([what, wanted], { tools }) {
      if (what !== undefined && what !== "debug") throw new UsageError();
      const statuses = await tools.decided();
      if (wanted !== undefined) return why(wanted, statuses);
      return { text: what === "debug" ? debugTools(statuses) : listTools(statuses), data: statuses };
    },
  },
  {
    name: "why",
    group: "tools",
    about: "Say why a tool is there or is not, stage by stage",
    hints: "<tool>",
    async run([wanted], { tools }) {
      if (wanted === undefined) throw new UsageError();
      return why(wanted, await tools.decided());
    },
  },
  {
    name: "policy",
    group: "tools",
    about: "Show what runs, what asks and what is refused; with a command, what would happen to it",
    hints: "[command]",
    run: async (_args, { policy }, rest) => ({
      text: rest.trim() === "" ? policy.describe() : await policy.explainCommand(rest.trim()),
    }),
  },
  {
    name: "sandbox",
    aliases: ["landlock"],
    group: "tools",
    about: "Show or set whether calls are confined, to what and by what",
    hints: "[on|off]",
    async run(args, { policy }) {
      const on = optionalSwitch(args);
      if (on !== undefined) policy.sandbox.set(on);
      return { text: await policy.sandbox.describe() };
    },
  },
  {
    name: "dry",
    group: "tools",
    about: "Run a command on a copy of this folder and show what it would change",
    hints: "<command>",
    async run(_args, { policy }, rest) {
      if (rest.trim() === "") throw new UsageError();
      const { preview, text } = await policy.dry(rest.trim());
      return { text, data: preview };
    },
  },
  {
    name: "readbefore",
    aliases: ["rb"],
    group: "tools",
    about: "Show or set whether files must be read before they are changed",
    hints: "[write|delete|all] [on|off]",
    run(args, { policy }) {
      if (args.length === 0) return { text: stateOf(policy) };
      const [what, value] = args;
      if (what === undefined || value === undefined || args.length !== 2) throw new UsageError();
      const on = parseSwitch(value);
      policy.setReadBefore(parseOperation(what), on);
      return { text: stateOf(policy) };
    },
  },
  {
    name: "todo",
    group: "tools",
    about: "Show or edit the todo list",
    hints: "[edit]",
    async run([what], { tools, edit }) {
      if (what === undefined) return { text: tools.todos };
      if (what !== "edit") throw new UsageError();
      const edited = await edit("Todo list", tools.todos);
      if (edited === null) return { text: "Todo list unchanged." };
      tools.replaceTodos(edited);
      return { text: "Todo list updated." };
    },
  },
];

function why(wanted: string, statuses: readonly ToolStatus[]): CommandResult {
  const text = whyTools(wanted, statuses);
  if (text === undefined) throw new Error(noSuchTool(wanted, statuses));
  return { text, data: toolsNamed(wanted, statuses) };
}

function parseOperation(text: string): "write" | "delete" | "all" {
  const word = text.toLowerCase();
  if (word === "write" || word === "delete" || word === "all") return word;
  throw new Error(`unknown operation "${text}": use write, delete, or all`);
}

function stateOf({ readBefore }: PolicyControls): string {
  return `Read-before: write=${readBefore.write ? "on" : "off"}, delete=${readBefore.delete ? "on" : "off"}`;
}
