import { splitFrontMatter } from "../text/frontmatter.ts";

/** What the head of a skill's file says, in our spelling of it. */
export interface SkillHead {
  readonly name?: string;
  readonly description?: string;
  /** A person may start it as `/name`. */
  readonly userInvocable?: boolean;
  /** The model is told of it. */
  readonly agentInvocable: boolean;
  readonly argumentHint?: string;
  readonly tags: readonly string[];
  /** It is told when a file that fits one of these is read. */
  readonly readGlobs: readonly string[];
}

/**
 * Reads a skill's text: Aura's flat files, Aether's and Agent Skills (https://agentskills.io/specification), whose
 * keys are joined here. Hyphens and underscores are the same, unknown keys are left alone. Throws on wrong YAML.
 */
export async function readSkill(text: string): Promise<{ readonly head: SkillHead; readonly body: string }> {
  const { data, body } = await splitFrontMatter(text);
  const fields = new Map(
    Object.entries(isMap(data) ? data : {}).map(([key, value]) => [key.replaceAll("_", "-"), value]),
  );
  const triggers = fields.get("triggers");
  const name = textIn(fields.get("name"));
  const description = textIn(fields.get("description"))?.replace(/\s+/g, " ");
  const hint = textIn(fields.get("argument-hint"));
  const isHidden = fields.get("agent-invocable") === false || fields.get("disable-model-invocation") === true;
  const userInvocable = fields.get("user-invocable");
  return {
    head: {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(typeof userInvocable === "boolean" && { userInvocable }),
      agentInvocable: !isHidden,
      ...(hint !== undefined && { argumentHint: hint }),
      tags: textsIn(fields.get("tags")),
      readGlobs: [
        ...textsIn(isMap(triggers) ? triggers["read"] : undefined),
        ...textsIn(fields.get("globs")),
        ...textsIn(fields.get("paths")),
      ],
    },
    body: body.trim(),
  };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function textIn(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

/** A list, or words with commas between them. */
function textsIn(value: unknown): readonly string[] {
  const list = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
  return list.flatMap((item) => textIn(item) ?? []);
}
