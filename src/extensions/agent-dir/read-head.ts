import { readYaml } from "../../config/yaml-file.ts";
import { FrontMatterError, splitFrontMatter } from "../../text/frontmatter.ts";
import { type DirError, dirError } from "./problems.ts";

/** A Markdown file with its YAML head as data. */
export interface HeadedFile {
  /** Relative to the directory. */
  readonly file: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** 1-based. */
  lineOf(...path: readonly PropertyKey[]): number | undefined;
}

/** Splits and reads a file of `tools/` or `schedules/`; each must have a head. */
export async function readHead(file: string, text: string): Promise<HeadedFile | { readonly error: DirError }> {
  if (!/^\uFEFF?---(?!-)/.test(text))
    return { error: dirError("no-frontmatter", file, 'it does not begin with front matter: "---", fields, "---"', 1) };
  let yaml = readYaml("", file);
  let body: string;
  try {
    const split = await splitFrontMatter(text, (head) => {
      yaml = readYaml(head, file);
      return {};
    });
    body = split.body.trim();
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error;
    return { error: dirError("bad-frontmatter", file, error.message, error.line) };
  }
  const [wrong] = yaml.problems;
  if (wrong) return { error: dirError("bad-frontmatter", file, wrong.message, wrong.line) };
  const { data } = yaml;
  if (typeof data !== "object" || data === null || Array.isArray(data))
    return { error: dirError("bad-frontmatter", file, "its head is not a map of fields", 1) };
  return { file, fields: data as Record<string, unknown>, body, lineOf: (...path) => yaml.lineOf(path) };
}
