import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BUILT_IN_AGENT, BUILT_IN_MODE } from "../../../src/config/built-in.ts";
import { initHome } from "../../../src/config/init.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { load, scratch, settle } from "./homes-fixture.ts";

const SAMPLE = join(import.meta.dirname, "../../../.aura/config");

test("files are created once and never overwritten", async () => {
  const root = await scratch({ "s/agents/a.md": "new", "s/features/f.yaml": "new", "h/config/agents/a.md": "mine" });
  const results = await initHome(join(root, "s"), join(root, "h"));
  expect(results).toEqual([
    { file: "config/agents/a.md", status: "skipped" },
    { file: "config/features/f.yaml", status: "created" },
  ]);
  expect(await readFile(join(root, "h/config/agents/a.md"), "utf8")).toBe("mine");
});

test("what init writes means the same as no configuration", async () => {
  const root = await scratch();
  await initHome(SAMPLE, join(root, "h"));
  const config = await loadConfig({ home: "", projects: [join(root, "h")], userHome: root, cwd: root });
  expect([config.problems, config.notices]).toEqual([[], []]);

  const placeless = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, item) => (["file", "line", "home", "from"].includes(key) ? undefined : item)),
    );
  for (const mode of [undefined, "plan"]) {
    expect(placeless(settle(config, { mode }))).toEqual(placeless(settle(await load({}), { mode })));
  }
  expect([config.agents.get("aura")?.body, config.modes.get("plan")?.body]).toEqual([
    BUILT_IN_AGENT.body,
    BUILT_IN_MODE.body,
  ]);
});

test("every example of the sample home is right once it is renamed", async () => {
  const root = await scratch();
  const files = (await readdir(SAMPLE, { recursive: true })).filter((name) => name.includes(".example."));
  for (const name of files) {
    const to = join(root, "h/config", name.replace(".example.", "."));
    await mkdir(join(to, ".."), { recursive: true });
    await import("node:fs/promises").then(({ copyFile }) => copyFile(join(SAMPLE, name), to));
  }
  const config = await loadConfig({ home: "", projects: [join(root, "h")], userHome: root, cwd: root });
  expect(config.problems).toEqual([]);
  expect([config.providers.size, config.prompts.size, config.tools.size]).toEqual([7, 1, 3]);
});
