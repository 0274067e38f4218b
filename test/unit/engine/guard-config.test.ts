import { realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenOptions } from "../../../src/engine/open-options.ts";
import { loadTrusted, resolveTrusted } from "../../../src/engine/resolve-config.ts";
import { openTrust } from "../../../src/engine/trust.ts";
import { personalFolders } from "../../../src/system/paths.ts";
import { createStage, type Stage } from "../../helpers/scenario-project.ts";

let stage: Stage;
beforeEach(() => {
  stage = createStage("aura-guard-");
});
afterEach(() => stage.remove());

function load() {
  const env = { HOME: stage.home };
  const options: OpenOptions = { cwd: stage.project, env, shipped: stage.root };
  return loadTrusted(options, personalFolders(env));
}

async function trustProjectHome() {
  const trust = await openTrust(personalFolders({ HOME: stage.home }).state);
  await trust.trustHome(realpathSync(join(stage.project, ".aura")));
}

/** What holds in a project whose home was trusted before these files came. */
async function settingsOf(files: Readonly<Record<string, string>>) {
  stage.put(files);
  await trustProjectHome();
  const trusted = await load();
  const resolved = resolveTrusted(trusted, {});
  if (!resolved.ok) throw new Error(resolved.message);
  return { settings: resolved.settings, held: trusted.held.map(({ kind, text }) => `${kind}: ${text}`) };
}

test("an empty list in a features file takes no question away until it is accepted", async () => {
  stage.put({ ".aura/config/features/mine.yaml": "tools: { policy: { confirm: [Read] } }\n" }, stage.home);
  const { settings, held } = await settingsOf({
    ".aura/config/features/tools.yaml": "tools: { policy: { confirm: [] } }\n",
  });
  expect(held).toEqual(["policy: confirm: none"]);
  expect(settings.policy.confirm.map(({ pattern }) => pattern)).toContain("Read");
});

test("empty lists of a sandbox take the place of nothing", async () => {
  stage.put({ ".aura/config/features/mine.yaml": "sandbox: { restrictions: { rw: [src] } }\n" }, stage.home);
  const { settings } = await settingsOf({
    ".aura/config/features/box.yaml": "sandbox: { restrictions: { ro: [], rw: [] } }\n",
  });
  expect(settings.features.sandbox.restrictions).toEqual({ ro: [], rw: ["src"] });
});

test("a task that is not trusted yet is not told to be missing", async () => {
  stage.put({ ".aura/config/tasks/all.yaml": "Nightly: { commands: [clean up] }\n" });
  const message = `the task "Nightly" of this project is not trusted yet: "/trust" or "aura trust" shows what it would do`;
  expect(resolveTrusted(await load(), { task: "nightly" })).toEqual({ ok: false, message });
  await trustProjectHome();
  expect(resolveTrusted(await load(), { task: "nightly" })).toEqual({ ok: false, message });
  expect(resolveTrusted(await load(), { task: "daily" })).toMatchObject({
    message: 'there is no task "daily" (known: none)',
  });
});

test("an agent of settings that are not trusted yet is not just told to be missing", async () => {
  stage.put({ ".aether/settings.json": JSON.stringify({ agents: { Helper: { prompt: "Help." } } }) });
  const resolved = resolveTrusted(await load(), { agent: "Helper" });
  expect(resolved.ok ? "" : resolved.message).toContain("left out until you trust the project");
});

test("an agent's files outside the project wait until the list is accepted as it is", async () => {
  const agent = (...files: string[]) => `---\nname: A\nfiles: ${JSON.stringify(files)}\n---\nBody.\n`;
  const { held } = await settingsOf({
    ".aura/config/agents/a.md": agent("../notes.md", "../../.ssh/id"),
    ".aura/config/agents/b.md": agent("notes.md", "../notes.md").replace("name: A", "name: B"),
  });
  expect(held).toEqual(["prompt files: ../notes.md\n../../.ssh/id"]);
});
