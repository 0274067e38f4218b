import type { Command } from "./command.ts";
import type { Controls } from "./controls.ts";

const GROUPS = {
  agent: "Agent",
  session: "Session",
  context: "Context",
  tools: "Tools",
  settings: "Settings",
  info: "Information",
  custom: "Yours",
};

export const infoCommands: readonly Command[] = [
  {
    name: "info",
    group: "info",
    about: "Show what this conversation runs with",
    run: (_args, { settings }) => ({ text: settings.overview() }),
  },
  {
    name: "stats",
    group: "info",
    about: "Show turns, calls, tokens and cost of this session",
    run(_args, { session }) {
      const stats = session.stats();
      return { text: wordStats(stats), data: stats };
    },
  },
];

/** Needs the list it is itself part of, hence the function. */
export function helpCommand(all: () => readonly Command[]): Command {
  return {
    name: "help",
    group: "info",
    about: "List the commands, or explain one; keys: what the keys do",
    hints: "[command|keys]",
    run([name]) {
      if (name === undefined) return { text: helpText(all()) };
      const wanted = name.replace(/^\//, "").toLowerCase();
      const command = all().find((known) => known.name === wanted || known.aliases?.includes(wanted));
      // The full screen answers this itself: only it has keys.
      if (command === undefined && wanted === "keys") return { text: "This front end has no keys of its own." };
      return command ? { text: explain(command) } : { text: `no command /${wanted} (try /help)`, failed: true };
    },
  };
}

function helpText(commands: readonly Command[]): string {
  const blocks = Object.entries(GROUPS).flatMap(([group, title]) => {
    const lines = commands
      .filter((command) => command.group === group)
      .map((command) => `  ${signature(command).padEnd(44)} ${command.about}`);
    return lines.length === 0 ? [] : [[`${title}:`, ...lines].join("\n")];
  });
  return blocks.join("\n\n");
}

function explain(command: Command): string {
  const lines = [`${GROUPS[command.group]}: ${command.about}`, `usage: ${signature(command)}`];
  if (command.aliases?.length) lines.push(`aliases: ${command.aliases.map((alias) => `/${alias}`).join(", ")}`);
  return lines.join("\n");
}

const signature = (command: Command) => `/${command.name}${command.hints ? ` ${command.hints}` : ""}`;

function wordStats(stats: ReturnType<Controls["session"]["stats"]>): string {
  const { tools, tokens } = stats;
  const byTool = Object.entries(tools.freq)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([tool, count]) => `${tool} x${count}`);
  return [
    `Started:     ${stats.startedAt}`,
    `Turns:       ${stats.turns}`,
    `Requests:    ${stats.iterations}`,
    `Compactions: ${stats.compactions}`,
    `Tool calls:  ${tools.calls} (${tools.errors} failed)${byTool.length > 0 ? `: ${byTool.join(", ")}` : ""}`,
    `Tokens:      ${tokens.input} in, ${tokens.output} out`,
    ...(stats.cost === undefined ? [] : [`Cost:        $${stats.cost.toFixed(4)}`]),
  ].join("\n");
}
