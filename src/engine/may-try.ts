import { installs } from "../policy/models/model.ts";
import { allParts, type Effect, effectsOf, type ShellReading } from "../policy/shell/reading.ts";
import { isInside } from "../system/paths.ts";

export interface TrialBounds {
  readonly workspace: string;
  readonly home: string;
}

/**
 * Why a command is not tried before somebody said yes, as the end of a sentence; undefined when it may be. Only what
 * was read completely is tried, and only where the trial would show what the real run does.
 */
export function whyNotTried(reading: ShellReading, { workspace, home }: TrialBounds): string | undefined {
  if (reading.kind === "unreadable") return "what it runs cannot be told beforehand";
  const parts = allParts(reading.parts);
  if (parts.length === 0) return "it runs nothing";
  const waiting = parts.find(({ words }) => words !== undefined && WAIT_FOR_PEOPLE.has(nameOf(words[0])));
  if (waiting) return `${nameOf(waiting.words?.[0])} waits for somebody to type`;
  const asking = parts.find(({ words }) => words !== undefined && needsPeople(words));
  if (asking) return "it goes on until it is stopped";
  // A program nobody modelled is tried: all its words are known. What is not known itself is not.
  const unknown = parts
    .filter(({ words }) => words === undefined)
    .flatMap(({ effects, around }) => [...effects, ...around])
    .find(({ kind }) => kind === "unknown");
  if (unknown) return "what it does cannot be told beforehand";
  for (const effect of effectsOf(reading.parts)) {
    const why = whyNotThis(effect, workspace, home);
    if (why !== undefined) return why;
  }
  return undefined;
}

function whyNotThis({ kind, path, concern }: Effect, workspace: string, home: string): string | undefined {
  if (kind === "network" || concern === installs.concern) return "it needs the network";
  if (kind === "process") return "it acts on other processes";
  if (path === undefined || isInside(workspace, path) || path.startsWith("/dev/")) return undefined;
  if (kind === "write" || kind === "delete") return "it writes outside this folder";
  return isInside(home, path) || path.startsWith("/tmp/") ? "it reads files of yours outside this folder" : undefined;
}

const nameOf = (word: string | undefined) => word?.split("/").at(-1) ?? "";

const WAIT_FOR_PEOPLE: ReadonlySet<string> = new Set(
  "vi vim nvim nano emacs ed less more man top htop ssh telnet ftp sftp mysql psql sqlite3 screen tmux sudo su passwd watch".split(
    " ",
  ),
);

const needsPeople = (words: readonly string[]): boolean => {
  const [name, ...rest] = [nameOf(words[0]), ...words.slice(1)];
  if (name === "tail") return rest.some((word) => /^-[a-zA-Z]*[fF]|^--follow/.test(word));
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name))
    return rest.some((word) => /^(?:start|dev|serve|watch|preview)$/.test(word));
  return rest.includes("--watch") || (rest.includes("-w") && name === "tsc");
};
