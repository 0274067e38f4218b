export interface FrontMatter {
  /** What the YAML head says; `{}` when there is none. */
  readonly data: unknown;
  /** The text after the head, with LF line ends. */
  readonly body: string;
}

/** A head that cannot be read; `line` is 1-based in the whole text when known. */
export class FrontMatterError extends Error {
  constructor(
    message: string,
    readonly line?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "FrontMatterError";
  }
}

/**
 * Splits a Markdown file into its YAML head and its body. Loads nothing when the text does not begin with `---`.
 * @param parse reads the head; its text starts with a line break, so that its line numbers are those of the file.
 *   Default: the `yaml` package, values only.
 * @throws FrontMatterError for a head in another language than YAML (gray-matter would run a `---js` one as code), for
 *   one that never ends, and for wrong YAML.
 */
export async function splitFrontMatter(text: string, parse?: (head: string) => unknown): Promise<FrontMatter> {
  const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const opening = /^---(?!-)([^\n]*)(?:\n|$)/.exec(clean);
  if (!opening) return { data: {}, body: clean };

  const language = opening[1]!.trim();
  if (language !== "" && !YAML_NAMES.has(language.toLowerCase())) throw refusal(language);
  if (!/\n---[ \t]*(?:\n|$)/.test(clean)) throw new FrontMatterError("the front matter opened here never ends", 1);

  const { default: matter } = await import("gray-matter");
  const read = parse ?? (await import("yaml")).parse;
  const yaml = { parse: (head: string) => (read(head) ?? {}) as object };
  // Options are always given: without them gray-matter answers from a cache that callers share and can change.
  const file = matter(clean, { language: "yaml", engines: { ...REFUSED, yaml, yml: yaml } });
  return { data: file.data, body: file.content };
}

const YAML_NAMES: ReadonlySet<string> = new Set(["yaml", "yml"]);
const REFUSED = Object.fromEntries(
  ["javascript", "js", "coffee", "coffeescript", "cson", "json"].map((language) => [
    language,
    {
      parse: (): object => {
        throw refusal(language);
      },
    },
  ]),
);

function refusal(language: string): FrontMatterError {
  return new FrontMatterError(`front matter must be YAML; "---${language}" is refused and was not run`, 1);
}
