import type { ListedTool, ToolAnnotations } from "./manifest.ts";

/** Characters of a description; what is longer is no description any more. */
const LONGEST_DESCRIPTION = 8_000;
const MOST_TOOLS = 5_000;

/** The tools of a `tools/list` answer. An entry without a usable name or schema is left out, the others stay. */
export function readTools(listed: readonly unknown[]): readonly ListedTool[] {
  const tools = new Map<string, ListedTool>();
  for (const entry of listed.slice(0, MOST_TOOLS)) {
    const { name, title, description, inputSchema, annotations } = Object(entry) as Record<string, unknown>;
    if (typeof name !== "string" || name === "" || tools.has(name)) continue;
    if (typeof inputSchema !== "object" || inputSchema === null || Array.isArray(inputSchema)) continue;
    const words = typeof description === "string" ? description : typeof title === "string" ? title : "";
    const claims = readAnnotations(annotations);
    tools.set(name, {
      name,
      description: words.length > LONGEST_DESCRIPTION ? `${words.slice(0, LONGEST_DESCRIPTION)} […]` : words,
      inputSchema: inputSchema as Record<string, unknown>,
      ...(claims && { annotations: claims }),
    });
  }
  return [...tools.values()];
}

function readAnnotations(value: unknown): ToolAnnotations | undefined {
  const { title, ...rest } = Object(value) as Record<string, unknown>;
  const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"].flatMap((hint) =>
    typeof rest[hint] === "boolean" ? [[hint, rest[hint]] as const] : [],
  );
  if (hints.length === 0 && typeof title !== "string") return undefined;
  return { ...(typeof title === "string" && { title }), ...Object.fromEntries(hints) };
}
