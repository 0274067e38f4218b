import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { FrontMatterError, splitFrontMatter } from "../text/frontmatter.ts";
import { BUILT_IN_AGENT, BUILT_IN_FEATURES, BUILT_IN_MODE } from "./built-in.ts";
import type { AgentHead, Config, Entity, ModeHead, SavedApproval } from "./config.ts";
import { agent, mode } from "./entities/agent.ts";
import { hook, languageServer, mcpServer, plugin, task } from "./entities/extensions.ts";
import { features, sandbox } from "./entities/features.ts";
import type { EntityKind } from "./entities/kind.ts";
import { provider } from "./entities/provider.ts";
import { rules } from "./entities/rules.ts";
import { command, prompt, skill } from "./entities/texts.ts";
import { toolOverride } from "./entities/tool-override.ts";
import { FEATURE_RULES, type FeaturesPatch } from "./features.ts";
import type { Homes } from "./homes.ts";
import { type InheritRules, inherit } from "./inherit.ts";
import { DORMANT_FEATURES, DORMANT_FIELDS, DORMANT_SETTINGS, KINDS, type KindName } from "./kinds.ts";
import { narrowSandbox } from "./narrow-sandbox.ts";
import { type ConfigProblem, describeProblem, problem } from "./problems.ts";
import { checkDefaults, checkReferences } from "./references.ts";
import type { FoundFile } from "./scan.ts";
import type { SettingsFile } from "./servers/aether-settings.ts";
import { respell, respellOrigins } from "./spellings.ts";
import { renderTask } from "./task-template.ts";
import { isTree, overlay, type Traced, traced } from "./traced.ts";
import { validate } from "./validate.ts";
import { readYaml, type YamlText } from "./yaml-file.ts";

/** Reads the files found, in their order. */
export async function readConfig(
  homes: Homes,
  files: readonly FoundFile[],
  fingerprint: string,
  vars: Readonly<Record<string, string>>,
): Promise<Config> {
  const texts = await Promise.all(files.map(({ path }) => readFile(path, "utf8").catch((error: Error) => error)));
  const collected = new Collected();
  const settings: SettingsFile[] = [];
  for (const [at, file] of files.entries()) {
    const text = texts[at]!;
    if (typeof text === "string" && file.kind.form === "aether") settings.push({ ...settingsFile(file), text });
    else if (typeof text === "string") await readOne(file, text, vars, collected);
    else collected.problems.push(problem(file.path, undefined, `cannot be read: ${text.message}`));
  }
  if (settings.length > 0) await readAether(settings, collected);
  return collected.finish(homes, fingerprint);
}

/** Paths in a project's settings are relative to the project, not to its `.aether`. */
function settingsFile({ path, home, scope }: FoundFile): Omit<SettingsFile, "text"> {
  return { path, scope, base: scope === "project" ? dirname(home) : home };
}

async function readAether(files: readonly SettingsFile[], collected: Collected): Promise<void> {
  const { readAetherSettings } = await import("./servers/aether-settings.ts");
  const { agents, problems, warnings } = await readAetherSettings(files);
  collected.foreign = agents;
  collected.aether = files.find(({ scope }) => scope === "project")?.path;
  // Somebody else's file must not keep ours from starting.
  const left = problems.length > 0 ? ["its agents are left out"] : [];
  for (const one of [...problems, ...warnings]) collected.notices.push([describeProblem(one), ...left].join("; "));
}

// Every schema is checked against the type of its entity where it is defined; here they are only told apart by name.
type AnyKind = EntityKind<object>;
const ENTITY_KINDS: Readonly<Record<KindName, AnyKind>> = {
  agents: agent,
  commands: command,
  features,
  hooks: hook,
  lsp: languageServer,
  mcp: mcpServer,
  modes: mode,
  plugins: plugin,
  prompts: prompt,
  providers: provider,
  rules,
  sandbox,
  skills: skill,
  tasks: task,
  tools: toolOverride,
};

