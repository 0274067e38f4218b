import { Command, CommanderError, Option } from "commander";
import { addMcpCommands, type McpAsk } from "./mcp-arguments.ts";
import { addMcpServe, type McpServe } from "./mcp-serve.ts";
import { environmentName, ROOT_OPTIONS, type RootValues } from "./root-options.ts";
import { rootValues } from "./root-values.ts";

export interface RunFlags {
  readonly outputFormat: "text" | "json" | "stream-json";
  readonly approve: "all" | "none" | "rules";
  /** The first request waits for the MCP servers. */
  readonly withMcp?: boolean;
  /** As written: `90s`, `5m`, or seconds. */
  readonly timeout?: string;
}

export interface ServeFlags {
  /** Run every enabled schedule once, now, and end. */
  readonly once: boolean;
  /** Run these once, now, and end. */
  readonly now: readonly string[];
  readonly approve: RunFlags["approve"];
}

/** How tools are looked at; agent and mode are root flags. */
interface ToolFlags {
  readonly task?: string;
  readonly withMcp?: boolean;
}

/** What the command line asks for. */
export type Invocation =
  | { readonly command: "chat" }
  | { readonly command: "run"; readonly prompts: readonly string[]; readonly flags: RunFlags }
  | { readonly command: "demo" }
  | ({ readonly command: "tools"; readonly args: readonly string[]; readonly json: boolean } & ToolFlags)
  | {
      readonly command: "models";
      readonly json: boolean;
      readonly filter?: string;
      readonly sortBy: "name" | "context";
    }
  | { readonly command: "tokens"; readonly texts: readonly string[]; readonly method?: string; readonly json: boolean }
  | {
      readonly command: "policy-test";
      readonly args: readonly string[];
      readonly json: boolean;
      readonly stdin: boolean;
    }
  | {
      readonly command: "show";
      readonly args: readonly string[];
      readonly json: boolean;
      readonly filters: readonly string[];
    }
  | { readonly command: "mcp"; readonly ask: McpAsk }
  | McpServe
  | { readonly command: "sessions"; readonly json: boolean; readonly all: boolean }
  | { readonly command: "agentdir-check"; readonly dir: string; readonly json: boolean }
  | ({ readonly command: "serve"; readonly dir: string } & ServeFlags)
  | { readonly command: "trust"; readonly what: "accept" | "list" | "revoke"; readonly dir?: string }
  | { readonly command: "init"; readonly dir: string; readonly json: boolean };

export type Arguments =
  | { readonly kind: "go"; readonly root: RootValues; readonly invocation: Invocation }
  /** Help, or a mistake: `text` is to be printed as it is. */
  | { readonly kind: "stop"; readonly exitCode: number; readonly text: string };

