import type { ToolStatus } from "../toolkit/tool-set.ts";
import { type Command, UsageError } from "./command.ts";
import type { PolicyControls } from "./controls.ts";
import { parseSwitch } from "./parse-switch.ts";

export const toolCommands: readonly Command[] = [
  {
    name: "tools",
    group: "tools",
    about: "List the tools; `debug` says why each is in or out",
    hints: "[debug]",
    run([what], { tools }) {
      if (what !== undefined && what !== "debug") throw new UsageError();
      return { text: what === "debug" ? debugTools(tools.statuses) : listTools(tools.statuses), data: tools.statuses };
    },
  },
  {
    name: "policy",
    group: "tools",
    about: "Show what runs, what asks and what is refused",
    run: (_args, { policy }) => ({ text: policy.describe() }),
  },
  {
    name: "sandbox",
    aliases: ["landlock"],
    group: "tools",
    about: "Show whether commands are confined",
    run: () => ({
      text: "There is no sandbox in this version: an approved command can do what you can.",
      failed: true,
    }),
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

function parseOperation(text: string): "write" | "delete" | "all" {
  const word = text.toLowerCase();
  if (word === "write" || word === "delete" || word === "all") return word;
  throw new Error(`unknown operation "${text}": use write, delete, or all`);
}

function stateOf({ readBefore }: PolicyControls): string {
  return `Read-before: write=${readBefore.write ? "on" : "off"}, delete=${readBefore.delete ? "on" : "off"}`;
}

function listTools(statuses: readonly ToolStatus[]): string {
  const included = statuses.filter((status) => status.inclusion.included);
  if (included.length === 0) return "No tools enabled";
  return ["Enabled tools:", ...included.map((status) => `- ${status.name}`)].join("\n");
}

function debugTools(statuses: readonly ToolStatus[]): string {
  const included = statuses.filter((status) => status.inclusion.included);
  const excluded = statuses.flatMap(({ name, source, inclusion }) =>
    inclusion.included ? [] : [`  ${name} (${source}) — ${inclusion.reason}`],
  );
  const lines = [
    `Included (${included.length}):`,
    ...included.map(({ name, source }) => `  ${name} (${source}) — eager`),
  ];
  if (excluded.length > 0) lines.push("", `Excluded (${excluded.length}):`, ...excluded);
  return lines.join("\n");
}
