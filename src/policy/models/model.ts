/**
 * What a program does with its arguments, as data. Only what a model lists is known: an option it leaves out makes the
 * command one a person is asked about. Lists are texts with blanks between; `-abc` stands for the options -a, -b, -c.
 */
export interface Model {
  /** The names it is called by. */
  readonly names: string;
  /** Options that change nothing anybody must be asked about. A long one may have a value after `=`. */
  readonly flags?: string;
  /** Options that take a value, by what the value is. */
  readonly values?: Readonly<Partial<Record<ValueKind, string>>>;
  /** Flags that make paths mean everything below them. */
  readonly deepFlags?: string;
  /** Every path means everything below it. */
  readonly deep?: boolean;
  /** What the arguments that are no options are, in order; the last one is also for the rest. Default: none allowed. */
  readonly operands?: readonly ValueKind[];
  /** Options after which the first operand is missing, as grep's pattern after -e. */
  readonly replaceFirst?: string;
  /** What the last of several operands is, where it differs. */
  readonly last?: ValueKind;
  /** Taken as the operand when there is none. */
  readonly otherwise?: string;
  /** `-20` is a number of lines. */
  readonly numbers?: boolean;
  /** No argument is ever an option that matters: echo. */
  readonly literal?: boolean;
  /** What it does whatever its arguments are, each with the words for it. */
  readonly effects?: readonly FixedEffect[];
  /** Programs whose first operand says what they do. */
  readonly subcommands?: Readonly<Record<string, Subcommand>>;
  /** Asked alone, one of these only tells about the program. */
  readonly about?: string;
  /** What it does without operands. */
  readonly bare?: FixedEffect;
  /** Files whose names begin with a dot stay unread without one of these. */
  readonly skipsHidden?: string;
  /** Options that choose files by a pattern, which one that begins with a dot may fit. */
  readonly globs?: string;
  /** Going below a folder, it follows links. */
  readonly followsLinks?: boolean;
  /** Arguments with a grammar of their own, read by a function of that name. */
  readonly reader?: ReaderName;
}
export type Subcommand = Omit<Model, "names">;

export interface FixedEffect {
  readonly kind: "write" | "delete" | "execute" | "network" | "process" | "state" | "unknown" | "git";
  /** A sentence about the command: "it installs packages". */
  readonly concern: string;
}

/** `command`: from here on another command. `code`: text in a language nobody reads here. `shell`: a shell text. */
export type ValueKind =
  | "text"
  | "read"
  | "list"
  | "write"
  | "delete"
  | "move"
  | "host"
  | "process"
  | "code"
  | "shell"
  | "script"
  | "command"
  | "sed"
  | "awk"
  | "jq"
  | "revision"
  | "variable"
  /** A file, or an address on another machine. */
  | "document"
  /** Text that begins with a plus sign. */
  | "date"
  /** Letters of ps without a dash. */
  | "ps"
  | "ask";

export type ReaderName =
  | "find"
  | "xargs"
  | "env"
  | "cd"
  | "command"
  | "printf"
  | "declare"
  | "test"
  | "tar"
  | "set"
  | "read"
  | "config"
  | "branch";

export const installs: FixedEffect = { kind: "execute", concern: "it downloads and runs code of others" };
export const builds: FixedEffect = { kind: "execute", concern: "it runs what the project says" };
export const contacts: FixedEffect = { kind: "network", concern: "it talks to another machine" };
export const root: FixedEffect = { kind: "process", concern: "it runs as another user" };
export const stops: FixedEffect = { kind: "process", concern: "it acts on processes" };
export const stays: FixedEffect = { kind: "process", concern: "it leaves something running" };
export const shellState: FixedEffect = { kind: "state", concern: "it changes how the shell reads what follows" };
export const secrets: FixedEffect = { kind: "unknown", concern: "it may show secrets of the environment" };
export const system: FixedEffect = { kind: "write", concern: "it changes the system" };
