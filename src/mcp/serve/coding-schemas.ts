import type { ObjectSchema } from "../../toolkit/json-schema.ts";

interface Offered {
  readonly name: string;
  readonly description: string;
  readonly input: ObjectSchema;
}

/** The tools of the `coding` server as clients see them; names and parameters are Aether's (other-systems 1.8). */
export const CODING_SCHEMAS = {
  read_file: {
    name: "read_file",
    description: "Shows a text file as numbered lines, whole or from `offset` on.",
    input: {
      type: "object",
      properties: {
        filePath: { type: "string", minLength: 1 },
        offset: { type: "integer", minimum: 1, description: "first line, from 1" },
        limit: { type: "integer", minimum: 1, description: "number of lines; default 2000" },
      },
      required: ["filePath"],
      additionalProperties: false,
    },
  },
  write_file: {
    name: "write_file",
    description: "Writes a whole file. An existing file must have been read.",
    input: {
      type: "object",
      properties: { filePath: { type: "string", minLength: 1 }, content: { type: "string" } },
      required: ["filePath", "content"],
      additionalProperties: false,
    },
  },
  list_files: {
    name: "list_files",
    description: "Lists a directory: directories first, each with a final `/`.",
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "default: the root" },
        includeHidden: { type: "boolean", description: "also names that begin with a dot" },
      },
      additionalProperties: false,
    },
  },
  grep: {
    name: "grep",
    description: "Searches file contents by a regular expression (ripgrep). Result lines are path:line:match.",
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1 },
        path: { type: "string", minLength: 1 },
        glob: { type: "string", description: "only files like *.ts" },
        type: { type: "string", minLength: 1, description: "only files of a type ripgrep knows: ts, py, rust" },
        outputMode: { type: "string", enum: ["content", "filesWithMatches", "count"] },
        caseInsensitive: { type: "boolean" },
        lineNumbers: { type: "boolean", description: "default true" },
        contextBefore: { type: "integer", minimum: 0 },
        contextAfter: { type: "integer", minimum: 0 },
        contextAround: { type: "integer", minimum: 0 },
        headLimit: { type: "integer", minimum: 1, description: "at most so many lines" },
        multiline: { type: "boolean", description: "the pattern may span lines" },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
  },
  find: {
    name: "find",
    description: "Finds files by name pattern, such as src/**/*.ts. Leaves out what git ignores.",
    input: {
      type: "object",
      properties: { pattern: { type: "string", minLength: 1 }, path: { type: "string", minLength: 1 } },
      required: ["pattern"],
      additionalProperties: false,
    },
  },
  bash: {
    name: "bash",
    description: "Runs a bash command. State does not carry over between calls; stdin is empty.",
    input: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1 },
        timeout: { type: "integer", minimum: 1, maximum: 600_000, description: "milliseconds; default 120000" },
        description: { type: "string", description: "what it does, for the person" },
        runInBackground: { type: "boolean" },
      },
      required: ["command"],
      additionalProperties: false,
    },
  },
} satisfies Record<string, Offered>;
