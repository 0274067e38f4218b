import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JudgedCall } from "../../../src/policy/policy.ts";
import { createShellReader } from "../../../src/policy/shell/shell-reader.ts";
import { diskSurroundings } from "../../../src/policy/shell/surroundings.ts";

/** The commands of `test/fixtures/policy/<name>.txt`. */
export function readCorpus(name: "harmless" | "hostile"): readonly string[] {
  const file = fileURLToPath(new URL(`../../fixtures/policy/${name}.txt`, import.meta.url));
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("## "))
    .map((line) => (line.startsWith("json:") ? (JSON.parse(line.slice(5)) as string) : line));
}

export interface Workspace {
  readonly cwd: string;
  readonly home: string;
  /** A Bash call as the engine hands it to the judge. */
  bash(command: string, workdir?: string): Promise<JudgedCall>;
  remove(): void;
}

/** A small project on disk, with a secret and a way out in it. */
export function makeWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "aura-judge-")));
  const cwd = join(root, "project");
  const home = join(root, "home");
  mkdirSync(home);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  mkdirSync(join(cwd, "links"));
  symlinkSync("/etc", join(cwd, "links/escape"));
  const reader = createShellReader();
  const around = diskSurroundings({ cwd, home, ours: [join(home, ".config/aura")], path: "/usr/bin:/bin" });
  return {
    cwd,
    home,
    async bash(command, workdir) {
      const reading = await reader.read(command, workdir ?? cwd, around, []);
      return { tool: "Bash", input: { command }, cwd, home, ours: around.ours, shell: { command, reading } };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# x\nfoo 1\nbar 2\n",
  "package.json": '{"name":"x","version":"1.0.0","scripts":{"a":"b"},"dependencies":{},"devDependencies":{}}\n',
  "src/index.ts": "export const a = 1;\n",
  "src/main.ts": "import { a } from './index.ts';\n",
  "src/lib/util.ts": "export const b = 2;\n",
  "docs/guide.md": "one two\n",
  "docs/a.tar": "",
  "docs/a.tgz": "",
  ".env": "KEY=1\n",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
  ".git/objects/info/x": "",
  ".git/refs/heads/x": "",
};
