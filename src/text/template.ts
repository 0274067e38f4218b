import type { Defines, Engine, FuncMap, Template } from "@promptctl/go-template-js";

export interface TemplateOptions {
  /** What errors call this template: a file, or a setting such as `bash.rewrite`. */
  readonly name: string;
  /** `error` (default): a missing field stops the rendering. `zero`: it is the empty text. */
  readonly missingKey?: "error" | "zero";
  /** Named templates for `{{ template "x" . }}` and `{{ include "x" . }}`. */
  readonly partials?: Readonly<Record<string, string>>;
  /** What `{{ env "X" }}` answers. Default: always "". The process environment holds secrets, so callers choose. */
  env?(name: string): string | undefined;
  /** What `{{ now }}` answers. Default: the clock. A caller that caches prompts passes a fixed time. */
  now?(): Date;
  /** Default `{{` and `}}`. */
  readonly delimiters?: { readonly left: string; readonly right: string };
}

/** One line: which template, which line, what is wrong. */
export class TemplateProblem extends Error {
  constructor(
    readonly template: string,
    readonly line: number | undefined,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`template ${template}${line === undefined ? "" : ` line ${line}`}: ${reason}`, options);
    this.name = "TemplateProblem";
  }
}

/**
 * Renders Go `text/template` syntax (https://pkg.go.dev/text/template) with the sprig functions, and `include`, `env`,
 * `base`, `dir`, `ext`, `shellQuote`. A text without an action is returned as it is, and nothing is loaded.
 * @throws TemplateProblem
 */
export async function renderTemplate(source: string, data: unknown, options: TemplateOptions): Promise<string> {
  return (await compileTemplate(source, options))(data);
}

/** As `renderTemplate`, for a text that is rendered often. */
export async function compileTemplate(source: string, options: TemplateOptions): Promise<(data: unknown) => string> {
  if (!source.includes(options.delimiters?.left ?? "{{")) return () => source;
  const library = await import("@promptctl/go-template-js");
  refuseCycles(options.partials ?? {});

  const include = { depth: [] as string[], render: (_name: string, _data: unknown): string => "" };
  const engine = library.createEngine<string>({
    fromString: (text) => text,
    missingKey: options.missingKey === "zero" ? "default" : "error",
    funcs: { ...sprig(library, options), ...ourFunctions(options, (name, data) => include.render(name, data)) },
    ...(options.delimiters && { delims: options.delimiters }),
  });

  const sources = new Map<string, string>();
  const located = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw problemOf(error, sources, options.name);
    }
  };
  return located(() => {
    const defines = definePartials(engine, options, sources);
    const main = parse(engine, source, options.name, sources, defines);
    const parsed = new Map<string, Template<string>>();

    include.render = (name, data) => {
      const body = Object.hasOwn(options.partials ?? {}, name) ? options.partials?.[name] : undefined;
      if (body === undefined) throw new TemplateProblem(options.name, undefined, missingPartial(name, options));
      if (include.depth.includes(name)) {
        const cycle = [...include.depth.slice(include.depth.indexOf(name)), name].join(" -> ");
        throw new TemplateProblem(options.name, undefined, `templates include each other: ${cycle}`);
      }
      include.depth.push(name);
      try {
        const template = parsed.get(name) ?? parse(engine, body, name, sources, defines);
        parsed.set(name, template);
        return template.evaluate(data).join("");
      } finally {
        include.depth.pop();
      }
    };
    return (data) => located(() => main.evaluate(bare(data, options.missingKey === "zero")).join(""));
  });
}

