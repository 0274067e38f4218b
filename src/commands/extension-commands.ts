import { type Command, UsageError } from "./command.ts";
import type { McpServerLine } from "./controls.ts";

export const extensionCommands: readonly Command[] = [
  {
    name: "mcp",
    group: "tools",
    about: "List the MCP servers, connect one anew, or sign in at one",
    hints: "[reconnect [server] | auth <server> [device]]",
    async run([what, name, how, ...more], { mcp }) {
      if (what === undefined) {
        const servers = await mcp.list();
        return { text: listServers(servers), data: servers };
      }
      if (what === "reconnect" && how === undefined) return { text: await mcp.reconnect(name) };
      if (what !== "auth" || name === undefined || more.length > 0 || (how !== undefined && how !== "device"))
        throw new UsageError();
      return { text: await mcp.auth(name, how ?? "auto") };
    },
  },
];

const SIGNS: Readonly<Record<McpServerLine["state"], string>> = {
  connected: "+",
  idle: "-",
  connecting: "~",
  crashed: "!",
  "needs-auth": "!",
  failed: "x",
  disabled: " ",
};

function listServers(servers: readonly McpServerLine[]): string {
  if (servers.length === 0) return "No MCP servers are configured. They are defined in config/mcp/*.yaml of a home.";
  const lines = servers.map(({ name, state, words, cost, file }) => {
    const tokens = cost && ` — about ${cost.tokens} tokens, ${cost.visibility}`;
    // What a server said before it failed is indented below it.
    const [first = "", ...rest] = words.split("\n");
    const place = state === "failed" && file !== undefined && !words.includes(file) ? [`(${file})`] : [];
    return [
      `${SIGNS[state]} ${name}: ${first}${tokens ?? ""}`,
      ...[...rest, ...place].map((line) => `    ${line}`),
    ].join("\n");
  });
  return lines.join("\n");
}
