import type { Model } from "../models/model.ts";
import type { Options } from "../models/options.ts";
import type { Folders } from "./effects.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Script } from "./syntax.ts";

/** Where a script is walked through, and with what. */
export interface Place {
  readonly folders: Folders;
  readonly around: Surroundings;
  readonly models: ReadonlyMap<string, Model>;
  /** Reads a text that another shell is given. @throws Unreadable */
  parse(text: string): Script;
  /** The options of models, taken apart once. */
  readonly options: Map<object, Options>;
  readonly depth: number;
}

/** How deep scripts and commands may hold others. */
export const MAX_DEPTH = 8;
