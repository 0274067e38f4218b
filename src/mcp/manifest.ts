import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ServerDef } from "../config/mcp-server.ts";
import { withLock, writeAtomically } from "../system/atomic-file.ts";

/** A tool as its server lists it; `inputSchema` is passed on unchanged. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
}

/** What a server says its tool does; a claim, not a fact. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What was learned of a server when it last ran. */
export interface Manifest {
  readonly instructions?: string;
  readonly tools: readonly ListedTool[];
  /** It was never reached so far. */
  readonly failed?: boolean;
}

export interface Manifests {
  /** `ageMs`: since the server last said so. Undefined when there is none, or it cannot be read. */
  read(def: ServerDef): Promise<{ readonly manifest: Manifest; readonly ageMs: number } | undefined>;
  write(def: ServerDef, manifest: Manifest): Promise<void>;
}

/**
 * One file a definition, readable by its owner only: descriptions may say what is behind a private server.
 * @param version of ours: our own servers are others in another version
 */
export function openManifests(dir: string, version: string, now: () => number): Manifests {
  const fileOf = (def: ServerDef) => {
    const key = hash([hashOfDefinition(def), def.transport === "in-memory" ? version : ""]).slice(0, 12);
    return join(dir, `${def.name}-${key}.json`);
  };
  return {
    async read(def) {
      const file = fileOf(def);
      try {
        const [text, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
        const manifest = unpack(JSON.parse(text));
        return manifest && { manifest, ageMs: Math.max(0, now() - mtimeMs) };
      } catch {
        return undefined;
      }
    },
    async write(def, manifest) {
      const file = fileOf(def);
      const text = `${JSON.stringify(pack(manifest))}\n`;
      await withLock(file, () => writeAtomically(file, text, { mode: 0o600, sync: false }));
    },
  };
}

/** What makes a server another one; filters, time limits and how it is offered do not. */
export function hashOfDefinition(def: ServerDef): string {
  const { transport, command, args, env, cwd, url, headers, input } = def;
  return hash([transport, command, args, sorted(env), cwd, url, sorted(headers), input]);
}

const sorted = (map: Readonly<Record<string, string>>) => Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");

const FORMAT = 1;

/** Schemas lie beside the tools by the hash of their content: servers have dozens of tools with the same one. */
function pack({ instructions, tools, failed }: Manifest) {
  const schemas: Record<string, unknown> = {};
  const listed = tools.map(({ inputSchema, ...tool }) => {
    const schema = hash(inputSchema).slice(0, 16);
    schemas[schema] = inputSchema;
    return { ...tool, schema };
  });
  return {
    format: FORMAT,
    failed: failed === true,
    ...(instructions !== undefined && { instructions }),
    tools: listed,
    schemas,
  };
}

function unpack(value: unknown): Manifest | undefined {
  const { format, instructions, tools, schemas, failed } = Object(value) as Partial<ReturnType<typeof pack>>;
  if (format !== FORMAT || !Array.isArray(tools)) return undefined;
  const unpacked = tools.map(({ schema, ...tool }) => ({ ...tool, inputSchema: Object(schemas?.[schema]) }));
  return {
    ...(instructions !== undefined && { instructions }),
    ...(failed && { failed }),
    tools: unpacked as readonly ListedTool[], // as packed above
  };
}
