import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { TurnSettings } from "../config/settings.ts";
import type { Origin } from "../config/traced.ts";
import { SHIPPED_TIER } from "../policy/rules.ts";
import { withLock, writeAtomically } from "../system/atomic-file.ts";
import { isInside } from "../system/paths.ts";

/**
 * Whose configuration may do more than describe. A project's `.aura` may come with a clone, so until a person trusts
 * it, it cannot choose where requests go, exempt calls from being asked about, or rewrite commands.
 */
export interface Trust {
  trusts(home: string): boolean;
  /** A file we wrote ourselves on a person's yes, unchanged since. */
  trustsFile(file: string): Promise<boolean>;
  trustHome(home: string): Promise<void>;
  /** Call after a person's yes was written to `file`. */
  vouchFor(file: string): Promise<void>;
  /** An entry we wrote into this file ourselves on a person's yes, unchanged since; nothing else that is in the file. */
  trustsEntry(file: string, hash: string): boolean;
  /** Call after entries with these hashes were written to `file` on a person's yes. */
  vouchForEntries(file: string, hashes: readonly string[]): Promise<void>;
  /** An entry of a project as it is now, by its hash. */
  accepts(project: string, hash: string): boolean;
  /** A person saw all of these: from now on they are what is accepted of the project. */
  accept(project: string, entries: readonly AcceptedEntry[]): Promise<void>;
  /** What a person accepted under this name last; undefined when nothing, or when it is lost. */
  acceptedText(project: string, id: string): Promise<string | undefined>;
  /** The content of a file that was vouched for. */
  vouchedText(file: string): Promise<string | undefined>;
  /** What a person was asked about in this project, and did not want to trust: its hash. */
  declined(project: string): string | undefined;
  decline(project: string, hash: string): Promise<void>;
  readonly book: Book;
  /** Takes back all trust in a folder and what is in it. Returns what that was, as it is listed. */
  revoke(folder: string): Promise<readonly string[]>;
}

export interface AcceptedEntry {
  readonly id: string;
  readonly hash: string;
  readonly text: string;
}

export interface Book {
  readonly homes: readonly string[];
  /** File → SHA-256 of the content we wrote. */
  readonly files: Readonly<Record<string, string>>;
  /** File → hashes of the entries we wrote into it. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
  /** Project → name of an entry → SHA-256 of what was accepted. The texts lie beside the book. */
  readonly accepted: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Project → hash of what was not wanted when it was asked about. */
  readonly declined: Readonly<Record<string, string>>;
}

/** Kept in `<state>/trust.json`. A book that cannot be read trusts nothing. */
export async function openTrust(stateDir: string): Promise<Trust> {
  const file = join(stateDir, "trust.json");
  let book = await readBook(file);
  const change = (next: (book: Book) => Book) =>
    withLock(file, async () => {
      book = next(await readBook(file));
      await writeAtomically(file, `${JSON.stringify(book, null, 2)}\n`, { mode: 0o600 });
    });
  const texts = acceptedTexts(join(stateDir, "trusted"));
  return {
    get book() {
      return book;
    },
    accepts: (project, hash) => Object.values(book.accepted[project] ?? {}).includes(hash),
    async accept(project, entries) {
      for (const { hash, text } of entries) await texts.keep(hash, text);
      const ids = Object.fromEntries(entries.map(({ id, hash }) => [id, hash]).sort());
      await change((old) => ({ ...old, accepted: { ...old.accepted, [project]: ids } }));
    },
    declined: (project) => book.declined[project],
    decline: (project, hash) => change((old) => ({ ...old, declined: { ...old.declined, [project]: hash } })),
    async acceptedText(project, id) {
      const hash = book.accepted[project]?.[id];
      return hash === undefined ? undefined : texts.read(hash);
    },
    async vouchedText(path) {
      const hash = book.files[path];
      return hash === undefined ? undefined : texts.read(hash);
    },
    async revoke(folder) {
      const isGone = (path: string) => isInside(folder, path);
      const { homes, files, entries, accepted } = book;
      const gone = [...homes, ...[files, entries, accepted].flatMap((map) => Object.keys(map))].filter(isGone);
      const left = <T>(map: Readonly<Record<string, T>>) =>
        Object.fromEntries(Object.entries(map).filter(([path]) => !isGone(path)));
      if (gone.length > 0)
        await change((old) => ({
          homes: old.homes.filter((home) => !isGone(home)),
          files: left(old.files),
          entries: left(old.entries),
          accepted: left(old.accepted),
          declined: left(old.declined),
        }));
      return [...new Set(gone)];
    },
    trusts: (home) => book.homes.includes(home),
    trustsFile: async (path) => book.files[path] !== undefined && book.files[path] === (await hashOf(path)),
    trustsEntry: (path, hash) => book.entries[path]?.includes(hash) === true,
    vouchForEntries: (path, hashes) =>
      change((old) => {
        const known = [...new Set([...(old.entries[path] ?? []), ...hashes])].sort();
        return { ...old, entries: { ...old.entries, [path]: known } };
      }),
    trustHome: (home) => change((old) => ({ ...old, homes: [...new Set([...old.homes, home])].sort() })),
    async vouchFor(path) {
      const hash = await hashOf(path);
      if (hash === undefined) return;
      await texts.keep(hash, await readFile(path, "utf8").catch(() => ""));
      await change((old) => ({ ...old, files: { ...old.files, [path]: hash } }));
    },
  };
}

