import { join, relative } from "node:path";
import type { Preview } from "../../src/protocol/request.ts";
import type { CallOutput } from "../../src/protocol/tool-call.ts";
import type { Tool } from "../../src/toolkit/tool.ts";
import type { ToolAccess } from "../../src/toolkit/tool-access.ts";
import { fileMemoryStore } from "../../src/workspace/file-memory-store.ts";
import { createReadTracker } from "../../src/workspace/hash-read-tracker.ts";
import { type MemoryFiles, memoryFiles } from "../../src/workspace/memory-files.ts";
import { createTodoList } from "../../src/workspace/todos.ts";

type Called =
  | { readonly status: "done"; readonly output: CallOutput }
  | { readonly status: "refused"; readonly reason: string }
  | { readonly status: "failed"; readonly message: string };

export interface MemoryProject {
  readonly cwd: string;
  readonly disk: MemoryFiles;
  readonly access: ToolAccess;
  /** Every file as text, by its path relative to the project. */
  readonly files: Readonly<Record<string, string>>;
  /** What the tool printed with `access.print`. */
  readonly printed: readonly string[];
  /** pre, run and post of one call, as the pipeline does them, without policy, schema and guards. */
  call(tool: Tool, input: unknown): Promise<Called>;
  /** The text of a call that must succeed; throws its reason otherwise. */
  run(tool: Tool, input: unknown): Promise<string>;
  preview(tool: Tool, input: unknown): Promise<Preview | undefined>;
  /** Changes a file behind the tools' back, as another program would. */
  put(path: string, content: string | Uint8Array): Promise<void>;
}

/**
 * A project that lives in memory, at `/project`, with a ToolAccess to call tools against. Tokens are estimated as
 * characters / 4; the shell refuses until a test gives one in `overrides`.
 */
export function memoryProject(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  overrides: Partial<ToolAccess> = {},
): MemoryProject {
  const cwd = "/project";
  const disk = memoryFiles({
    files: Object.fromEntries(Object.entries(files).map(([path, content]) => [join(cwd, path), content])),
    home: "/home/somebody",
  });
  const printed: string[] = [];
  const access: ToolAccess = {
    callId: "call-1",
    cwd,
    signal: new AbortController().signal,
    files: disk,
    reads: createReadTracker(),
    todos: createTodoList(),
    memory: fileMemoryStore(disk, { local: `${cwd}/.aura/memory`, global: "/home/somebody/.aura/memory" }),
    shell: { exec: async () => Promise.reject(new Error("this project has no shell")) },
    settings: { readSmallFileTokens: 2000, bash: { timeoutMs: 15_000, maxOutputBytes: 1_048_576, rewrite: "" } },
    estimate: (text) => Math.ceil(text.length / 4),
    print: (line) => void printed.push(line),
    rewrite: async (command) => command,
    ask: async () => Promise.reject(new Error("nobody is there to ask")),
    callTools: async () => Promise.reject(new Error("this project runs no other tools")),
    ...overrides,
  };

  const call = async (tool: Tool, input: unknown): Promise<Called> => {
    const refusal = await tool.pre?.(input, access);
    if (refusal !== undefined) return { status: "refused", reason: refusal };
    try {
      const result = await tool.run(input, access);
      await tool.post?.(input, access);
      return { status: "done", output: typeof result === "string" ? { text: result } : result };
    } catch (error) {
      return { status: "failed", message: error instanceof Error ? error.message : String(error) };
    }
  };

  return {
    cwd,
    disk,
    access,
    printed,
    get files() {
      return Object.fromEntries(
        [...disk.all()].map(([path, bytes]) => [relative(cwd, path), Buffer.from(bytes).toString()]),
      );
    },
    call,
    async run(tool, input) {
      const called = await call(tool, input);
      if (called.status === "done") return called.output.text;
      throw new Error(called.status === "refused" ? called.reason : called.message);
    },
    preview: async (tool, input) => tool.preview?.(input, access),
    put: (path, content) =>
      disk.apply([
        { kind: "write", path: join(cwd, path), bytes: typeof content === "string" ? Buffer.from(content) : content },
      ]),
  };
}