const below = (folder: string, paths: Iterable<string>) => [...paths].map((path) => `${folder}.${path}`);
const GENERATION = Object.keys({
  temperature: 0,
  top_p: 0,
  top_k: 0,
  frequency_penalty: 0,
  presence_penalty: 0,
  max_output_tokens: 0,
  seed: 0,
  think_budget: 0,
});
const INHERIT_RULES: Readonly<Record<string, InheritRules>> = {
  agents: {
    body: "nearest",
    zeroCounts: new Set([...below("features", FEATURE_RULES.zeroCounts), ...below("model.generation", GENERATION)]),
    maps: new Set([...below("features", FEATURE_RULES.maps), "response_format.schema"]),
  },
  modes: {
    body: "nearest",
    zeroCounts: new Set(below("features", FEATURE_RULES.zeroCounts)),
    maps: new Set(below("features", FEATURE_RULES.maps)),
  },
  prompts: { body: "all" },
  hooks: { body: "nearest", zeroCounts: new Set() },
  tasks: {
    body: "nearest",
    zeroCounts: new Set(below("features", FEATURE_RULES.zeroCounts)),
    maps: new Set([...below("features", FEATURE_RULES.maps), "vars", "env"]),
  },
};

class Collected {
  readonly problems: ConfigProblem[] = [];
  readonly notices: string[] = [];
  readonly approvals: SavedApproval[] = [];
  readonly entities = new Map<KindName, Map<string, Entity<object>>>(KINDS.map(({ name }) => [name, new Map()]));
  features: Traced<FeaturesPatch> = traced({});
  /** What a person's own files say of it. */
  ownSandbox: FeaturesPatch["sandbox"];
  foreign: readonly Entity<AgentHead>[] = [];
  aether: string | undefined;

  add(file: FoundFile, name: string, line: number | undefined, value: Traced<object>, body: string): void {
    const entities = this.entities.get(file.kind.name)!;
    const before = entities.get(name.toLowerCase());
    if (before?.home === file.home) {
      this.notices.push(`${file.path}: defines "${name}" again; ${before.file} is not used`);
    }
    entities.set(name.toLowerCase(), {
      ...value,
      kind: file.kind.name,
      name,
      body,
      file: file.path,
      home: file.home,
      scope: file.scope,
      ...(line !== undefined && { line }),
    });
  }

  finish(homes: Homes, fingerprint: string): Config {
    for (const { name } of KINDS) {
      const kind = ENTITY_KINDS[name];
      if (kind.inherits) {
        const result = inherit(this.entities.get(name)!, INHERIT_RULES[name]!);
        this.entities.set(name, new Map(result.entities));
        this.problems.push(...result.problems);
      }
      this.checkRequired(kind);
    }
    if (this.entities.get("agents")!.size === 0) this.addBuiltIn();
    this.addForeign();
    const of = <Head>(name: KindName) => this.entities.get(name) as unknown as ReadonlyMap<string, Entity<Head>>;
    const config: Config = {
      homes,
      agents: of("agents"),
      modes: of("modes"),
      prompts: of("prompts"),
      providers: of("providers"),
      tools: of("tools"),
      commands: of("commands"),
      skills: of("skills"),
      hooks: of("hooks"),
      mcp: of("mcp"),
      lsp: of("lsp"),
      tasks: of("tasks"),
      plugins: of("plugins"),
      features: this.features,
      approvals: this.approvals,
      problems: this.problems,
      notices: this.notices,
      fingerprint,
      ...(this.aether !== undefined && { aether: this.aether }),
    };
    this.problems.push(...checkReferences(config), ...checkDefaults(config));
    this.notices.push(...this.withoutEffect());
    return config;
  }

