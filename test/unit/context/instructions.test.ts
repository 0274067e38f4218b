import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatherInstructions, type InstructionOptions } from "../../../src/context/instructions.ts";

let top: string;
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "aura-agents-")));
});
afterEach(() => rm(top, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
async function gather(more: Partial<InstructionOptions> = {}) {
  const { files, notices } = await gatherInstructions({
    homes: [
      { dir: join(top, "home/.aura"), scope: "global" },
      { dir: join(top, "repo/.aura"), scope: "local" },
    ],
    workdir: join(top, "repo/packages/app"),
    launchDir: join(top, "repo/packages/app"),
    which: "all",
    ...more,
  });
  return { files: files.map(({ path, scope, text }) => [path.slice(top.length + 1), scope, text]), notices };
}
function repository(): void {
  mkdirSync(join(top, "repo/.git"), { recursive: true });
  mkdirSync(join(top, "repo/packages/app"), { recursive: true });
  write("AGENTS.md", "outside");
  write("home/.aura/AGENTS.md", "mine");
  write("repo/.aura/AGENTS.md", "project home");
  write("repo/AGENTS.md", "root");
  write("repo/packages/app/AGENTS.md", "app");
  write("repo/packages/app/CLAUDE.md", "for another");
}

test("Homes come first, then the project from its root down to here; nothing above the root", async () => {
  repository();
  expect(await gather()).toEqual({
    files: [
      ["home/.aura/AGENTS.md", "global", "mine"],
      ["repo/.aura/AGENTS.md", "local", "project home"],
      ["repo/AGENTS.md", "local", "root"],
      ["repo/packages/app/AGENTS.md", "local", "app"],
    ],
    notices: [],
  });
});

test("An agent may want only the global ones, only the local ones, or none", async () => {
  repository();
  expect((await gather({ which: "global" })).files.map(([path]) => path)).toEqual(["home/.aura/AGENTS.md"]);
  expect((await gather({ which: "local" })).files.map(([path]) => path)).toEqual([
    "repo/.aura/AGENTS.md",
    "repo/AGENTS.md",
    "repo/packages/app/AGENTS.md",
  ]);
  expect((await gather({ which: "none" })).files).toEqual([]);
});

test("Other tools' files are read only when asked for", async () => {
  repository();
  const { files } = await gather({ which: "local", alsoNamed: ["CLAUDE.md"] });
  expect(files.map(([path]) => path)).toEqual([
    "repo/.aura/AGENTS.md",
    "repo/AGENTS.md",
    "repo/packages/app/AGENTS.md",
    "repo/packages/app/CLAUDE.md",
  ]);
});

test("Without a repository the launch directory is the top, and a workdir elsewhere stands alone", async () => {
  write("AGENTS.md", "outside");
  write("work/AGENTS.md", "launch");
  write("work/sub/AGENTS.md", "sub");
  const from = async (workdir: string, launchDir: string) =>
    (await gather({ workdir: join(top, workdir), launchDir: join(top, launchDir) })).files.map(([path]) => path);
  expect(await from("work/sub", "work")).toEqual(["work/AGENTS.md", "work/sub/AGENTS.md"]);
  expect(await from("work", "work/sub")).toEqual(["work/AGENTS.md"]);
});

test("A file reached twice is read once, and an empty one is none", async () => {
  repository();
  write("repo/packages/app/AGENTS.md", " \n");
  write("repo/packages/AGENTS.md", "packages");
  symlinkSync(join(top, "repo/packages/AGENTS.md"), join(top, "repo/packages/app/CLAUDE2.md"));
  const { files } = await gather({ which: "local", alsoNamed: ["CLAUDE2.md"] });
  expect(files.map(([path]) => path)).toEqual(["repo/.aura/AGENTS.md", "repo/AGENTS.md", "repo/packages/AGENTS.md"]);
});

test("A big file is used up to a whole line and says so; byte order marks are understood", async () => {
  repository();
  write("repo/AGENTS.md", "\ufeffüone\ntwo\nthree\n");
  write("repo/packages/app/AGENTS.md", Buffer.from("\ufeffsixteen bits", "utf16le"));
  expect(await gather({ which: "local", homes: [] })).toMatchObject({
    files: [
      ["repo/AGENTS.md", "local", "üone\ntwo\nthree\n"],
      ["repo/packages/app/AGENTS.md", "local", "sixteen bits"],
    ],
    notices: [],
  });
  write("repo/packages/app/AGENTS.md", "");
  expect(await gather({ which: "local", homes: [], maxBytes: 16 })).toEqual({
    files: [["repo/AGENTS.md", "local", "üone\ntwo\n"]],
    notices: [`${join(top, "repo/AGENTS.md")} has 19 bytes; only the first 16 are used`],
  });
});

test("An AGENTS.md that cannot be read is a notice", async () => {
  repository();
  mkdirSync(join(top, "repo/packages/AGENTS.md"));
  const { files, notices } = await gather({ which: "local", homes: [] });
  expect(files.map(([path]) => path)).toEqual(["repo/AGENTS.md", "repo/packages/app/AGENTS.md"]);
  expect(notices).toEqual([expect.stringContaining(`${join(top, "repo/packages/AGENTS.md")} cannot be read: EISDIR`)]);
});

test("A link out of the project is left out and told; one inside it is read", async () => {
  repository();
  write("secrets/key", "private");
  rmSync(join(top, "repo/AGENTS.md"));
  rmSync(join(top, "repo/packages/app/AGENTS.md"));
  symlinkSync(join(top, "secrets/key"), join(top, "repo/AGENTS.md"));
  write("repo/docs/rules.md", "rules");
  symlinkSync(join(top, "repo/docs/rules.md"), join(top, "repo/packages/app/AGENTS.md"));
  expect(await gather()).toEqual({
    files: [
      ["home/.aura/AGENTS.md", "global", "mine"],
      ["repo/.aura/AGENTS.md", "local", "project home"],
      ["repo/packages/app/AGENTS.md", "local", "rules"],
    ],
    notices: [`${join(top, "repo/AGENTS.md")} is a link out of the project and was left out`],
  });
});
