import type { Inspection, OpenOptions } from "../../src/index.ts";
import type { Invocation } from "./arguments.ts";
import { ExpectedStop } from "./expected-stop.ts";
import { withInspection } from "./inspect.ts";
import type { ProcessEdge } from "./run-headless.ts";

/** `aura tools`: list, explain or run one. */
export async function runTool(
  { args, json, task, withMcp = false }: Extract<Invocation, { command: "tools" }>,
  given: OpenOptions,
  { out, signals }: ProcessEdge,
): Promise<number> {
  const options = { ...given, ...(task !== undefined && { task }) };
  const [name, ...rest] = args;
  return withInspection(options, async (inspection) => {
    if (withMcp) await inspection.settled();
    if (name === "debug") return explainTools(inspection, rest, json, out);
    if (name === undefined) {
      if (json) out.data(`${JSON.stringify(inspection.tools, null, 2)}\n`);
      else for (const tool of inspection.tools) if (tool.inclusion.included) out.data(`- ${tool.name}\n`);
      return 0;
    }
    const known = inspection.describeTool(name);
    if (rest.length === 0) {
      if (!known) throw new ExpectedStop(`tools: there is no tool "${name}"`, 1);
      out.data(
        json
          ? `${JSON.stringify({ name, ...known }, null, 2)}\n`
          : `${known.text}\n\n${JSON.stringify(known.schema, null, 2)}\n`,
      );
      return 0;
    }
    const input = readInput(rest, known?.schema);
    const outcome = await inspection.runTool(name, input, {
      signal: signals.stop,
      print: (line) => {
        if (!json) out.talk(`  ${line}\n`);
      },
    });
    const exitCode = outcome.ok ? 0 : 1;
    if (json) {
      const result = outcome.ok ? { stdout: outcome.text } : { stdout: "", error: outcome.text };
      out.data(`${JSON.stringify({ exit_code: exitCode, ...result })}\n`);
    } else if (outcome.ok)
      out.data(outcome.text.endsWith("\n") || outcome.text === "" ? outcome.text : `${outcome.text}\n`);
    else out.talk(`Error: ${outcome.text}\n`);
    return exitCode;
  });
}

/** `aura tools debug [tool]`. */
function explainTools(
  inspection: Inspection,
  [wanted]: readonly string[],
  json: boolean,
  out: ProcessEdge["out"],
): number {
  const explained = inspection.explainTools(wanted);
  if ("problem" in explained) throw new ExpectedStop(`tools debug: ${explained.problem}`, 1);
  out.data(json ? `${JSON.stringify(explained.tools, null, 2)}\n` : `${explained.text}\n`);
  return 0;
}

/** One JSON object, or `key=value` words typed by the tool's schema. */
function readInput(words: readonly string[], schema: unknown): unknown {
  if (words.length === 1 && words[0]!.trim().startsWith("{")) {
    try {
      return JSON.parse(words[0]!);
    } catch (error) {
      throw new ExpectedStop(`tools: the arguments are not JSON: ${(error as Error).message}`);
    }
  }
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf("=");
      if (at < 1) throw new ExpectedStop(`tools: "${word}" is neither key=value nor a JSON object`);
      const key = word.slice(0, at);
      return [key, typed(word.slice(at + 1), properties[key]?.type)];
    }),
  );
}

function typed(text: string, type: string | undefined): unknown {
  if (type === "integer" || type === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text; // arrays and objects are given as JSON text, which the input check reads
}
