import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rg } from "../../../src/tools/rg.ts";
import { diskFiles } from "../../../src/workspace/disk-files.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "aura-rg-")));
  const files = {
    "a.ts": "const needle = 1;\nconst Needle = 2;\n// end\n",
    "b.ts": "needle\n",
    "sub/c.md": "one\ntwo needle\nthree\n",
    "odd:12:name.txt": "odd needle\n",
    "dos.txt": "dos word\r\n",
    ".gitignore": "ignored.txt\n",
    ".git/HEAD": "needle\n",
    "ignored.txt": "needle\n",
    "-dash.txt": "-e flag\n",
    "line\nend/b\nc.txt": "odd name\n",
    "long.txt": `${"x".repeat(5000)} longest ${"y".repeat(5000)}\n`,
    "many.txt": "many matches\n".repeat(30_000),
    "wide.txt": `wide ${"w".repeat(300)}\n`.repeat(150),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
});
afterAll(() => rm(cwd, { recursive: true }));

const project = () => memoryProject({}, { cwd, files: diskFiles({ stateDir: join(cwd, ".state"), env: {} }) });
const search = (input: object) => project().run(rg, input);

test("a search is ended with us: its process is guarded while it runs", async () => {
  const guarded: (string | number)[] = [];
  const files = diskFiles({ stateDir: join(cwd, ".state"), env: {} });
  const guardProcess = (pid: number) => {
    guarded.push(pid);
    return () => void guarded.push("ended");
  };
  await memoryProject({}, { cwd, files, guardProcess }).run(rg, { pattern: "needle" });
  expect(guarded).toEqual([expect.any(Number), "ended"]);
});

describe("matches", () => {
  test("are path:line:match, by path, ignored files left out", async () => {
    expect(await search({ pattern: "needle" })).toBe(
      "a.ts:1:const needle = 1;\nb.ts:1:needle\nodd:12:name.txt:1:odd needle\nsub/c.md:2:two needle",
    );
  });

  test("in a single file name it, too", async () => {
    expect(await search({ pattern: "needle", path: "b.ts" })).toBe("b.ts:1:needle");
  });

  test("outside the working directory have absolute paths", async () => {
    const outside = memoryProject(
      {},
      { cwd: join(cwd, "sub"), files: diskFiles({ stateDir: join(cwd, ".state"), env: {} }) },
    );
    expect(await outside.run(rg, { pattern: "needle", path: "../b.ts" })).toBe(`${cwd}/b.ts:1:needle`);
  });

  test("can be limited to names, case-free, with surroundings, or files only", async () => {
    expect(await search({ pattern: "needle", glob: "*.md" })).toBe("sub/c.md:2:two needle");
    expect(await search({ pattern: "NEEDLE", glob: "a.ts", ignore_case: true })).toBe(
      "a.ts:1:const needle = 1;\na.ts:2:const Needle = 2;",
    );
    expect(await search({ pattern: "needle", path: "sub", context: 1 })).toBe(
      "sub/c.md-1-one\nsub/c.md:2:two needle\nsub/c.md-3-three",
    );
    expect(await search({ pattern: "needle", files_only: true })).toBe("a.ts\nb.ts\nodd:12:name.txt\nsub/c.md");
  });

  test("show a CRLF line without its carriage return", async () => {
    expect(await search({ pattern: "dos w" })).toBe("dos.txt:1:dos word");
  });

  test("in a file with a line end in its name are told as that file's", async () => {
    expect(await search({ pattern: "(odd|dos) (name|word)" })).toBe(
      'dos.txt:1:dos word\n"line\\nend/b\\nc.txt":1:odd name',
    );
    expect(await search({ pattern: "odd name", files_only: true })).toBe('"line\\nend/b\\nc.txt"');
  });

  test("of a pattern like a flag are found, in a file with a name like one", async () => {
    expect(await search({ pattern: "-e", path: "-dash.txt" })).toBe("-dash.txt:1:-e flag");
  });
});

describe("what cannot be answered", () => {
  test("no match is said", async () => {
    expect(await search({ pattern: "not in here" })).toBe("No matches found.");
  });

  test("a bad pattern is an error with ripgrep's words", async () => {
    expect(await project().call(rg, { pattern: "(" })).toMatchObject({
      status: "failed",
      message: expect.stringContaining("unclosed group"),
    });
  });

  test("a path that does not exist is an error", async () => {
    expect(await project().call(rg, { pattern: "x", path: "gone" })).toEqual({
      status: "failed",
      message: `searching ${cwd}/gone: no such file or directory`,
    });
  });

  test.skipIf(process.getuid?.() === 0)("a file that cannot be read is reported beside the matches", async () => {
    await writeFile(join(cwd, "sub/secret.md"), "needle");
    await chmod(join(cwd, "sub/secret.md"), 0);
    const text = await search({ pattern: "needle", path: "sub" });
    await rm(join(cwd, "sub/secret.md"));
    expect(text).toMatch(/^sub\/c.md:2:two needle\n\[some files could not be searched: .*secret\.md.*denied/s);
  });

  test("a pipe or a device is refused, because it may never end", async () => {
    expect(await project().call(rg, { pattern: "x", path: "/dev/zero" })).toEqual({
      status: "failed",
      message: "searching /dev/zero: is not a regular file",
    });
  });

  test("a cancelled search is an error", async () => {
    const access = { cwd, files: diskFiles({ stateDir: join(cwd, ".state"), env: {} }), signal: AbortSignal.abort() };
    expect(await memoryProject({}, access).call(rg, { pattern: "needle" })).toMatchObject({ status: "failed" });
  });
});

describe("limits", () => {
  test("a long line is clipped", async () => {
    const text = await search({ pattern: "longest" });
    expect(text).toMatch(/^long\.txt:1:x{100,}/);
    expect(text.length).toBeLessThan(700);
  });

  test("200 lines are shown and the rest is counted", async () => {
    const lines = (await search({ pattern: "many", path: "many.txt", glob: "*" })).split("\n");
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toMatch(/^\[more than 19800 more lines; narrow with path, glob or a stricter pattern/);
  });

  test("30 kB are shown at most", async () => {
    const text = await search({ pattern: "wide" });
    expect(text.length).toBeLessThan(30_500);
    expect(text).toMatch(/\n\[\d+ more lines; narrow/);
  });
});