/** What is left of a configuration of which `homes` are not trusted. `trusted` was read without them. */
export async function withoutPowers(
  config: Config,
  trusted: Config,
  homes: readonly string[],
  trust: Trust,
): Promise<{ readonly config: Config; readonly lost: readonly string[] }> {
  const isForeign = (file: string | undefined) => file !== undefined && homes.some((home) => isInside(home, file));
  const own = await Promise.all(config.approvals.map(({ file }) => trust.trustsFile(file)));
  const approvals = config.approvals.filter(({ file }, at) => !isForeign(file) || own[at]);
  const lost = [
    ...([...config.providers.values()].some(({ file }) => isForeign(file)) ? ["providers"] : []),
    ...(approvals.length < config.approvals.length ? ["saved approvals"] : []),
  ];
  const tools = ownTools(config.tools, trusted.tools, isForeign);
  return { config: { ...config, providers: trusted.providers, tools, approvals }, lost };
}

/** A person's own definitions keep tools out and bind them to conditions, whatever a foreign one of the same name says. */
function ownTools(
  tools: Config["tools"],
  trusted: Config["tools"],
  isForeign: (file: string | undefined) => boolean,
): Config["tools"] {
  const left = new Map(tools);
  for (const [name, entity] of tools)
    if (isForeign(entity.file) && entity.value.override)
      left.set(name, { ...entity, value: { ...entity.value, override: false } });
  for (const [name, own] of trusted) {
    const { disabled, condition } = own.value;
    const other = left.get(name);
    if (disabled) left.set(name, own);
    else if (condition && other && isForeign(other.file))
      left.set(name, {
        ...other,
        value: { ...other.value, condition },
        origins: new Map(
          [...other.origins].filter(([path]) => path !== "condition").concat(originOf(own, "condition")),
        ),
      });
  }
  return left;
}

function originOf({ origins }: { origins: ReadonlyMap<string, Origin> }, path: string): [string, Origin][] {
  const origin = origins.get(path);
  return origin ? [[path, origin]] : [];
}

/**
 * Settings resolved from an untrusted configuration: nothing exempts, the shipped questions are asked, nothing is
 * rewritten. `own` is what would hold without that configuration: its refusals, its questions and the tools it leaves
 * out stay, also where the project's files replaced the lists or the agent they came from.
 */
