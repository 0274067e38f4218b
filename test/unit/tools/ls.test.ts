import { expect, test } from "vitest";
import { ls } from "../../../src/tools/ls.ts";
import { FileProblem } from "../../../src/workspace/project-files.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const files = { "b.txt": "", "a.txt": "", "src/z.ts": "", "src/deep/y.ts": "", ".hidden": "" };

test("directories come first, each with a slash", async () => {
  expect(await memoryProject(files).run(ls, {})).toBe("src/\n.hidden\na.txt\nb.txt");
  expect(await memoryProject(files).run(ls, { path: "src", depth: 0 })).toBe("deep/\nz.ts");
});

test("depth descends", async () => {
  expect(await memoryProject(files).run(ls, { depth: 2 })).toBe("src/\nsrc/deep/\n.hidden\na.txt\nb.txt\nsrc/z.ts");
  expect(await memoryProject(files).run(ls, { depth: 9 })).toContain("src/deep/y.ts");
});

test("a name with a line end in it stays on one line", async () => {
  expect(await memoryProject({ "a\nb.txt": "", "c\nd/e": "" }).run(ls, {})).toBe('"c\\nd/"\n"a\\nb.txt"');
});

test("a file is its name, an empty directory says so, a missing path is an error", async () => {
  const project = memoryProject(files);
  await project.disk.makeDirectory("/project/empty");
  expect(await project.run(ls, { path: "src/z.ts" })).toBe("z.ts");
  expect(await project.run(ls, { path: "empty" })).toBe("Empty directory");
  await expect(project.run(ls, { path: "none" })).rejects.toThrow("path not found: /project/none");
});

test("a long listing is capped and says so", async () => {
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`f${index}`, ""]));
  const lines = (await memoryProject(many).run(ls, {})).split("\n");
  expect([lines.length, ...lines.slice(-2)]).toEqual([
    1002,
    "",
    "[only the first 1000 entries are listed; list a deeper path or use Glob]",
  ]);
});

test("directories that cannot be read are skipped and summarised", async () => {
  const project = memoryProject({ "ok/a": "", "no1/a": "", "no2/a": "", "no3/a": "", "no4/a": "" });
  const access = {
    ...project.access,
    files: {
      ...project.disk,
      list: async (path: string) => {
        if (path.includes("no")) throw new FileProblem("listing", path, "permission denied");
        return project.disk.list(path);
      },
    },
  };
  expect(await ls.run({ depth: 2 }, access)).toBe(
    [
      "no1/\nno2/\nno3/\nno4/\nok/\nok/a",
      "",
      "[4 entries skipped due to errors]",
      ...[1, 2, 3].map((n) => `  listing /project/no${n}: permission denied`),
    ].join("\n"),
  );
});
