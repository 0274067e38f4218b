import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readInstructions } from "../../../src/config/instructions.ts";
import { promptData } from "../../../src/config/prompt-data.ts";
import { readPromptFiles } from "../../../src/config/prompt-files.ts";
import { load, scratch, settle } from "./homes-fixture.ts";

const TREE = {
  "global/AGENTS.md": "global",
  "above/AGENTS.md": "above the repository",
  "above/repo/AGENTS.md": "repository\r\n",
  "above/repo/.aura/AGENTS.md": "project home",
  "above/repo/src/AGENTS.md": "source",
  "above/repo/src/deep/x": "",
};

async function read(which: "all" | "global" | "local" | "none", launch = "above/repo/src/deep"): Promise<string[]> {
  const root = await scratch(TREE);
  await mkdir(join(root, "above/repo/.git"));
  const texts = await readInstructions({
    homes: { global: join(root, "global"), projects: [join(root, "above/repo/.aura")] },
    workDir: join(root, "above/repo/src/deep"),
    launchDir: join(root, launch),
    which,
  });
  return texts.map(({ text }) => text);
}

test("from the homes, then from the repository down to the working directory", async () => {
  expect(await read("all", "elsewhere")).toEqual(["global", "project home", "repository\n", "source"]);
});

test("the search does not climb above the launch directory", async () => {
  expect(await read("local", "above/repo/src")).toEqual(["project home", "source"]);
});

test.each([
  ["global", ["global"]],
  ["none", []],
] as const)("%s", async (which, expected) => {
  expect(await read(which)).toEqual(expected);
});

test("an agent's files are read from its home; an empty path is left out, a missing file is a problem", async () => {
  const config = await load({
    "config/agents/a.md":
      '---\nname: a\nfiles:\n  - docs/x.md\n  - \'{{ if env "NO" }}y.md{{ end }}\'\n  - "docs/{{ .Agent }}.md"\n---\n',
    "docs/x.md": "X\r\n",
  });
  const settings = settle(config);
  const data = promptData(settings, {
    provider: "p",
    model: { name: "m" },
    tools: { eager: [], deferred: [] },
    sandbox: { enabled: false, requested: false, readOnly: [], readWrite: [] },
    readBefore: { write: true, delete: false },
    hooks: [],
    memories: { local: "", global: "" },
    homes: config.homes,
    launchDir: "/",
    workDir: "/",
    vars: {},
  });
  const { files, problems } = await readPromptFiles(settings.agent, data);
  expect(files).toEqual([{ name: "docs/x.md", text: "X\n" }]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^files: docs\/a\.md cannot be read: /),
  ]);
});
