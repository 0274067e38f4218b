import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { glob } from "../../../src/tools/glob.ts";
import { diskFiles } from "../../../src/workspace/disk-files.ts";
import { FileProblem } from "../../../src/workspace/project-files.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const FILES = Object.fromEntries(
  [
    "README.md",
    "src/index.ts",
    "src/view.tsx",
    "src/a/deep/file.ts",
    "src/.hidden.ts",
    "app/(shop)/page.tsx",
    "app/[id]/page.tsx",
    "!odd.ts",
    ".git/config.ts",
    ".github/ci.yml",
  ].map((path) => [path, ""]),
);

const found = (...paths: string[]) =>
  [`Found ${paths.length} match(es):`, ...paths.map((path) => `/project/${path}`)].join("\n");
const NONE = "No files matched (ignored files were left out; include_ignored: true looks there too)";

describe("patterns", () => {
  test.each([
    ["*.md", ["README.md"]],
    ["**/*.ts", ["!odd.ts", "src/.hidden.ts", "src/a/deep/file.ts", "src/index.ts"]],
    ["src/*.{ts,tsx}", ["src/.hidden.ts", "src/index.ts", "src/view.tsx"]],
    ["src/*.t?x", ["src/view.tsx"]],
    ["src/[h-j]*.ts", ["src/index.ts"]],
    ["src/[!i.]*", ["src/view.tsx"]],
    ["./src/index.ts", ["src/index.ts"]],
    ["app/(shop)/*", ["app/(shop)/page.tsx"]],
    ["app/\\[id\\]/*", ["app/[id]/page.tsx"]],
    ["!odd.ts", ["!odd.ts"]],
    [".github/*", [".github/ci.yml"]],
    ["/project/src/in*.ts", ["src/index.ts"]],
  ])("%s", async (pattern, paths) => {
    expect(await memoryProject(FILES).run(glob, { pattern })).toBe(found(...paths));
  });

  test.each(["src/[abc", "src/{a,b", "a}", "[]", "[!]", "a\\"])("%s is refused as invalid", async (pattern) => {
    expect(await memoryProject(FILES).call(glob, { pattern })).toEqual({
      status: "failed",
      message: `invalid pattern: ${pattern}`,
    });
  });

  test("nothing found is said, with what was left out", async () => {
    expect(await memoryProject(FILES).run(glob, { pattern: "*.go" })).toBe(NONE);
    expect(await memoryProject(FILES).run(glob, { pattern: "*.go", include_ignored: true })).toBe("No files matched");
    expect(await memoryProject(FILES).run(glob, { pattern: ".git/*" })).toBe(NONE);
  });
});

describe("path", () => {
  test("is where the search starts", async () => {
    const project = memoryProject(FILES);
    expect(await project.run(glob, { pattern: "*.ts", path: "src" })).toBe(found("src/.hidden.ts", "src/index.ts"));
  });

  test("must be a directory that exists", async () => {
    const project = memoryProject(FILES);
    expect(await project.call(glob, { pattern: "*", path: "gone" })).toEqual({
      status: "failed",
      message: "searching /project/gone: no such file or directory",
    });
    expect(await project.call(glob, { pattern: "*", path: "README.md" })).toEqual({
      status: "failed",
      message: "searching /project/README.md: is a file, not a directory",
    });
  });
});

describe("ignored files", () => {
  const files = {
    ".gitignore": "*.log\nbuild/\n/only-root.txt\n",
    ".git/info/exclude": "private.txt\n",
    "a.log": "",
    "build/out.txt": "",
    "only-root.txt": "",
    "private.txt": "",
    "sub/only-root.txt": "",
    "sub/.gitignore": "!keep.log\nnested.txt\n",
    "sub/keep.log": "",
    "sub/other.log": "",
    "sub/nested.txt": "",
    "sub/deep/nested.txt": "",
    "sub/plain.txt": "",
  };

  test("are left out by the rules of every folder, the deepest deciding", async () => {
    expect(await memoryProject(files).run(glob, { pattern: "**/*.{log,txt}" })).toBe(
      found("sub/keep.log", "sub/only-root.txt", "sub/plain.txt"),
    );
  });

  test("are left out by the rules above the folder searched, up to the repository", async () => {
    const project = memoryProject(files);
    expect(await project.run(glob, { pattern: "*.log", path: "sub" })).toBe(found("sub/keep.log"));
    expect(await project.run(glob, { pattern: "*", path: "build" })).toBe(NONE);
  });

  test("are found when asked for, .git still excluded", async () => {
    const text = await memoryProject(files).run(glob, { pattern: "**/*.{log,txt}", include_ignored: true });
    expect(text.split("\n")).toHaveLength(1 + 10);
    expect(await memoryProject(files).run(glob, { pattern: ".git/**", include_ignored: true })).toBe(
      "No files matched",
    );
  });
});

test("more than 200 matches are cut, in order, and counted", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [`f${String(index).padStart(3, "0")}`, ""]),
  );
  const lines = (await memoryProject(many).run(glob, { pattern: "*" })).split("\n");
  expect(lines.slice(0, 2)).toEqual(["Found 250 match(es):", "/project/f000"]);
  expect(lines.slice(-2)).toEqual(["/project/f199", "[50 more; narrow the pattern or the path]"]);
});

test("a folder that cannot be listed is an error", async () => {
  const project = memoryProject({ "a.ts": "" });
  const list = (path: string) => Promise.reject(new FileProblem("listing", path, "permission denied"));
  const access = { ...project.access, files: { ...project.disk, list } };
  await expect(glob.run({ pattern: "*.ts" }, access)).rejects.toThrow("listing /project: permission denied");
});

describe("links on disk", () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), "aura-glob-")));
    await writeFile(join(cwd, "real.ts"), "");
    await symlink("real.ts", join(cwd, "link.ts"));
    await symlink("circle.ts", join(cwd, "circle.ts"));
    await symlink("gone.ts", join(cwd, "dangling.ts"));
    await symlink(".gitignore", join(cwd, ".gitignore"));
  });
  afterAll(() => rm(cwd, { recursive: true }));

  test("that lead in a circle or nowhere do not keep the others from being found", async () => {
    const files = diskFiles({ stateDir: join(cwd, ".state"), env: {} });
    expect(await memoryProject({}, { cwd, files }).run(glob, { pattern: "*.ts" })).toBe(
      `Found 2 match(es):\n${cwd}/link.ts\n${cwd}/real.ts`,
    );
  });
});