  /** Nobody configured an agent: the shipped one works, over whatever else the files say. */
  private addBuiltIn(): void {
    this.entities.get("agents")!.set("aura", BUILT_IN_AGENT);
    const modes = this.entities.get("modes")!;
    if (!modes.has("plan")) modes.set("plan", BUILT_IN_MODE);
    this.features = overlay(traced(BUILT_IN_FEATURES), this.features, FEATURE_RULES);
  }

  /** An agent of one's own keeps its name. */
  private addForeign(): void {
    const agents = this.entities.get("agents")!;
    for (const agent of this.foreign) {
      const key = agent.name.toLowerCase();
      if (agents.has(key))
        this.notices.push(`${agent.file}: its agent "${agent.name}" is not used: there is one already`);
      else agents.set(key, agent);
    }
  }

  private checkRequired(kind: AnyKind): void {
    for (const entity of this.entities.get(kind.name)!.values()) {
      for (const field of kind.required ?? []) {
        const value = (entity.value as Record<string, unknown>)[field];
        if (value !== undefined && value !== "") continue;
        this.problems.push(problem(entity.file!, entity.line, `${entity.name}: "${field}" is missing`));
      }
    }
  }

  /** One line a kind: what was read and checked but changes nothing in this version. */
  private withoutEffect(): string[] {
    const said = (what: string) => `${what}: read and checked, without effect in this version yet`;
    const kinds = KINDS.filter(({ name, dormant }) => dormant && this.entities.get(name)!.size > 0);
    const fields = Object.entries(DORMANT_FIELDS).flatMap(([kind, paths]) => {
      const values = [...this.entities.get(kind as KindName)!.values()].map(({ value }) => value);
      const used = paths.filter((path) => values.some((value) => isSet(value, path)));
      return used.length > 0 ? [said(`${kind} ${used.join(", ")}`)] : [];
    });
    const overriding = [...this.entities.get("agents")!.values(), ...this.entities.get("modes")!.values()];
    const layers = [this.features.value, ...overriding.map(({ value }) => (value as AgentHead | ModeHead).features)];
    const features = [...DORMANT_FEATURES, ...DORMANT_SETTINGS].filter((path) =>
      layers.some((layer) => isSet(layer, path)),
    );
    return [
      ...kinds.map(({ name }) => said(`${name} (${this.entities.get(name)!.size})`)),
      ...fields,
      ...(features.length > 0 ? [said(`features ${features.join(", ")}`)] : []),
    ];
  }
}

/** Whether a file says something else there than the nothing that is the default anyway. */
function isSet(value: unknown, path: string): boolean {
  let at = value;
  for (const key of path.split(".")) at = isTree(at) ? at[key] : undefined;
  if (Array.isArray(at)) return at.length > 0;
  return at !== undefined && at !== "" && at !== false;
}

async function readOne(
  file: FoundFile,
  text: string,
  vars: Readonly<Record<string, string>>,
  collected: Collected,
): Promise<void> {
  if (file.kind.form === "markdown") return readMarkdown(file, text, collected);
  let source = text;
  if (file.kind.name === "tasks") {
    const rendered = await renderTask(text, file.path, vars);
    if ("problem" in rendered) {
      collected.problems.push(rendered.problem);
      return;
    }
    source = rendered.text;
  }
  const yaml = readYaml(source, file.path);
  collected.problems.push(...yaml.problems);
  if (yaml.problems.length > 0) return;
  if (file.kind.form === "map") readMap(file, yaml, collected);
  else readWhole(file, yaml, collected);
}

