import { delimiter, join, resolve } from "node:path";
import type { JudgedCall } from "../policy/policy.ts";
import { diskSurroundings } from "../policy/shell/surroundings.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { Engine } from "./engine.ts";

/** Folders that hold our own settings and state: writing there is always asked about. */
export function ourFolders({ config, folders }: Engine): readonly string[] {
  const { projects, global } = config.homes;
  return [...new Set([...projects, ...(global === undefined ? [] : [global]), folders.config, folders.state])];
}

/** A call with what reading its shell command found, when it has one, by its own name or as the built-in it is. */
export async function withReading(engine: Engine, tool: Tool | undefined, call: JudgedCall): Promise<JudgedCall> {
  const named = call.tool === "Bash" ? call.input : sameBash(tool, call.input);
  const { command, workdir } = (named ?? {}) as { readonly command?: unknown; readonly workdir?: unknown };
  if (typeof command !== "string" || command.trim() === "") return call;
  const around = diskSurroundings({
    cwd: call.cwd,
    home: call.home,
    ours: call.ours ?? [],
    path: engine.options.env["PATH"] ?? ["/usr/bin", "/bin"].join(delimiter),
  });
  const folder = folderOf(workdir, call);
  const reading = await engine.shellReader.read(command, folder, around, await engine.shellModels());
  return { ...call, shell: { command, reading } };
}

function sameBash(tool: Tool | undefined, input: unknown): unknown {
  try {
    const same = tool?.sameAs?.(input);
    return same?.tool === "Bash" ? same.input : undefined;
  } catch {
    return undefined; // an input that does not fit the tool amounts to nothing
  }
}

/** Where the command runs; undefined when only running it tells. */
function folderOf(workdir: unknown, { cwd, home }: JudgedCall): string | undefined {
  if (typeof workdir !== "string" || workdir.trim() === "") return cwd;
  const text = workdir.trim();
  if (text.includes("$")) return undefined;
  return text === "~" || text.startsWith("~/") ? join(home, text.slice(2)) : resolve(cwd, text);
}
