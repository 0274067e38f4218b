/**
 * The features of aura 17.6, named as in the files, so that a file, an `--override` path, `aura show` and the code all
 * say the same word. Durations are milliseconds here.
 */
export interface Features {
  readonly compaction: {
    /** Percent of the context window. */
    readonly threshold: number;
    /** Tokens; 0 = use `threshold`. */
    readonly max_tokens: number;
    readonly trim_threshold: number;
    readonly trim_max_tokens: number;
    readonly keep_last_messages: number;
    readonly agent: string;
    readonly prompt: string;
    /** Characters. */
    readonly tool_result_max_length: number;
    readonly truncation_retries: readonly number[];
    readonly chunks: number;
    readonly prune: {
      readonly mode: "off" | "iteration" | "compaction";
      readonly protect_percent: number;
      /** Tokens. */
      readonly arg_threshold: number;
    };
  };
  readonly title: {
    readonly disabled: boolean;
    readonly agent: string;
    readonly prompt: string;
    readonly max_length: number;
  };
  readonly thinking: {
    readonly agent: string;
    readonly prompt: string;
    readonly keep_last: number;
    readonly token_threshold: number;
  };
  readonly vision: { readonly agent: string; readonly dimension: number; readonly quality: number };
  readonly embeddings: {
    readonly agent: string;
    readonly max_results: number;
    readonly gitignore: string;
    readonly offload: boolean;
    readonly chunking: {
      readonly strategy: "auto" | "ast" | "line";
      readonly max_tokens: number;
      readonly overlap_tokens: number;
    };
    readonly reranking: { readonly agent: string; readonly multiplier: number; readonly offload: boolean };
  };
  readonly tools: {
    readonly mode: "percentage" | "tokens";
    readonly result: { readonly max_tokens: number; readonly max_percentage: number };
    readonly read_small_file_tokens: number;
    readonly max_steps: number;
    /** Tokens of a session; 0 = no budget. */
    readonly token_budget: number;
    /** Two `%d`: the estimate and the limit; empty = our own words. */
    readonly rejection_message: string;
    readonly bash: {
      readonly truncation: {
        /** Per stream; 0 = no cap. */
        readonly max_output_bytes: number;
        readonly max_lines: number;
        readonly head_lines: number;
        readonly tail_lines: number;
      };
      /** Go template over `.Command`; empty = none. */
      readonly rewrite: string;
      /** Ours: `virtual` reads the project, writes to memory only, and starts no program. */
      readonly engine: "host" | "virtual";
      /** Ours: the default time limit of a command. */
      readonly timeout: number;
    };
    /** 0 = no check. */
    readonly user_input_max_percentage: number;
    readonly read_before: { readonly write: boolean; readonly delete: boolean };
    readonly enabled: readonly string[];
    readonly disabled: readonly string[];
    readonly opt_in: readonly string[];
    readonly deferred: readonly string[];
    /** Bytes. */
    readonly webfetch_max_body_size: number;
    readonly parallel: boolean;
    /** Ours: the tools a home's `tools/*.md` declare are offered, once a person trusted what is in them. */
    readonly scripts: boolean;
    readonly policy: {
      readonly auto: readonly string[];
      readonly confirm: readonly string[];
      readonly deny: readonly string[];
    };
  };
  readonly stt: { readonly agent: string; readonly language: string };
  readonly tts: { readonly agent: string; readonly voice: string; readonly format: string; readonly speed: number };
  /** What is in force is `restrictions` and `extra` together. */
  readonly sandbox: {
    readonly enabled: boolean;
    readonly restrictions: { readonly ro: readonly string[]; readonly rw: readonly string[] };
    readonly extra: { readonly ro: readonly string[]; readonly rw: readonly string[] };
    /** Ours. */
    readonly network: "inherit" | "none";
  };
  /** Ours. */
  readonly policy: {
    /** Whether a command that needs a yes is tried on a copy first: `always` has no limit of time. */
    readonly preview: "auto" | "always" | "off";
  };
  readonly subagent: { readonly max_steps: number; readonly default_agent: string };
  readonly mcp: {
    /** Names of servers, or patterns; empty = all. */
    readonly enabled: readonly string[];
    readonly disabled: readonly string[];
    /** Tokens of schemas, also held to a tenth of the window; servers beyond it are deferred. 0 = no limit. */
    readonly token_budget: number;
    /** Milliseconds the first request of a session waits for servers that never ran before. */
    readonly grace: number;
  };
  readonly plugins: {
    readonly dir: string;
    readonly unsafe: boolean;
    readonly include: readonly string[];
    readonly exclude: readonly string[];
    readonly config: {
      readonly global: Readonly<Record<string, unknown>>;
      readonly local: Readonly<Record<string, unknown>>;
    };
  };
  readonly estimation: {
    /** `rough` by default: loading a tokenizer costs every start more than the rest of it together. */
    readonly method: "rough" | "tiktoken" | "rough+tiktoken" | "native";
    /** Bytes per token. */
    readonly divisor: number;
    readonly encoding: string;
  };
  readonly guardrail: {
    readonly mode: "" | "block" | "log";
    /** "" = as `mode`: block when it blocks, else allow. */
    readonly on_error: "" | "block" | "allow";
    readonly timeout: number;
    readonly scope: {
      readonly tool_calls: { readonly agent: string; readonly prompt: string };
      readonly user_messages: { readonly agent: string; readonly prompt: string };
    };
    readonly tools: { readonly enabled: readonly string[]; readonly disabled: readonly string[] };
  };
  readonly snapshot: { readonly disabled: boolean };
  /** Ours: how a screen starts. Flags and the environment win. */
  readonly ui: {
    readonly fullscreen: boolean;
    /** In fullscreen: whether the wheel is ours. */
    readonly mouse: boolean;
    readonly theme: "auto" | "dark" | "light" | "high-contrast";
    /** The window's title, its progress, and notifications. */
    readonly notify: boolean;
    /** A command whose first line of output replaces the status line; empty = none. */
    readonly statusline: string;
  };
}

