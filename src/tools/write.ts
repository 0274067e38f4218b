import { relative } from "node:path";
import { unifiedDiff } from "../text/diff.ts";
import { decodeText, detectEncoding, ENCODING_NAMES, nameCharacter, unencodable } from "../text/text-encoding.ts";
import { defineTool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import { FileProblem } from "../workspace/project-files.ts";
import { refuseUnread } from "../workspace/read-before.ts";
import { encodeLike } from "../workspace/text-document.ts";

interface Input {
  readonly path: string;
  readonly content: string;
}

export const write = defineTool({
  name: "Write",
  description: "Writes a whole file, new or in place of an old one, and makes missing directories.",
  usage: "Use Patch for changes to parts. An existing file must have been read.",
  input: {
    type: "object",
    properties: { path: { type: "string", minLength: 1 }, content: { type: "string" } },
    required: ["path", "content"],
  },

  async pre({ path }, access) {
    try {
      const { file, old } = await find(path, access);
      return old && refuseUnread(access.reads, [{ path: file, bytes: old, act: "write" }]);
    } catch (error) {
      if (error instanceof FileProblem) return error.message;
      throw error;
    }
  },
  changes: "files",

  async run(input, access) {
    const { file, path, before, after } = await access.files.exclusively(async () => {
      const plan = await planWrite(input, access);
      const { file, before, after } = plan;
      // An approval may have been open for long, and an editor too.
      const refusal = before && refuseUnread(access.reads, [{ path: file, bytes: before, act: "write" }]);
      if (refusal) throw new Error(refusal);
      await access.files.apply([{ kind: "write", path: file, bytes: after }]);
      access.reads.sawFile(file, after);
      return plan;
    });
    const diff = await diffOf(file, before, after, access);
    return { text: `W ${path} (${Buffer.byteLength(input.content)} bytes)`, diff };
  },

  async post({ path }, access) {
    const { file, old } = await find(path, access);
    if (old && access.reads.objection(file, old, "write")) access.reads.sawFile(file, old);
  },

  paths: ({ path }) => ({ write: [path] }),

  async preview(input, access) {
    const { file, path, before, after } = await planWrite(input, access);
    return { title: `Write ${path}`, diff: await diffOf(file, before, after, access) };
  },
});

async function find(path: string, { files, cwd }: ToolAccess) {
  const resolved = await files.resolve(path, cwd);
  const file = await files.realPath(resolved);
  const old = (await files.stat(file)) ? await files.read(file) : undefined;
  return { path: resolved, file, old };
}

async function planWrite({ path, content }: Input, access: ToolAccess) {
  const { path: resolved, file, old } = await find(path, access);
  const { bytes, encoding } = encodeLike(old, content);
  const character = unencodable(content.replace(/^\ufeff/, ""), encoding);
  if (character !== undefined) {
    const why = old ? `the file is ${ENCODING_NAMES[encoding]}, which` : ENCODING_NAMES[encoding];
    throw new FileProblem("writing", resolved, `${why} cannot hold ${nameCharacter(character)}`);
  }
  return { path: resolved, file, before: old, after: bytes };
}

function diffOf(file: string, before: Uint8Array | undefined, after: Uint8Array, { cwd }: ToolAccess) {
  const name = relative(cwd, file).startsWith("..") ? file : relative(cwd, file);
  const text = (bytes: Uint8Array) => decodeText(bytes, detectEncoding(bytes));
  return unifiedDiff({ before: before && text(before), after: text(after), from: name, to: name });
}
