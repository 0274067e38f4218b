import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

export type Tree = Readonly<Record<string, string>>;

/** A throwaway machine: a home nobody lives in, a project, and a place for what is neither. */
export interface Stage {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  put(files: Tree, folder?: string): void;
  /** Every file of the project as text, without session logs. */
  files(): Tree;
  remove(): void;
}

export function createStage(name = "aura-stage-"): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), name)));
  const project = join(root, "project");
  const home = join(root, "home");
  mkdirSync(project);
  mkdirSync(home);
  return {
    root,
    project,
    home,
    put(files, folder = project) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
      }
    },
    files: () => readTree(project, (path) => !path.startsWith(".aura/sessions/")),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Every file below `folder` that `keep` lets through, by its path in it. */
export function readTree(folder: string, keep: (path: string) => boolean = () => true): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name))).filter(keep);
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
