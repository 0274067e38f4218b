import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { OpenOptions } from "../../src/index.ts";
import type { ThinkLevel } from "../../src/protocol/status.ts";
import { ExpectedStop } from "./expected-stop.ts";
import type { RootValues } from "./root-options.ts";

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly commandEnv?: Readonly<Record<string, string | undefined>>;
  readonly shipped: string;
}

const LEVELS: readonly ThinkLevel[] = ["off", "on", "low", "medium", "high"];

/** Turns flags into what the engine opens with. Throws ExpectedStop for a flag that cannot be. */
export function openOptions(root: RootValues, { cwd, env, commandEnv, shipped }: Surroundings): OpenOptions {
  if (root.resume !== undefined && root.continue)
    throw new ExpectedStop("--resume and --continue exclude each other: give one of them");
  if (root.dry !== undefined && root.dry !== "noop" && root.dry !== "render")
    throw new ExpectedStop(`--dry: unknown value "${root.dry}": use render or noop`);
  return {
    cwd: workdir(cwd, root.workdir),
    env,
    ...(commandEnv && { commandEnv }),
    shipped,
    ...pick(root, ["agent", "provider", "model", "system", "resume"]),
    version: AURA_VERSION,
    ...pick(root, ["includeMcps", "excludeMcps"]),
    ...pick(root, ["includeTools", "excludeTools", "maxSteps", "tokenBudget", "auto", "verbose"]),
    ...(root.mode !== undefined && { mode: root.mode === "none" ? "" : root.mode }),
    ...(root.home !== undefined && { home: homePath(cwd, ownHome(root.home, env)) }),
    ...(root.config && { config: root.config.filter(Boolean).map((dir) => homePath(cwd, dir)) }),
    ...(isAnyClones(root.config, env["AURA_CONFIG"]) && { isConfigFromEnv: true }),
    ...(root.override && { overrides: root.override }),
    ...(root.set && { variables: assignments(root.set) }),
    ...(root.think !== undefined && { think: thinkLevel(root.think) }),
    ...(root.continue && { continueLast: true }),
    ...(root.autoApprove && { approveAll: true }),
    ...(root.script !== undefined && { script: resolve(cwd, root.script) }),
    ...(root.dry === "noop" && { noop: true }),
    ...(root.agentDir !== undefined && { agentDir: resolve(cwd, root.agentDir) }),
    ...(root.trust && { trust: true }),
    ...(root.debug && { debug: true }),
  };
}

function workdir(cwd: string, given: string | undefined): string {
  const dir = resolve(cwd, given ?? ".");
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new ExpectedStop(`--workdir: no such directory: ${dir}`);
  // Links followed, so that rules and paths speak of the same place.
  return realpathSync(dir);
}

/** Relative to where the process was started, not to `--workdir`. The engine expands `~`. */
function homePath(cwd: string, given: string): string {
  return given === "" || /^~(\/|$)/.test(given) ? given : resolve(cwd, given);
}

/** Set once, `AURA_CONFIG=.aura` would name whatever folder one happens to stand in: that trusts nothing. */
const isAnyClones = (config: readonly string[] | undefined, fromEnv: string | undefined) =>
  fromEnv !== undefined && config?.length === 1 && config[0] === fromEnv && isRelative(fromEnv);

/** A person's own home is one place; a relative one in the environment would be another in every clone. */
function ownHome(home: string, env: Surroundings["env"]): string {
  if (home !== "" && home === env["AURA_HOME"] && isRelative(home))
    throw new ExpectedStop(`AURA_HOME: "${home}" is relative: write the whole path, or use --home for this once`);
  return home;
}

const isRelative = (path: string) => !isAbsolute(path) && !/^~(\/|$)/.test(path);

function thinkLevel(text: string): ThinkLevel {
  const word = text === "false" ? "off" : text === "true" ? "on" : text;
  const level = LEVELS.find((known) => known === word);
  if (!level) throw new ExpectedStop(`--think: unknown level "${text}": use ${LEVELS.join(", ")}`);
  return level;
}

function assignments(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new ExpectedStop(`--set: "${pair}" is not key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function pick<K extends keyof RootValues>(
  root: RootValues,
  keys: readonly K[],
): { [P in K]?: NonNullable<RootValues[P]> } {
  const picked: Partial<Record<K, unknown>> = {};
  for (const key of keys) if (root[key] !== undefined) picked[key] = root[key];
  return picked as { [P in K]?: NonNullable<RootValues[P]> };
}
