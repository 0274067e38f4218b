import type { Command } from "commander";

/** `aura mcp serve NAME [args]`: one of our servers for another client. */
export interface McpServe {
  readonly command: "mcp-serve";
  readonly server: string;
  readonly args: readonly string[];
}

/** Adds `serve` to `aura mcp`. What follows the name is the server's, options too. */
export function addMcpServe(mcp: Command, chosen: (serve: McpServe) => void): void {
  mcp
    .command("serve <server> [args...]")
    .description(
      "offer a built-in server over standard input and output: coding, lsp, skills, tasks, survey, plan, subagents",
    )
    .allowUnknownOption()
    .action((server: string, args: string[]) => chosen({ command: "mcp-serve", server, args }));
}
