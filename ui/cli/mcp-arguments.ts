import { type Command, Option } from "commander";

type Scope = "project" | "user";

/** What `aura mcp` is asked for. */
export type McpAsk =
  | { readonly action: "list"; readonly json: boolean }
  | { readonly action: "check"; readonly json: boolean; readonly strict: boolean }
  | ({
      readonly action: "import";
      readonly from: string;
      readonly file?: string;
      readonly scope: Scope;
    } & HowToWrite)
  | ({
      readonly action: "export";
      readonly target: string;
      readonly scope: Scope;
      readonly allScopes: boolean;
      readonly file?: string;
    } & HowToWrite)
  | ({ readonly action: "sync"; readonly target?: string } & HowToWrite);

interface HowToWrite {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly force: boolean;
}

/** Adds `mcp list`, `check`, `import`, `export` and `sync`. Gives the command, for `serve`. */
export function addMcpCommands(program: Command, chosen: (ask: McpAsk) => void): Command {
  const mcp = program.command("mcp").description("MCP servers: list, check, and exchange them with other tools");
  const json = ["--json", "print JSON"] as const;
  const scope = () => new Option("--scope <scope>", "whose file").choices(["project", "user"]).default("project");
  const writing = (command: Command) =>
    command
      .option("--dry-run", "show what would be written, and write nothing")
      .option("--strict", "fail on warnings")
      .option("--force", "also replace what somebody else wrote or changed")
      .option(...json);
  const how = ({ json = false, dryRun = false, strict = false, force = false }: Partial<HowToWrite>): HowToWrite => ({
    json,
    dryRun,
    strict,
    force,
  });

  mcp
    .command("list")
    .description("print the servers as configured, with their files")
    .option(...json)
    .action(({ json: asJson = false }) => chosen({ action: "list", json: asJson }));
  mcp
    .command("check")
    .description("check every definition and the environment variables it needs")
    .option("--strict", "fail on warnings")
    .option(...json)
    .action(({ json: asJson = false, strict = false }) => chosen({ action: "check", json: asJson, strict }));
  writing(
    mcp
      .command("import")
      .description("copy another tool's servers into .aura/config/mcp")
      .requiredOption(
        "--from <tool>",
        "claude, cursor, codex, opencode, vscode, antigravity, copilot-cli, aether, dotai, a3s",
      )
      .option("--file <file>", "which file; the tool's usual one otherwise")
      .addOption(scope()),
  ).action(({ from, file, scope: whose, ...flags }) =>
    chosen({ action: "import", from, scope: whose, ...(file !== undefined && { file }), ...how(flags) }),
  );
  writing(
    mcp
      .command("export")
      .description("write the servers into another tool's file, beside what is there")
      .requiredOption("--target <tool>", "claude, cursor, codex, opencode, vscode, antigravity or copilot-cli")
      .addOption(scope())
      .option("--all-scopes", "take definitions of every scope, not only of this one")
      .option("--file <file>", "definitions of this dotai or Aether file instead of the configured ones"),
  ).action(({ target, file, scope: whose, allScopes = false, ...flags }) =>
    chosen({
      action: "export",
      target,
      scope: whose,
      allScopes,
      ...(file !== undefined && { file }),
      ...how(flags),
    }),
  );
  writing(
    mcp
      .command("sync")
      .description("do the exports made from here again")
      .option("--target <tool>", "of this tool alone"),
  ).action(({ target, ...flags }) =>
    chosen({ action: "sync", ...(target !== undefined && { target }), ...how(flags) }),
  );
  return mcp;
}
