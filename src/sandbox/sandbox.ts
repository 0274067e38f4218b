/** What commands and file tools may reach. All paths absolute; a folder means everything below it. */
export interface Wish {
  readonly readOnly: readonly string[];
  readonly readWrite: readonly string[];
  /** `none`: commands reach nothing but themselves. */
  readonly network: "inherit" | "none";
  /** Not to be written even where they lie in `readWrite`: our settings, what other programs run. */
  readonly guarded: readonly string[];
  /** The person's home folder: an empty one stands in its place, but for what is named above. */
  readonly home: string;
}

/** By what a wish is enforced on commands. */
export type Mechanism = "bubblewrap" | "namespaces" | "landlock" | "seatbelt";

/** A program as it would be started without any of this. */
export interface Program {
  /** Absolute. */
  readonly file: string;
  /** What it hears as its own name. */
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** It reads something from file descriptor 3. */
  readonly readsThree: boolean;
}

/** What is started in its place. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
}

/** What a mechanism cannot do, in words for people. */
export const LIMITS: Readonly<Record<Mechanism, readonly string[]>> = {
  bubblewrap: [],
  namespaces: [],
  landlock: [
    "names and sizes of other files can be seen",
    "/tmp is shared",
    "what is guarded inside a writable folder is not",
    "of the network only TCP is closed",
  ],
  seatbelt: ["names and sizes of other files can be seen"],
};
