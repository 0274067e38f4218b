import { renderTemplate, TemplateProblem } from "../text/template.ts";
import { type ConfigProblem, problem } from "./problems.ts";

/**
 * A task file is a template before it is YAML: `{{ range until 3 }}` makes structure (aura 22.2). Missing variables
 * are empty; `$[[ ]]` is left for the run. Line numbers of later problems are those of the result.
 */
export async function renderTask(
  text: string,
  file: string,
  vars: Readonly<Record<string, string>>,
): Promise<{ readonly text: string } | { readonly problem: ConfigProblem }> {
  if (!text.includes("{{")) return { text };
  try {
    const data = { ...vars, Vars: vars };
    return { text: await renderTemplate(withoutComments(text), data, { name: file, missingKey: "zero" }) };
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    return { problem: problem(file, error.line, `template: ${error.reason}`) };
  }
}

/** Comments may show braces that are no template. A `#` line inside a block text (`|`, `>`) is text and stays. */
function withoutComments(text: string): string {
  let blockBelow = -1;
  return text
    .split("\n")
    .map((line) => {
      if (line.trim() === "") return line;
      const indent = line.search(/\S/);
      if (blockBelow >= 0 && indent > blockBelow) return line;
      blockBelow = /(?:^|[\s:-])[|>][-+\d]*\s*(?:#.*)?$/.test(line) ? indent : -1;
      return line[indent] === "#" ? "" : line;
    })
    .join("\n");
}
