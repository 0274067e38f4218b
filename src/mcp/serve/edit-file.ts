import { unifiedDiff } from "../../text/diff.ts";
import { decodeText, detectEncoding } from "../../text/text-encoding.ts";
import type { Tool } from "../../toolkit/tool.ts";
import type { ToolAccess } from "../../toolkit/tool-access.ts";
import type { ServedTool } from "./served-server.ts";

interface Edit {
  readonly filePath: string;
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean;
}

/**
 * `edit_file`: a text replaced by another, done by Patch, so that read-before checks, encodings, journal and policy are
 * those of every patch. Only a change of whether the file ends with a line end, which Patch leaves alone, is Write's.
 */
export function editFile(patch: Tool, write: Tool, rooted: (path: string) => string): ServedTool {
  const plan = (input: unknown, access: ToolAccess) => planEdit(input as Edit, rooted, access);
  const tool: Tool = {
    name: "edit_file",
    description:
      "Replaces a text in a file you have read. oldString must occur exactly once, unless replaceAll is set: give enough of its surroundings.",
    input: {
      type: "object",
      properties: {
        filePath: { type: "string", minLength: 1 },
        oldString: { type: "string", minLength: 1 },
        newString: { type: "string" },
        replaceAll: { type: "boolean", description: "every place; default false" },
      },
      required: ["filePath", "oldString", "newString"],
      additionalProperties: false,
    },
    async pre(input, access) {
      try {
        const planned = await plan(input, access);
        const by = planned.tool === "Patch" ? patch : write;
        return await by.pre?.(planned.input, access);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    async run(input, access) {
      const planned = await plan(input, access);
      return (planned.tool === "Patch" ? patch : write).run(planned.input, access);
    },
    async post(input, access) {
      await patch.post?.({ patch: sketch(input as Edit, rooted) }, access);
    },
    paths: (input) => ({ write: [rooted((input as Edit).filePath)] }),
    async preview(input, access) {
      const planned = await plan(input, access);
      const by = planned.tool === "Patch" ? patch : write;
      return by.preview!(planned.input, access);
    },
    sameAs: (input) => ({ tool: "Patch", input: { patch: sketch(input as Edit, rooted) } }),
    ...(patch.parallel !== undefined && { parallel: patch.parallel }),
    ...(patch.sandboxable !== undefined && { sandboxable: patch.sandboxable }),
  };
  return { tool };
}

type Planned =
  | { readonly tool: "Patch"; readonly input: { readonly patch: string } }
  | { readonly tool: "Write"; readonly input: { readonly path: string; readonly content: string } };

/** @throws Error when the text is not there, is there more than once, or would not change */
async function planEdit(edit: Edit, rooted: (path: string) => string, access: ToolAccess): Promise<Planned> {
  const { files, cwd } = access;
  const path = rooted(edit.filePath);
  const file = await files.realPath(await files.resolve(path, cwd));
  const bytes = await files.read(file);
  const before = decodeText(bytes, detectEncoding(bytes));
  const text = lineFeeds(before);
  const [old, fresh] = [lineFeeds(edit.oldString), lineFeeds(edit.newString)];
  if (old === fresh) throw new Error("oldString and newString are the same: nothing would change");
  const places = text.split(old).length - 1;
  if (places === 0) throw new Error(`oldString was not found in ${path}: read the file and copy it exactly`);
  if (places > 1 && !edit.replaceAll)
    throw new Error(
      `oldString occurs ${places} times in ${path}: give more of its surroundings, or set replaceAll to change all`,
    );
  const after = text.replaceAll(old, () => fresh);
  if (after === "" || text.endsWith("\n") !== after.endsWith("\n"))
    return {
      tool: "Write",
      input: { path, content: before.includes("\r\n") ? after.replaceAll("\n", "\r\n") : after },
    };
  const diff = await unifiedDiff({ before: text, after, from: "a", to: "a" });
  const hunks = diff.split("\n").slice(2).join("\n"); // without the two lines that name the sides
  return { tool: "Patch", input: { patch: `*** Begin Patch\n*** Update File: ${path}\n${hunks}*** End Patch` } };
}

/** What the edit amounts to, without having seen the file: enough for policy and to name the file. */
function sketch({ filePath, oldString, newString }: Edit, rooted: (path: string) => string): string {
  const marked = (mark: string, text: string) => lineFeeds(text).replace(/^/gm, mark);
  return `*** Begin Patch\n*** Update File: ${rooted(filePath)}\n@@\n${marked("-", oldString)}\n${marked("+", newString)}\n*** End Patch`;
}

const lineFeeds = (text: string) => text.replaceAll("\r\n", "\n");
