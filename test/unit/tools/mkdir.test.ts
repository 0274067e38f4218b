import { expect, test } from "vitest";
import { mkdir } from "../../../src/tools/mkdir.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

test("directories are made with their parents, and counted", async () => {
  const project = memoryProject();
  expect(await project.run(mkdir, { paths: ["a/b", "c"] })).toBe("Created 2 directories");
  expect(await project.run(mkdir, { paths: ["a/b", "d"] })).toBe("Created 1 directories, 1 already existed");
  expect(await project.run(mkdir, { paths: ["a", "c"] })).toBe("All 2 directories already exist");
  expect((await project.disk.list("/project")).map((entry) => entry.name)).toEqual(["a", "c", "d"]);
});

test("a file in the way is an error; directories made before it stay", async () => {
  const project = memoryProject({ f: "" });
  await expect(project.run(mkdir, { paths: ["a", "f"] })).rejects.toThrow(
    "path exists but is not a directory: /project/f",
  );
  expect(await project.disk.stat("/project/a")).toMatchObject({ kind: "directory" });
  expect(mkdir.paths?.({ paths: ["a", "b"] })).toEqual({ write: ["a", "b"] });
});
