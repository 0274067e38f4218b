import { nearest } from "../text/nearest.ts";
import { matches } from "../text/wildcard.ts";
import type { Decision } from "../toolkit/filter.ts";
import type { ToolStatus } from "../toolkit/tool-set.ts";

/** `/tools`: what may be called, and what may be loaded. */
export function listTools(statuses: readonly ToolStatus[]): string {
  const included = statuses.filter(({ inclusion }) => inclusion.included);
  if (included.length === 0) return "No tools enabled";
  const isPlain = ({ visibility }: ToolStatus) => visibility === "eager" || visibility === "loaded";
  return [
    "Enabled tools:",
    ...included.map((tool) => `- ${tool.name}${isPlain(tool) ? "" : ` (${tool.visibility})`}`),
  ].join("\n");
}

/** `/tools debug`: every known tool and the decision that settled it. */
export function debugTools(statuses: readonly ToolStatus[]): string {
  const line = (status: ToolStatus) => `  ${nameOf(status)} (${status.source}) — ${settledBy(status)}`;
  const included = statuses.filter(({ inclusion }) => inclusion.included);
  const excluded = statuses.filter(({ inclusion }) => !inclusion.included);
  const lines = [`Included (${included.length}):`, ...included.map(line)];
  if (excluded.length > 0) lines.push("", `Excluded (${excluded.length}):`, ...excluded.map(line));
  return lines.join("\n");
}

/** `/why X`: all that was decided about the tools this name or pattern means. Undefined when there is none. */
export function whyTools(wanted: string, statuses: readonly ToolStatus[]): string | undefined {
  const found = toolsNamed(wanted, statuses);
  if (found.length === 0) return undefined;
  return found
    .map((status) =>
      [
        `${nameOf(status)} (${status.source}): ${status.visibility}`,
        ...status.decisions.map((decision) => `  ${decision.outcome.padEnd(9)}  ${decisionWords(decision)}`),
      ].join("\n"),
    )
    .join("\n\n");
}

/** The tools meant: by name or alias in any case, by a pattern with `*`, or by the server they are from. */
export function toolsNamed(wanted: string, statuses: readonly ToolStatus[]): readonly ToolStatus[] {
  const namesOf = ({ name, aliases = [] }: ToolStatus) => [name, ...aliases, name.replace(/^mcp__/, "")];
  if (wanted.includes("*")) return statuses.filter((status) => namesOf(status).some((name) => matches(wanted, name)));
  const exact = statuses.filter((status) => namesOf(status).includes(wanted));
  if (exact.length > 0) return exact;
  const lower = wanted.toLowerCase();
  const near = statuses.filter((status) => namesOf(status).some((name) => name.toLowerCase() === lower));
  return near.length > 0 ? near : statuses.filter(({ server }) => server?.toLowerCase() === lower);
}

/** For a person: there is no such tool, and what was probably meant. */
export function noSuchTool(wanted: string, statuses: readonly ToolStatus[]): string {
  const names = statuses.map(({ name }) => name);
  const near = nearest(wanted, names);
  return `there is no tool "${wanted}"${near === undefined ? "" : ` (did you mean "${near}"?)`}`;
}

function nameOf({ name, aliases }: ToolStatus): string {
  return aliases?.length ? `${name} = ${aliases.join(", ")}` : name;
}

/** The first that excludes; for what is included, how it is offered, and what is still open. */
function settledBy({ decisions, visibility }: ToolStatus): string {
  const out = decisions.find(({ outcome }) => outcome === "excluded");
  if (out) return decisionWords(out);
  const open = decisions.filter(({ outcome }) => outcome === "undecided").map((one) => `; ${decisionWords(one)}`);
  const how = decisions.find(({ stage }) => stage === "visibility");
  return `${how ? decisionWords(how) : visibility}${open.join("")}`;
}

function decisionWords({ words, entry, file, line }: Decision): string {
  const place = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
  return `${words}${entry === undefined ? "" : `: ${entry}`}${place}`;
}
