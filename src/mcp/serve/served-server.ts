import type { Tool } from "../../toolkit/tool.ts";

/** A tool as a server offers it: its name is the bare public one. */
export interface ServedTool {
  readonly tool: Tool;
  /** Its text is one JSON object, given to clients as structured content too. */
  readonly structured?: true;
  /** Changes nothing: clients may run it unasked. */
  readonly readOnly?: true;
}

/** A tool that is not there yet, and why. */
export interface Absent {
  readonly name: string;
  readonly reason: string;
}

export interface ServedPrompt {
  readonly name: string;
  readonly description: string;
  /** Words for what comes after the name, when it takes anything. */
  readonly argumentHint?: string;
  /** The text a client sends as the user, with the arguments put in. */
  render(args: string): Promise<string>;
}

/** One of our servers, not yet speaking to anybody. */
export interface ServedServer {
  readonly name: string;
  readonly instructions?: string;
  /** Asked at every listing: a tool is there as soon as what it stands on is. */
  tools(): { readonly present: readonly ServedTool[]; readonly absent: readonly Absent[] };
  prompts?(): Promise<readonly ServedPrompt[]>;
  close?(): Promise<void>;
}

/** What servers stand on; everything they do is done by these. */
export interface ServeHost {
  /** Absolute; relative arguments of servers are joined to it. */
  readonly cwd: string;
  /** Our own tools by name, whatever filters say of them; undefined when there is none. */
  find(tool: string): Tool | undefined;
  readonly skills: SkillShelf;
  readonly delegate: Delegate;
  readonly now: () => Date;
  /** What the model has before it; a text that a compaction took away is not among it. */
  readonly view: () => ConversationView;
  /** A text file by its absolute path. @throws Error that names it */
  readText(path: string): Promise<string>;
  /**
   * The trimmed output of a command a skill's text asks for, run as Bash under policy; empty when it fails or may not
   * run.
   */
  runCommand(command: string): Promise<string>;
}

/** The conversation as its model sees it now. */
export interface ConversationView {
  /** Another one with every message. */
  readonly at: string;
  holds(text: string): boolean;
}

/** A skill as this server needs it. */
export interface ShelvedSkill {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly argumentHint?: string;
  readonly userInvocable: boolean;
  readonly agentInvocable: boolean;
  /** Globs of files whose first read brings the text along. */
  readonly readGlobs: readonly string[];
  /** Commands in its text may run: it does not come from a project that nobody trusted. */
  readonly mayRun: boolean;
  /** Its text, or one of its files. @throws Error for what is not there or leads out of its folder */
  read(path?: string): Promise<string>;
  /** The files of its folder besides its text, by paths relative to it. */
  files(): Promise<readonly string[]>;
}

/** Reads skills; the loader itself lives elsewhere. */
export interface SkillShelf {
  /** @param dirs absolute; on a clash of names the last one wins */
  read(dirs: readonly string[]): Promise<readonly ShelvedSkill[]>;
}

/** Other agents, and how they are set to work. */
export interface Delegate {
  /** For a client's model: who can be spawned. */
  instructions(): string;
  /** `spawn_subagent`, over the same engine as Task. */
  spawn(): Tool;
}
