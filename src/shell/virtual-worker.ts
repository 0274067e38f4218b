// The thread of one script in the virtual shell: its loops starve whatever shares a thread with it. Only erasable types
// here: Node runs it as it is.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { Bash, type IFileSystem, InMemoryFs, MountableFs, OverlayFs, parse } from "just-bash";
import type { RecordedChange, VirtualEnd, VirtualStart } from "./virtual-messages.ts";

async function play(given: VirtualStart): Promise<VirtualEnd> {
  const { root, cwd, env, script, timeoutMs, mode } = given;
  try {
    parse(script);
  } catch (error) {
    return { kind: "syntax-error", message: (error as Error).message };
  }
  // Links are not followed: where one leads cannot be checked and used in one step.
  const overlay = new OverlayFs({ root, mountPoint: "/" });
  const touched = new Set<string>();
  const project = recording(overlay, touched);
  const scratch = new InMemoryFs();
  for (const folder of ["/tmp", env["HOME"] ?? "/root"]) await scratch.mkdir(folder, { recursive: true });
  const fs = new MountableFs({ base: scratch, mounts: [{ mountPoint: root, filesystem: project }] });
  const bash = new Bash({ fs, cwd, env: { ...env }, executionLimits: { maxExecutionTimeMs: timeoutMs } });
  try {
    const { stdout, stderr, exitCode } = await bash.exec(script);
    const changes = await changesIn(overlay, root, touched);
    if (mode === "record" || changes.length === 0) return { kind: "ran", stdout, stderr, code: exitCode, changes };
    // Refusing the write itself would end the whole script: this shell has no failing redirection.
    const names = changes.slice(0, 5).map(({ path }) => path);
    const told = `nothing was changed: this shell only reads the project (${names.join(", ")})\n`;
    return { kind: "ran", stdout, stderr: stderr + told, code: exitCode || 1, changes: [] };
  } catch (error) {
    return { kind: "failed", message: (error as Error).message };
  }
}

/** Every method of a file system that changes something, with which of its arguments are paths it changes. */
const CHANGING: Readonly<Record<string, readonly number[]>> = {
  writeFile: [0],
  appendFile: [0],
  mkdir: [0],
  rm: [0],
  cp: [1],
  mv: [0, 1],
  chmod: [0],
  symlink: [1],
  link: [1],
  utimes: [0],
};

/** The same file system, with the paths it was asked to change put into `touched`. */
function recording(fs: OverlayFs, touched: Set<string>): IFileSystem {
  return new Proxy(fs, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const paths = typeof name === "string" ? CHANGING[name] : undefined;
      return (...args: unknown[]) => {
        for (const at of paths ?? []) touched.add(target.resolvePath("/", String(args[at])));
        const result: unknown = value.apply(target, args);
        return result === target ? receiver : result;
      };
    },
  });
}

/** What is different below the touched paths. It compares, because touching changes nothing by itself. */
async function changesIn(
  fs: OverlayFs,
  root: string,
  touched: ReadonlySet<string>,
): Promise<readonly RecordedChange[]> {
  const found = new Map<string, RecordedChange>();
  const look = async (path: string): Promise<void> => {
    const real = join(root, path);
    const now = (await fs.exists(path)) ? await fs.stat(path) : undefined;
    const old = existsSync(real) ? lstatSync(real) : undefined;
    const relative = path.replace(/^\//, "");
    if (now?.isDirectory) {
      if (!old) found.set(relative, { path: relative, what: "added", isFolder: true });
      for (const name of await fs.readdir(path)) await look(join(path, name));
      return;
    }
    if (!now) {
      if (old)
        found.set(relative, {
          path: relative,
          what: "deleted",
          isFolder: old.isDirectory(),
          ...(old.isFile() && { before: readFileSync(real) }),
        });
      return;
    }
    const after = await fs.readFileBuffer(path);
    const before = old?.isFile() ? readFileSync(real) : undefined;
    if (before && Buffer.compare(before, after) === 0) return;
    found.set(relative, {
      path: relative,
      what: before ? "modified" : "added",
      isFolder: false,
      ...(before && { before }),
      after,
    });
  };
  for (const path of touched) await look(path);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

// Last, because what is above must be there before it runs.
parentPort?.postMessage(await play(workerData as VirtualStart));
