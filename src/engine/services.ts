import { realpathSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { type Approvals, approvalsFile, openApprovals } from "../policy/approvals.ts";
import { cleanControlFolders } from "../sandbox/control-folder.ts";
import { createHostShell, type HostShell } from "../shell/host-shell.ts";
import { createJobs, type Job, type Jobs } from "../shell/jobs.ts";
import type { PersonalFolders } from "../system/paths.ts";
import { applyChanges } from "../workspace/apply-journal.ts";
import { recoverJournals } from "../workspace/apply-journal-recovery.ts";
import { diskFiles } from "../workspace/disk-files.ts";
import { fileMemoryStore } from "../workspace/file-memory-store.ts";
import { createReadTracker } from "../workspace/hash-read-tracker.ts";
import type { MemoryStore } from "../workspace/memory-store.ts";
import type { ProjectFiles } from "../workspace/project-files.ts";
import type { ReadTracker } from "../workspace/read-tracker.ts";
import { recordingFiles } from "../workspace/recording-files.ts";
import { createTodoList, type TodoList, type Todos } from "../workspace/todos.ts";
import type { TreeChange } from "../workspace/tree-change.ts";
import type { OpenOptions } from "./open-options.ts";

/** What lives as long as the conversation and knows nothing of it. */
export interface Services {
  readonly files: ProjectFiles;
  readonly reads: ReadTracker;
  readonly todos: TodoList;
  readonly memory: MemoryStore;
  readonly shell: HostShell;
  readonly jobs: Jobs;
  readonly approvals: Approvals;
  /** Where an approval for the project is written. */
  readonly approvalsFile: string;
  /** Changes that only undo makes, all or none. */
  applyTree(changes: readonly TreeChange[]): Promise<void>;
  /** Keeps the whole text of shortened output for this session; returns the file. */
  saveOutput(text: string): Promise<string>;
  /** Where that is kept; undefined before the first. */
  outputFolder(): string | undefined;
  close(): Promise<void>;
}

export interface ServicesOptions {
  readonly options: OpenOptions;
  readonly folders: PersonalFolders;
  readonly config: Config;
  readonly readBefore: { readonly write: boolean; readonly delete: boolean };
  todosChanged(todos: Todos): void;
  jobChanged(job: Job): void;
  notice(text: string): void;
  /** Hears which files are about to change by our tools. */
  beforeFiles(paths: readonly string[]): Promise<void>;
}

export async function openServices(given: ServicesOptions): Promise<Services> {
  const { options, folders, config } = given;
  const stateDir = join(folders.state, "journal");
  for (const recovered of await recoverJournals(stateDir)) given.notice(wordRecovery(recovered));
  // What a trial of a dead process left waits for nobody, and nobody waits for it to go.
  void cleanControlFolders(join(folders.state, "trials")).catch(() => {});
  const disk = diskFiles({ stateDir, home: folders.user, env: options.env });
  const files = recordingFiles(disk, (paths) => given.beforeFiles(paths));
  const shell = createHostShell({ env: options.commandEnv ?? options.env });
  const jobs = createJobs({ now: () => Date.now(), changed: (job) => given.jobChanged(job) });
  const outputs = createOutputs();
  const projectHome = config.homes.projects.at(-1) ?? join(options.cwd, ".aura");
  const globalHome = options.home === "" ? undefined : (config.homes.global ?? folders.config);
  return {
    files,
    reads: createReadTracker({ ...given.readBefore }),
    todos: createTodoList(undefined, given.todosChanged),
    memory: fileMemoryStore(files, {
      local: join(projectHome, "memory"),
      ...(globalHome !== undefined && { global: join(globalHome, "memory") }),
    }),
    shell,
    jobs,
    approvalsFile: approvalsFile(projectHome),
    approvals: openApprovals(
      {
        project: approvalsFile(projectHome),
        ...(globalHome !== undefined && { global: approvalsFile(globalHome) }),
      },
      options.ignoreApprovals ? [] : savedRules(config),
    ),
    applyTree: (changes) => applyChanges(changes, stateDir),
    saveOutput: (text) => outputs.save(text),
    outputFolder: () => outputs.folder(),
    async close() {
      await Promise.all([jobs.close(), shell.close(), outputs.close()]);
    },
  };
}

export function savedRules(config: Config) {
  return config.approvals.map(({ value, scope, file, line }) => ({
    pattern: value,
    from: scope,
    file,
    ...(line !== undefined && { line }),
  }));
}

/** One private folder a session for output that was shortened; gone when the session closes (aura 8.2). */
function createOutputs() {
  let folder: Promise<string> | undefined;
  let made: string | undefined;
  let count = 0;
  return {
    folder: () => made,
    async save(text: string): Promise<string> {
      folder ??= mkdtemp(join(realpathSync(tmpdir()), "aura-"));
      made = await folder;
      const file = join(made, `aura-bash-output-${++count}.txt`);
      await writeFile(file, text, { mode: 0o600 });
      return file;
    },
    async close(): Promise<void> {
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}

function wordRecovery(recovered: Awaited<ReturnType<typeof recoverJournals>>[number]): string {
  const files = recovered.paths.join(", ");
  switch (recovered.outcome) {
    case "discarded":
      return `A change was interrupted before it began; nothing was changed: ${files}`;
    case "finished":
      return `A change that was interrupted has been finished: ${files}`;
    case "undone":
      return `A change that was interrupted has been undone: ${files}${left(recovered.left)}`;
    case "stuck":
      return `A change that was interrupted could be neither finished nor undone: ${files}: ${recovered.problem ?? "unknown"}`;
  }
}

const left = (files: readonly string[]) =>
  files.length > 0 ? `; changed since and left alone: ${files.join(", ")}` : "";
