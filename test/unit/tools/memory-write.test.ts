import { expect, test } from "vitest";
import { memoryWrite } from "../../../src/tools/memory-write.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

test("an entry is saved verbatim in its scope", async () => {
  const project = memoryProject();
  expect(await project.run(memoryWrite, { key: "plan", content: "# Plan" })).toBe("Saved memory: plan (local)");
  expect(await project.run(memoryWrite, { key: "me", content: "x\n", scope: "global" })).toBe(
    "Saved memory: me (global)",
  );
  expect(project.files).toEqual({ ".aura/memory/plan.md": "# Plan", "../home/somebody/.aura/memory/me.md": "x\n" });
});

test("a key that is a path is refused", async () => {
  await expect(memoryProject().run(memoryWrite, { key: "../x", content: "x" })).rejects.toThrow(
    'invalid memory key "../x"',
  );
});
