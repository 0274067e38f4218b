import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { TurnSettings } from "../config/settings.ts";
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
}

interface Book {
  readonly homes: readonly string[];
  /** File → SHA-256 of the content we wrote. */
  readonly files: Readonly<Record<string, string>>;
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
  return {
    trusts: (home) => book.homes.includes(home),
    trustsFile: async (path) => book.files[path] !== undefined && book.files[path] === (await hashOf(path)),
    trustHome: (home) => change((old) => ({ ...old, homes: [...new Set([...old.homes, home])].sort() })),
    async vouchFor(path) {
      const hash = await hashOf(path);
      if (hash !== undefined) await change((old) => ({ ...old, files: { ...old.files, [path]: hash } }));
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
  const off = [...trusted.tools].filter(([, { value }]) => value.disabled);
  const tools = new Map([...config.tools, ...off]);
  return { config: { ...config, providers: trusted.providers, tools, approvals }, lost };
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
  const lost = [
    ...(auto.length < settings.policy.auto.length ? ["auto rules"] : []),
    ...(confirm.length > settings.policy.confirm.length ? ["a policy that asks less"] : []),
    ...(deny.length > settings.policy.deny.length ? ["a policy that refuses less"] : []),
    ...(rewrite === settings.toolSettings.bash.rewrite ? [] : ["bash.rewrite"]),
    ...(layers.length > 0 ? ["a choice of other tools"] : []),
    ...(statusline === ui.statusline ? [] : ["ui.statusline"]),
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
      features: { ...settings.features, ui: { ...ui, statusline } },
    },
    lost,
  };
}

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
    const { homes, files } = JSON.parse(await readFile(file, "utf8")) as Partial<Book>;
    return { homes: Array.isArray(homes) ? homes : [], files: typeof files === "object" ? files : {} };
  } catch {
    return { homes: [], files: {} };
  }
}

async function hashOf(path: string): Promise<string | undefined> {
  try {
    return createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
  } catch {
    return undefined; // a file that is gone holds nothing to vouch for
  }
}
