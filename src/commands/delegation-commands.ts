import type { Command } from "./command.ts";
import type { ChildSummary } from "./controls.ts";
import { optionalSwitch } from "./parse-switch.ts";

export const delegationCommands: readonly Command[] = [
  {
    name: "task",
    group: "session",
    about: "List the agents that were set to work, or show what one said and did",
    hints: "[n|id]",
    run([wanted], { delegation }) {
      const { children } = delegation;
      if (wanted === undefined) return { text: listChildren(children), data: children };
      const at = /^\d+$/.test(wanted) ? Number(wanted) - 1 : children.findIndex(({ id }) => id === wanted);
      const child = children[at];
      if (!child)
        throw new Error(`there is no task ${wanted}: ${children.length === 0 ? "there are none" : "/task lists them"}`);
      return { text: delegation.transcript(child.id), data: child };
    },
  },
  {
    name: "skills",
    group: "tools",
    about: "List the skills",
    run(_args, { delegation: { skills } }) {
      const lines = skills.map(({ name, description, from }) => `- ${name}: ${description} (${from})`);
      return { text: lines.length === 0 ? "No skills" : ["Skills:", ...lines].join("\n"), data: skills };
    },
  },
  {
    name: "done",
    group: "settings",
    about: "Show or set whether the model ends its turn with the Done tool",
    hints: "[on|off]",
    run(args, { delegation }) {
      const on = optionalSwitch(args);
      if (on !== undefined) delegation.setDone(on);
      return { text: `Done: ${delegation.done ? "enabled" : "disabled"}` };
    },
  },
];

function listChildren(children: readonly ChildSummary[]): string {
  if (children.length === 0) return "No tasks";
  return [
    "Tasks:",
    ...children.map(({ name, description, status, calls, error }, at) => {
      const words = [status, `${calls} calls`, ...(error === undefined ? [] : [error])].join(", ");
      return `  ${at + 1}. ${name}${description ? `: ${description}` : ""} (${words})`;
    }),
  ].join("\n");
}
