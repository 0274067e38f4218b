import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PromptData, promptData } from "../../../src/config/prompt-data.ts";
import { readPromptFiles } from "../../../src/config/prompt-files.ts";
import { renderTemplate } from "../../../src/text/template.ts";
import { load, loadHomes, settle } from "./homes-fixture.ts";

test("with folders to stay within, a file elsewhere is left out, also by a link", async () => {
  const config = await load({
    "config/agents/a.md": "---\nname: a\nfiles: [in.txt, out.txt, linked.txt, ../x.txt]\n---\n",
    "in.txt": "in",
  });
  const { agent } = settle(config);
  const home = agent.home!;
  symlinkSync(import.meta.filename, join(home, "linked.txt"));
  const read = await readPromptFiles(agent, {} as PromptData, undefined, { folders: [home], mayLeave: false });
  expect(read.files).toEqual([{ name: "in.txt", text: "in" }]);
  expect(read.problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^files: out\.txt cannot be read/),
    "files: linked.txt is left out: it lies outside the project that asks for it",
    "files: ../x.txt is left out: it lies outside the project that asks for it",
  ]);
});

test("a path that is accepted to lead out does, a link that is not does not", async () => {
  const config = await loadHomes(
    { "p/.aura/config/agents/a.md": "---\nname: a\nfiles: [linked.txt, ../../x.txt]\n---\n", "x.txt": "out" },
    ["p/.aura"],
  );
  const { agent } = settle(config);
  const home = agent.home!;
  symlinkSync(import.meta.filename, join(home, "linked.txt"));
  const read = await readPromptFiles(agent, {} as PromptData, undefined, { folders: [home], mayLeave: true });
  expect(read.files).toEqual([{ name: "../../x.txt", text: "out" }]);
  expect(read.problems.map(({ message }) => message)).toEqual([
    "files: linked.txt is left out: it lies outside the project that asks for it",
  ]);
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

test("files written for another system are plain text, whatever they look like", async () => {
  const config = await load({
    "config/agents/a.md": "---\nname: a\nfiles: [x.md]\n---\n",
    "x.md": "Say {{ name }} {{{",
  });
  const { agent } = settle(config);
  const { files } = await readPromptFiles({ ...agent, plainFiles: true }, {} as PromptData);
  expect(await renderTemplate(files[0]!.text, {}, { name: "x" })).toBe("Say {{ name }} {{{");
});
