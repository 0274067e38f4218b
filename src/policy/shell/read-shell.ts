import type { Model } from "../models/model.ts";
import { findingsOfScript } from "./ast-findings.ts";
import type { Folders } from "./effects.ts";
import type { Parsers } from "./parsers.ts";
import { plainScript } from "./plain-words.ts";
import type { ShellReading } from "./reading.ts";
import { remembering, type Surroundings } from "./surroundings.ts";
import { type Script, Unreadable } from "./syntax.ts";
import { findingsOfTree } from "./tree-findings.ts";
import { walkScript } from "./walk.ts";

/** A text that is not plain words was met and no parser is loaded. */
export class ParsersNeeded extends Error {}

/**
 * Reads a shell text with both parsers; where they differ, or know not enough, it is unreadable. Plain words need none.
 * @throws ParsersNeeded only, and only without parsers
 */
export function readShell(
  text: string,
  given: {
    readonly parsers: Parsers | undefined;
    readonly models: ReadonlyMap<string, Model>;
    readonly folders: Folders;
    readonly around: Surroundings;
  },
): ShellReading {
  try {
    const parse = (script: string) => parseTwice(script, given.parsers);
    const place = { ...given, around: remembering(given.around), parse, options: new Map(), depth: 0 };
    return { kind: "read", parts: walkScript(parse(text), place) };
  } catch (error) {
    if (error instanceof ParsersNeeded) throw error;
    // A parser that fails in a way of its own has not understood the text either.
    const reason =
      error instanceof Unreadable ? error.message : `a parser refuses it: ${(error as Error).message.split("\n")[0]}`;
    return { kind: "unreadable", reason };
  }
}

const MAX_LENGTH = 128 * 1024;
/** Parsers and shells differ on what is a blank; and a person would not see these. */
const ODD =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Cs}\p{Co}\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u3000\ufeff\uffff]/u;

/** @throws Unreadable when the parsers differ, or Error from either */
function parseTwice(text: string, parsers: Parsers | undefined): Script {
  const plain = plainScript(text);
  if (plain) return plain;
  if (!parsers) throw new ParsersNeeded();
  if (text.length > MAX_LENGTH) throw new Unreadable("it is too long to be checked");
  if (ODD.test(text)) throw new Unreadable("it holds characters that cannot be seen");
  // This one first: the other does not come back from some texts that are no sound script.
  const other = parsers.withTree(text, (root) => findingsOfTree(root, text));
  const script = parsers.parse(text);
  const found = findingsOfScript(script);
  if (found.length !== other.length || found.some((finding, at) => finding !== other[at]))
    throw new Unreadable("two parsers read it differently");
  return script;
}
