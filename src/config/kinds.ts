/** Where the files of each kind live and what form they have; no schema here, so that looking costs nothing. */
export interface KindPlace {
  readonly name: KindName;
  /** Below a home. */
  readonly folder: string;
  /**
   * `markdown`: one entity a file, YAML head and body. `map`: entities by name. `features`: sections merged field by
   * field. `rules`: approval patterns. `plugin`: one `plugin.yaml` a folder. `aether`: its settings, with agents.
   */
  readonly form: "markdown" | "map" | "features" | "rules" | "plugin" | "aether";
  /** Read and checked, but nothing acts on it yet. */
  readonly dormant?: boolean;
}

export type KindName =
  | "agents"
  | "commands"
  | "features"
  | "hooks"
  | "lsp"
  | "mcp"
  | "modes"
  | "plugins"
  | "prompts"
  | "providers"
  | "rules"
  | "sandbox"
  | "skills"
  | "tasks"
  | "tools";

/** In the order they are applied within one home: sandbox before features. */
export const KINDS: readonly KindPlace[] = [
  { name: "providers", folder: "config/providers", form: "map" },
  { name: "prompts", folder: "config/prompts", form: "markdown" },
  { name: "modes", folder: "config/modes", form: "markdown" },
  { name: "agents", folder: "config/agents", form: "markdown" },
  { name: "sandbox", folder: "config/sandbox", form: "features" },
  { name: "features", folder: "config/features", form: "features" },
  { name: "tools", folder: "config/tools", form: "map" },
  { name: "rules", folder: "config/rules", form: "rules" },
  { name: "mcp", folder: "config/mcp", form: "map" },
  { name: "commands", folder: "config/commands", form: "markdown" },
  { name: "hooks", folder: "config/hooks", form: "map", dormant: true },
  { name: "lsp", folder: "config/lsp", form: "map", dormant: true },
  { name: "tasks", folder: "config/tasks", form: "map", dormant: true },
  { name: "skills", folder: "skills", form: "markdown" },
  { name: "plugins", folder: "plugins", form: "plugin", dormant: true },
];

/** Fields of kinds that otherwise work, which nothing acts on yet. Dotted paths. */
export const DORMANT_FIELDS: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  agents: ["thinking", "hooks"],
  modes: ["hooks"],
  providers: ["capabilities"],
};

/** Fields of feature sections that otherwise work, which nothing acts on yet. */
export const DORMANT_SETTINGS: readonly string[] = ["tools.webfetch_max_body_size"];

/** Feature sections nothing acts on yet. */
export const DORMANT_FEATURES: readonly string[] = [
  "embeddings",
  "guardrail",
  "plugins",
  "snapshot",
  "stt",
  "thinking",
  "tts",
  "vision",
];