export function withoutExemptions(
  settings: TurnSettings,
  homes: readonly string[],
  own: TurnSettings | undefined,
): { readonly settings: TurnSettings; readonly lost: readonly string[] } {
  const isForeign = (file: string | undefined) => file !== undefined && homes.some((home) => isInside(home, file));
  const auto = settings.policy.auto.filter(({ file }) => !isForeign(file));
  const shipped = (SHIPPED_TIER.confirm ?? []).map(({ value }) => ({ pattern: value, from: "built-in" as const }));
  const confirm = joined(settings.policy.confirm, [...(own?.policy.confirm ?? []), ...shipped]);
  const deny = joined(settings.policy.deny, own?.policy.deny ?? []);
  const rewrite = own?.toolSettings.bash.rewrite ?? "";
  const layers = ownLayers(settings, own);
  const { ui } = settings.features;
  const statusline = own?.features.ui.statusline ?? "";
  const mcp = ownServers(settings.features.mcp, own);
  const lost = [
    ...(auto.length < settings.policy.auto.length ? ["auto rules"] : []),
    ...(confirm.length > settings.policy.confirm.length ? ["a policy that asks less"] : []),
    ...(deny.length > settings.policy.deny.length ? ["a policy that refuses less"] : []),
    ...(rewrite === settings.toolSettings.bash.rewrite ? [] : ["bash.rewrite"]),
    ...(layers.length > 0 ? ["a choice of other tools"] : []),
    ...(statusline === ui.statusline ? [] : ["ui.statusline"]),
    ...(isSameChoice(settings.features.mcp, mcp) ? [] : ["a choice of other servers"]),
  ];
  const bash = { ...settings.toolSettings.bash, rewrite };
  return {
    settings: {
      ...settings,
      policy: { ...settings.policy, auto, confirm, deny },
      tools: {
        ...settings.tools,
        layers: [...layers, ...settings.tools.layers],
        optIn: [...settings.tools.optIn, ...(own?.tools.optIn ?? [])],
      },
      toolSettings: { ...settings.toolSettings, bash },
      features: { ...settings.features, mcp, ui: { ...ui, statusline } },
    },
    lost,
  };
}

type Mcp = TurnSettings["features"]["mcp"];

/** Which servers run is a person's own choice; a project may only take some of them out. */
function ownServers(wanted: Mcp, own: TurnSettings | undefined): Mcp {
  if (!own) return wanted;
  const { mcp } = own.features;
  return { ...mcp, disabled: [...new Set([...mcp.disabled, ...wanted.disabled])] };
}

const isSameChoice = (a: Mcp, b: Mcp) =>
  a.enabled.join("\n") === b.enabled.join("\n") && a.disabled.length === b.disabled.length;

/** A person's own lists of tools, of what `settings` is made of, where the project's files replaced them. */
function ownLayers(settings: TurnSettings, own: TurnSettings | undefined): TurnSettings["tools"]["layers"] {
  const words = ({ layer, name = "", enabled, disabled }: TurnSettings["tools"]["layers"][number]) =>
    JSON.stringify([layer, name.toLowerCase(), enabled.map(({ value }) => value), disabled.map(({ value }) => value)]);
  const names = new Set(["", settings.agent.name.toLowerCase(), settings.mode?.name.toLowerCase()]);
  const said = new Set(settings.tools.layers.map(words));
  return (own?.tools.layers ?? []).filter(
    (layer) =>
      names.has((layer.name ?? "").toLowerCase()) &&
      layer.enabled.length + layer.disabled.length > 0 &&
      !said.has(words(layer)),
  );
}

/** Both lists by pattern, each pattern once. */
function joined<Rule extends { readonly pattern: string }>(rules: readonly Rule[], more: readonly Rule[]): Rule[] {
  const known = new Set(rules.map(({ pattern }) => pattern));
  const added = more.filter(({ pattern }) => !known.has(pattern) && known.add(pattern));
  return [...rules, ...added].sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
}

async function readBook(file: string): Promise<Book> {
  try {
    const { homes, files, entries, accepted, declined } = JSON.parse(await readFile(file, "utf8")) as Partial<Book>;
    return {
      homes: Array.isArray(homes) ? homes : [],
      files: typeof files === "object" ? files : {},
      entries: typeof entries === "object" ? entries : {},
      accepted: typeof accepted === "object" ? accepted : {},
      declined: typeof declined === "object" ? declined : {},
    };
  } catch {
    return { homes: [], files: {}, entries: {}, accepted: {}, declined: {} };
  }
}

/** Texts a person accepted, by their hash, for a diff when they change. A large one is not kept: it has no diff then. */
function acceptedTexts(folder: string) {
  return {
    async keep(hash: string, text: string): Promise<void> {
      if (text.length <= LONGEST_TEXT) await writeAtomically(join(folder, hash), text, { mode: 0o600 });
    },
    read: (hash: string): Promise<string | undefined> => readFile(join(folder, hash), "utf8").catch(() => undefined),
  };
}

const LONGEST_TEXT = 256 * 1024;

async function hashOf(path: string): Promise<string | undefined> {
  try {
    return createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
  } catch {
    return undefined; // a file that is gone holds nothing to vouch for
  }
}