/** What one file, agent, mode, task or flag says of the features: any part of them. */
export type FeaturesPatch = Patch<Features>;
type Patch<T> = T extends readonly unknown[] | string | number | boolean
  ? T
  : string extends keyof T
    ? T
    : { readonly [K in keyof T]?: Patch<T[K]> | undefined };

export const DEFAULT_FEATURES: Features = {
  compaction: {
    threshold: 80,
    max_tokens: 0,
    trim_threshold: 50,
    trim_max_tokens: 0,
    keep_last_messages: 10,
    agent: "",
    prompt: "",
    tool_result_max_length: 200,
    truncation_retries: [150, 100, 50, 0],
    chunks: 1,
    prune: { mode: "off", protect_percent: 30, arg_threshold: 200 },
  },
  title: { disabled: false, agent: "", prompt: "", max_length: 50 },
  thinking: { agent: "", prompt: "", keep_last: 5, token_threshold: 300 },
  vision: { agent: "", dimension: 1024, quality: 75 },
  embeddings: {
    agent: "",
    max_results: 5,
    gitignore: "",
    offload: false,
    chunking: { strategy: "auto", max_tokens: 500, overlap_tokens: 75 },
    reranking: { agent: "", multiplier: 4, offload: false },
  },
  tools: {
    mode: "percentage",
    result: { max_tokens: 20_000, max_percentage: 95 },
    read_small_file_tokens: 2000,
    max_steps: 50,
    token_budget: 0,
    rejection_message: "",
    bash: {
      truncation: { max_output_bytes: 1_048_576, max_lines: 200, head_lines: 100, tail_lines: 80 },
      rewrite: "",
      engine: "host",
      timeout: 15_000,
    },
    user_input_max_percentage: 80,
    read_before: { write: true, delete: false },
    enabled: [],
    disabled: [],
    opt_in: [],
    deferred: [],
    webfetch_max_body_size: 5_242_880,
    parallel: true,
    scripts: false,
    policy: { auto: [], confirm: [], deny: [] },
  },
  stt: { agent: "", language: "" },
  tts: { agent: "", voice: "alloy", format: "mp3", speed: 1 },
  sandbox: { enabled: false, restrictions: { ro: [], rw: [] }, extra: { ro: [], rw: [] }, network: "inherit" },
  policy: { preview: "auto" },
  subagent: { max_steps: 25, default_agent: "" },
  mcp: { enabled: [], disabled: [], token_budget: 10_000, grace: 1_000 },
  plugins: { dir: "", unsafe: false, include: [], exclude: [], config: { global: {}, local: {} } },
  estimation: { method: "rough", divisor: 4, encoding: "cl100k_base" },
  guardrail: {
    mode: "",
    on_error: "",
    timeout: 120_000,
    scope: { tool_calls: { agent: "", prompt: "" }, user_messages: { agent: "", prompt: "" } },
    tools: { enabled: [], disabled: [] },
  },
  snapshot: { disabled: false },
  ui: { fullscreen: false, mouse: true, theme: "auto", notify: true, statusline: "" },
};

/**
 * Numbers whose zero is a value of its own ("off", "none"). Any other zero or empty text in a file means "not set"
 * (aura 17.3, 17.6).
 */
const ZERO_COUNTS: ReadonlySet<string> = new Set([
  "compaction.max_tokens",
  "compaction.trim_max_tokens",
  "compaction.keep_last_messages",
  "compaction.prune.protect_percent",
  "mcp.token_budget",
  "mcp.grace",
  "tools.token_budget",
  "tools.bash.truncation.max_output_bytes",
  "tools.bash.truncation.max_lines",
  "tools.bash.truncation.head_lines",
  "tools.bash.truncation.tail_lines",
  "tools.user_input_max_percentage",
  "tools.read_small_file_tokens",
  "thinking.keep_last",
  "thinking.token_threshold",
  "embeddings.chunking.overlap_tokens",
]);

/** How one part of the features is laid over another, wherever each is written. */
export const FEATURE_RULES = {
  zeroCounts: ZERO_COUNTS,
  maps: new Set(["plugins.config.global", "plugins.config.local"]) as ReadonlySet<string>,
} as const;