/** Reads flags and environment. The command line wins over `AURA_*` variables. */
export function readArguments(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Arguments {
  let text = "";
  const found: { invocation: Invocation } = { invocation: { command: "chat" } };
  const program = createProgram((invocation) => {
    found.invocation = invocation;
  });
  const collect = (part: string) => {
    text += part;
  };
  for (const command of [program, ...program.commands, ...program.commands.flatMap((child) => child.commands)])
    command.exitOverride().configureOutput({ writeOut: collect, writeErr: collect });
  try {
    program.parse(withRunAlias(argv, program), { from: "user" });
    return { kind: "go", root: rootValues(program.opts(), env), invocation: found.invocation };
  } catch (error) {
    if (error instanceof CommanderError)
      return { kind: "stop", exitCode: error.exitCode === 0 ? 0 : 2, text: text || `${error.message}\n` };
    return { kind: "stop", exitCode: 2, text: `aura: ${error instanceof Error ? error.message : String(error)}\n` };
  }
}

function createProgram(chosen: (invocation: Invocation) => void): Command {
  const program = new Command("aura")
    .description("A terminal coding assistant. Without a command it opens the conversation screen.")
    .version(AURA_VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError("(try: aura --help)")
    .argument("[unknown...]")
    .action((unknown: string[]) => {
      if (unknown.length > 0) program.error(`error: unknown command "${unknown[0]}"`);
      chosen({ command: "chat" });
    });
  for (const [name, { flags, about, kind }] of Object.entries(ROOT_OPTIONS)) {
    const option = new Option(flags, `${about} [${environmentName(name)}]`);
    if (kind === "list") option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    program.addOption(option);
  }

  program
    .command("run [prompts...]")
    .description("answer prompts without a screen; standard input is the prompt, or added to it (also: aura -p)")
    .addOption(
      new Option("--output-format <format>", "what goes to standard output")
        .choices(["text", "json", "stream-json"])
        .default("text"),
    )
    .addOption(
      new Option("--approve <which>", "calls that would ask a person: all run, none runs, or as saved rules say")
        .choices(["all", "none", "rules"])
        .default("all"),
    )
    .option("--timeout <duration>", "stop after this long (90s, 5m)")
    .option("--with-mcp", "wait until the MCP servers have answered or failed, then ask")
    .action((prompts: string[], flags: RunFlags) => chosen({ command: "run", prompts, flags }));
  program
    .command("demo")
    .description("watch a scripted model work in a scratch project; needs no key")
    .action(() => chosen({ command: "demo" }));
  program
    .command("tools [name] [args...]")
    .description(
      'list the tools, explain one, or run one (JSON or key=value arguments); "tools debug [tool]" says why each is in or out',
    )
    .option("--json", "print JSON")
    .option("--task <name>", "as this task has them")
    .option("--with-mcp", "wait until the MCP servers have answered or failed")
    .action((name: string | undefined, args: string[], { json = false, ...flags }: ToolFlags & { json?: boolean }) =>
      chosen({ command: "tools", args: name === undefined ? [] : [name, ...args], json, ...flags }),
    );
  program
    .command("models")
    .description("list the models of the configured providers")
    .option("--json", "print JSON")
    .option("--filter <text>", "only names with this text")
    .addOption(new Option("--sort-by <key>", "order").choices(["name", "context"]).default("name"))
    .action(({ json = false, filter, sortBy }) =>
      chosen({ command: "models", json, sortBy, ...(filter !== undefined && { filter }) }),
    );
  program
    .command("tokens [texts...]")
    .description("estimate the tokens of texts, or of standard input")
    .option("--method <method>", "rough, tiktoken, rough+tiktoken or native")
    .option("--json", "print JSON")
    .action((texts: string[], { json = false, method }) =>
      chosen({ command: "tokens", texts, json, ...(method !== undefined && { method }) }),
    );
  program
    .command("policy")
    .description("explain what the approval policy decides")
    .command("test [tool] [input]")
    .description('print the verdict on one call: aura policy test Bash \'{"command":"git push"}\'')
    .option("--json", "print JSON")
    .option("--stdin", "read one {tool, args} object a line and answer each with one line")
    .action((tool: string | undefined, input: string | undefined, { json = false, stdin = false }) =>
      chosen({ command: "policy-test", args: [tool, input].filter((arg) => arg !== undefined), json, stdin }),
    );
  program
    .command("show [entity] [name]")
    .description("print agents, modes, prompts, providers, features, tools or rules as resolved, with their files")
    .option("--json", "print JSON")
    .option(
      "--filter <key=value>",
      "only entries with this value",
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .action((entity: string | undefined, name: string | undefined, { json = false, filter = [] }) =>
      chosen({ command: "show", args: [entity, name].filter((arg) => arg !== undefined), json, filters: filter }),
    );
  addMcpServe(
    addMcpCommands(program, (ask) => chosen({ command: "mcp", ask })),
    chosen,
  );
  program
    .command("sessions")
    .description("list saved sessions of this folder")
    .option("--all", "of every folder")
    .option("--json", "print JSON")
    .action(({ json = false, all = false }) => chosen({ command: "sessions", json, all }));
  program
    .command("agentdir")
    .description("look at a directory that is an agent: instructions, tools, skills and schedules")
    .command("check <dir>")
    .description("load it without running anything; exit code 1 when it would not load")
    .option("--json", "print JSON")
    .action((dir: string, { json = false }) => chosen({ command: "agentdir-check", dir, json }));
  program
    .command("serve <dir>")
    .description("run the schedules of a directory that is an agent, until stopped; scripts belong to --workdir")
    .option("--once", "run every enabled schedule once, now, and end")
    .option(
      "--now <name>",
      "run this schedule once, now, and end; repeatable",
      (name: string, before: string[]) => [...before, name],
      [],
    )
    .addOption(
      new Option("--approve <which>", "calls that would ask a person: all run, none runs, or as saved rules say")
        .choices(["all", "none", "rules"])
        .default("rules"),
    )
    .action((dir: string, { once = false, now = [], approve }) =>
      chosen({ command: "serve", dir, once, now, approve }),
    );
  program
    .command("trust [dir]")
    .description("show what a project would run, and let its own .aura have its full effect (default: .aura)")
    .option("--list", "list what is trusted")
    .option("--revoke", "take the trust back: of this folder and all in it (default: this project)")
    .action((dir: string | undefined, { list = false, revoke = false }) =>
      chosen({
        command: "trust",
        what: revoke ? "revoke" : list ? "list" : "accept",
        ...(dir !== undefined && { dir }),
      }),
    );
  program
    .command("init")
    .description("write a commented sample configuration")
    .option("--dir <dir>", "where", ".aura")
    .option("--json", "print JSON")
    .action(({ dir, json = false }) => chosen({ command: "init", dir, json }));
  return program;
}

/**
 * `-p` reads like `run`: `aura -p "hello"`, `aura --model x -p "hello"`. Beside `run` it says nothing new; beside
 * another command it is an unknown option like any other.
 */
function withRunAlias(argv: readonly string[], program: Command): string[] {
  const end = argv.indexOf("--");
  const at = argv.indexOf("-p");
  if (at < 0 || (end >= 0 && end < at)) return [...argv];
  const takeValue = program.options.filter((option) => option.required || option.optional);
  const isValue = (index: number) =>
    index > 0 && takeValue.some(({ short, long }) => [short, long].includes(argv[index - 1]));
  const names = new Set(program.commands.map((command) => command.name()));
  const command = argv.slice(0, at).find((word, index) => names.has(word) && !isValue(index));
  if (command !== undefined && command !== "run") return [...argv];
  const before = argv.slice(0, at);
  const last = before.at(-1) ?? "";
  // Or it would take `run` for its value.
  if (program.options.some(({ optional, long }) => optional && long === last)) before.splice(-1, 1, `${last}=`);
  return [...before, ...(command === undefined ? ["run"] : []), ...argv.slice(at + 1)];
}