/** A text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

type Library = typeof import("@promptctl/go-template-js");

function sprig(library: Library, options: TemplateOptions): FuncMap {
  return {
    ...library.sprigDefaults(),
    ...library.sprigStrings(),
    ...library.sprigMath(),
    ...library.sprigLists(),
    ...library.sprigDicts(),
    ...library.sprigRegex(),
    ...library.sprigTypes(),
    ...library.sprigConversions(),
    ...library.sprigSemver(),
    ...library.sprigFlow(),
    ...library.sprigRandom(),
    ...library.sprigHash(),
    ...library.sprigDatetime(options.now?.bind(options)),
  };
}

function ourFunctions(options: TemplateOptions, include: (name: string, data: unknown) => string): FuncMap {
  return {
    include: { fn: include, argTypes: ["string", "value"], returnType: "string" },
    env: { fn: (name: string) => options.env?.(name) ?? "", argTypes: ["string"], returnType: "string" },
    shellQuote: { fn: (text: string) => shellQuote(text), argTypes: ["stringifiable"], returnType: "string" },
    base: { fn: (path: string) => baseOf(path), argTypes: ["string"], returnType: "string" },
    dir: { fn: (path: string) => dirOf(path), argTypes: ["string"], returnType: "string" },
    ext: { fn: (path: string) => /\.[^./]*$/.exec(path)?.[0] ?? "", argTypes: ["string"], returnType: "string" },
    // Go prints nothing for a missing key of a map of strings; the library would print `<no value>`.
    index: { fn: indexed, argTypes: ["value", "index-key"] },
    // Data holds no functions, so the only ones to be had would be JavaScript's own.
    call: {
      fn: () => {
        throw new Error("call is not available: templates get no functions as data");
      },
      argTypes: ["value"],
    },
  };
}

function indexed(receiver: unknown, ...keys: (string | number | bigint)[]): unknown {
  let value = receiver;
  for (const key of keys) {
    if (Array.isArray(value) || typeof value === "string") {
      const at = Number(key);
      if (!Number.isInteger(at) || at < 0 || at >= value.length) throw new Error(`index ${key} is out of range`);
      value = value[at];
    } else if (typeof value === "object" && value !== null) {
      value = Object.hasOwn(value, String(key)) ? (value as Record<string, unknown>)[String(key)] : "";
    } else {
      throw new Error("index of a value that is neither a list nor a map");
    }
  }
  return value ?? "";
}

/** Go's `path.Base`. */
function baseOf(path: string): string {
  const bare = path.replace(/\/+$/, "");
  if (bare === "") return path === "" ? "." : "/";
  return bare.slice(bare.lastIndexOf("/") + 1);
}

/** Go's `path.Dir`, for paths that hold no `.` or `..` parts. */
function dirOf(path: string): string {
  const cut = path.lastIndexOf("/");
  if (cut < 0) return ".";
  return path.slice(0, cut).replace(/\/+$/, "") || "/";
}

/** A copy without prototypes, so that `.constructor` and its like are missing fields. */
function bare(value: unknown, lenient: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => bare(item, lenient));
  if (typeof value === "function") return undefined;
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const copy = Object.assign(
    Object.create(null),
    Object.fromEntries(entries.map(([key, item]) => [key, bare(item, lenient)])),
  ) as Record<string, unknown>;
  return lenient ? new Proxy(copy, EMPTY_WHEN_MISSING) : copy;
}

const EMPTY_WHEN_MISSING: ProxyHandler<Record<string, unknown>> = {
  get: (target, key) => (typeof key === "string" && !Object.hasOwn(target, key) ? "" : Reflect.get(target, key)),
  has: () => true,
};

function definePartials(engine: Engine<string>, options: TemplateOptions, sources: Map<string, string>) {
  const { left, right } = options.delimiters ?? { left: "{{", right: "}}" };
  let defines: Defines | undefined;
  for (const [name, body] of Object.entries(options.partials ?? {})) {
    const wrapped = `${left} define ${JSON.stringify(name)} ${right}${body}${left} end ${right}`;
    defines = parse(engine, wrapped, name, sources, defines).defines();
  }
  return defines;
}

function parse(
  engine: Engine<string>,
  source: string,
  name: string,
  sources: Map<string, string>,
  inherit?: Defines,
): Template<string> {
  sources.set(source, name);
  return engine.parse(source, inherit);
}

/** The static `template` edges between the named parts; `include` is watched while it runs. */
function refuseCycles(partials: Readonly<Record<string, string>>): void {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      const cycle = [...path.slice(path.indexOf(name)), name].join(" -> ");
      throw new TemplateProblem(name, undefined, `templates include each other: ${cycle}`);
    }
    const body = Object.hasOwn(partials, name) ? partials[name] : undefined;
    if (done.has(name) || body === undefined) return;
    for (const [, next] of body.matchAll(/\{\{-?\s*template\s+"([^"]+)"/g)) visit(next!, [...path, name]);
    done.add(name);
  };
  for (const name of Object.keys(partials)) visit(name, []);
}

function missingPartial(name: string, options: TemplateOptions): string {
  const known = Object.keys(options.partials ?? {}).join(", ") || "none";
  return `there is no template "${name}" to include (known: ${known})`;
}

function problemOf(error: unknown, sources: ReadonlyMap<string, string>, name: string): TemplateProblem {
  if (error instanceof TemplateProblem) return error;
  if (error instanceof RangeError) return new TemplateProblem(name, undefined, "templates nest too deeply");
  const failure = error as { message?: string; pos?: { line?: number }; source?: string };
  const where = (failure.source !== undefined && sources.get(failure.source)) || name;
  const reason = String(failure.message ?? error).split("\n", 1)[0]!;
  return new TemplateProblem(where, failure.pos?.line, reason, { cause: error });
}