async function readMarkdown(file: FoundFile, text: string, collected: Collected): Promise<void> {
  let yaml: YamlText | undefined;
  const read = (head: string): object => {
    yaml = readYaml(head, file.path);
    return {};
  };
  let body: string;
  try {
    body = (await splitFrontMatter(text, read)).body.trim();
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error;
    collected.problems.push(problem(file.path, error.line, error.message));
    return;
  }
  yaml ??= readYaml("", file.path);
  collected.problems.push(...yaml.problems);
  if (yaml.problems.length > 0) return;

  const kind = ENTITY_KINDS[file.kind.name];
  const spelled = respelled(file, yaml, collected);
  if (!spelled) return;
  const { data, origins } = spelled;
  const checked = validate(kind.schema, data, file.path, yaml.lineOf);
  if (!checked.ok) {
    collected.problems.push(...checked.problems);
    return;
  }
  const name = (checked.value as { name?: string }).name ?? "";
  if (name === "") collected.problems.push(problem(file.path, 1, `"name" is missing`));
  else collected.add(file, name, yaml.lineOf(["name"]), { value: checked.value, origins }, body);
}

/** What a file says under the spellings that are meant; undefined where one place says it twice. */
function respelled(file: FoundFile, yaml: YamlText, collected: Collected) {
  const { spellings = {} } = ENTITY_KINDS[file.kind.name];
  const { data, clashes } = respell(yaml.data, spellings);
  for (const [other, meant] of clashes) {
    const line = yaml.lineOf(other.split("."));
    collected.problems.push(problem(file.path, line, `${other} and ${meant} mean the same: keep one`));
  }
  return clashes.length > 0 ? undefined : { data, origins: respellOrigins(yaml.origins([]), spellings) };
}

function readMap(file: FoundFile, yaml: YamlText, collected: Collected): void {
  if (typeof yaml.data !== "object" || yaml.data === null || Array.isArray(yaml.data)) {
    collected.problems.push(problem(file.path, 1, "expected a map of names and their settings"));
    return;
  }
  const kind = ENTITY_KINDS[file.kind.name];
  for (const [name, value] of Object.entries(yaml.data)) {
    const lineOf = (path: readonly PropertyKey[]) => yaml.lineOf([name, ...path]);
    const badName = kind.checkName?.(name);
    if (badName) {
      const { code, message } = badName;
      collected.problems.push({
        ...problem(file.path, lineOf([]), `${name}: ${message}`),
        code,
        entity: name,
      });
      continue;
    }
    const checked = validate(kind.schema, value ?? {}, file.path, lineOf);
    if (!checked.ok) {
      const named = checked.problems.map((one) => ({ ...one, entity: name, message: `${name}: ${one.message}` }));
      collected.problems.push(...named);
    } else {
      collected.add(file, name, yaml.lineOf([name]), { value: checked.value, origins: yaml.origins([name]) }, "");
    }
  }
}

function readWhole(file: FoundFile, yaml: YamlText, collected: Collected): void {
  const kind = ENTITY_KINDS[file.kind.name];
  const spelled = respelled(file, yaml, collected);
  if (!spelled) return;
  const checked = validate(kind.schema, spelled.data, file.path, yaml.lineOf);
  if (!checked.ok) {
    collected.problems.push(...checked.problems);
    return;
  }
  const found: Traced<object> = { value: checked.value, origins: spelled.origins };
  if (file.kind.form === "features") {
    const isOfProject = file.scope === "project";
    const { top, left } = isOfProject ? narrowSandbox(found, collected.ownSandbox) : { top: found, left: [] };
    if (left.length > 0)
      collected.notices.push(`${file.path}: left out, a project may only narrow it: ${left.join(", ")}`);
    collected.features = overlay(collected.features, top, FEATURE_RULES);
    if (!isOfProject) collected.ownSandbox = collected.features.value.sandbox;
  } else if (file.kind.form === "rules") {
    const patterns = (checked.value as { tool_auto?: readonly string[] }).tool_auto ?? [];
    collected.approvals.push(
      ...patterns.map((value, at) => ({
        value,
        scope: file.scope,
        file: file.path,
        ...found.origins.get(`tool_auto.${at}`),
      })),
    );
  } else {
    const name = (checked.value as { name?: string }).name ?? basename(dirname(file.path));
    collected.add(file, name, 1, found, "");
  }
}
