/** One root flag. Every one also comes from the environment as `AURA_<FLAG>`; the command line wins (aura 17.11). */
export interface RootOption {
  readonly flags: string;
  readonly about: string;
  readonly kind: "text" | "list" | "number" | "switch";
}

/** aura 18. Lists are repeatable; those of names also take commas. */
export const ROOT_OPTIONS = {
  agent: { flags: "--agent <name>", about: "agent to start with", kind: "text" },
  provider: { flags: "--provider <name>", about: "provider to use", kind: "text" },
  model: { flags: "-m, --model <name>", about: "model, or provider/model", kind: "text" },
  mode: { flags: "--mode <name>", about: "mode to start in", kind: "text" },
  system: { flags: "--system <prompt>", about: "system prompt by name", kind: "text" },
  think: { flags: "--think <level>", about: "off, on, low, medium or high", kind: "text" },
  includeTools: { flags: "--include-tools <names>", about: "only these tools (patterns)", kind: "list" },
  excludeTools: { flags: "--exclude-tools <names>", about: "without these tools (patterns)", kind: "list" },
  includeMcps: { flags: "--include-mcps <names>", about: "only these MCP servers (patterns)", kind: "list" },
  excludeMcps: { flags: "--exclude-mcps <names>", about: "without these MCP servers (patterns)", kind: "list" },
  maxSteps: { flags: "--max-steps <n>", about: "steps a turn may take", kind: "number" },
  tokenBudget: { flags: "--token-budget <n>", about: "tokens a session may use", kind: "number" },
  resume: {
    flags: "--resume [session]",
    about: "go on with this session (id prefix or name); without one choose from a list",
    kind: "text",
  },
  continue: { flags: "-c, --continue", about: "go on with the newest session of this folder", kind: "switch" },
  home: { flags: "--home <dir>", about: "global configuration; empty for none", kind: "text" },
  config: { flags: "--config <dir>", about: "project configuration, repeatable", kind: "list" },
  envFile: { flags: "-e, --env-file <file>", about: "file with NAME=value lines", kind: "list" },
  workdir: { flags: "-w, --workdir <dir>", about: "work in this directory", kind: "text" },
  set: { flags: "--set <key=value>", about: "template variable, repeatable", kind: "list" },
  override: { flags: "-O, --override <path=value>", about: "change one setting, repeatable", kind: "list" },
  script: { flags: "--script <file>", about: "play a model script instead of asking a model", kind: "text" },
  agentDir: { flags: "--agent-dir <dir>", about: "also offer the tools of this directory, once trusted", kind: "text" },
  trust: { flags: "--trust", about: "trust this project's .aura, this time", kind: "switch" },
  auto: { flags: "--auto", about: "run on without asking; denied stays denied", kind: "switch" },
  autoApprove: { flags: "--auto-approve", about: "approve what would ask; denied stays denied", kind: "switch" },
  fullscreen: { flags: "--fullscreen", about: "the screen on the whole window, scrolled by Aura", kind: "switch" },
  theme: { flags: "--theme <name>", about: "auto, dark, light or high-contrast", kind: "text" },
  mouse: { flags: "--mouse <on|off>", about: "with --fullscreen: off leaves selecting to the terminal", kind: "text" },
  accessible: {
    flags: "--accessible",
    about: "lines to be read aloud: nothing moves, words for signs",
    kind: "switch",
  },
  simple: {
    flags: "--simple",
    about: "a plain prompt instead of the screen; reads a pipe line by line",
    kind: "switch",
  },
  verbose: { flags: "--verbose", about: "show thinking and what is said between calls", kind: "switch" },
  show: { flags: "-s, --show", about: "print the resolved configuration and where it comes from", kind: "switch" },
  print: { flags: "--print", about: "print a summary of the configuration", kind: "switch" },
  printEnv: { flags: "--print-env", about: "print the flags that were set, as environment lines", kind: "switch" },
  dry: { flags: "--dry <what>", about: "render: print the system prompt; noop: run without a model", kind: "text" },
  debug: { flags: "--debug", about: "write a debug log", kind: "switch" },
  output: { flags: "-o, --output <file>", about: "mirror what is printed to a file", kind: "text" },
} as const satisfies Record<string, RootOption>;

export type RootName = keyof typeof ROOT_OPTIONS;

/** The values of the flags that were given, on the command line or by the environment. */
export type RootValues = {
  -readonly [K in RootName]?: (typeof ROOT_OPTIONS)[K]["kind"] extends "text"
    ? string
    : (typeof ROOT_OPTIONS)[K]["kind"] extends "list"
      ? readonly string[]
      : (typeof ROOT_OPTIONS)[K]["kind"] extends "number"
        ? number
        : boolean;
};

/** `maxSteps` → `AURA_MAX_STEPS`. */
export const environmentName = (name: string) => `AURA_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
