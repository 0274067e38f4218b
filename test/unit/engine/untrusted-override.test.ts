import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { loadTrusted } from "../../../src/engine/resolve-config.ts";
import { personalFolders } from "../../../src/system/paths.ts";
import { createStage, type Stage } from "../../helpers/scenario-project.ts";

let stage: Stage | undefined;
afterEach(() => stage?.remove());

test("a project nobody trusts cannot let a tool take the place of one of ours; a person's own files can", async () => {
  stage = createStage();
  const definition = "read: { override: true, description: mine }\n";
  stage.put({ ".aura/config/tools/a.yaml": definition });
  stage.put({ ".aura/config/tools/b.yaml": "write: { override: true }\n" }, stage.home);
  const options = {
    cwd: stage.project,
    env: { HOME: stage.home },
    home: join(stage.home, ".aura"),
    shipped: stage.root,
  };
  const overrides = async (more: object) => {
    const { config } = await loadTrusted({ ...options, ...more }, personalFolders(options.env));
    return [...config.tools.values()].map(({ name, value }) => [name, value.override]);
  };
  expect(await overrides({})).toEqual([
    ["write", true],
    ["read", false],
  ]);
  expect(await overrides({ trust: true })).toEqual([
    ["write", true],
    ["read", true],
  ]);
});
