import { isAbsolute, join } from "node:path";
import type { ObjectSchema } from "../../toolkit/json-schema.ts";
import type { Tool } from "../../toolkit/tool.ts";
import type { ServedTool } from "./served-server.ts";

type Input = Readonly<Record<string, unknown>>;

/** One of our tools under another name and with other parameters. */
export interface Adaptation {
  readonly name: string;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly readOnly?: true;
  /** The input of our tool. @throws Error that says which parameter cannot be had */
  toOurs(input: Input): Input;
  /** The text as this tool words it. Default: as ours. */
  reword?(text: string, input: Input): string;
}

/**
 * The adapted tool has no behaviour of its own: read-before checks, paths, preview and the work are `base`'s, and
 * policy is told that it is `base` under another name.
 */
export function adaptTool(base: Tool, adaptation: Adaptation): ServedTool {
  const { name, description, input, toOurs, reword, readOnly } = adaptation;
  const { pre, post, paths, preview } = base;
  const ours = (given: unknown) => toOurs(given as Input);
  const tool: Tool = {
    name,
    description,
    input,
    async run(given, access) {
      const result = await base.run(ours(given), access);
      if (!reword) return result;
      const output = typeof result === "string" ? { text: result } : result;
      return { ...output, text: reword(output.text, given as Input) };
    },
    async pre(given, access) {
      let mapped: Input;
      try {
        mapped = ours(given);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      return pre?.call(base, mapped, access);
    },
    ...(post && { post: (given, access) => post.call(base, ours(given), access) }),
    ...(paths && { paths: (given) => paths.call(base, ours(given)) }),
    ...(preview && { preview: (given, access) => preview.call(base, ours(given), access) }),
    sameAs: (given) => {
      const mapped = ours(given);
      return base.sameAs?.(mapped) ?? { tool: base.name, input: mapped };
    },
    ...(base.parallel !== undefined && { parallel: base.parallel }),
    ...(base.sandboxable !== undefined && { sandboxable: base.sandboxable }),
    ...(base.cutsMiddle !== undefined && { cutsMiddle: base.cutsMiddle }),
  };
  return { tool, ...(readOnly && { readOnly }) };
}

/** How a server with its own root reads a path: relative ones from there, `~` and `$VAR` as everywhere. */
export function rootedIn(root: string | undefined): (path: string) => string {
  return (path) => (root === undefined || isAbsolute(path) || /^\s*[~$]/.test(path) ? path : join(root, path));
}
