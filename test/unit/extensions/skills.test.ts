import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findSkills, readSkillText, stampOf } from "../../../src/extensions/skills.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "aura-skills-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text: string | Uint8Array) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const head = (fields: string, body = "") => `---\n${fields}\n---\n${body}`;
const place = (dir: string, more: { flat?: boolean; mayRun?: boolean } = {}) => ({
  dir: join(root, dir),
  flat: more.flat ?? true,
  mayRun: more.mayRun ?? true,
});
const find = async (...dirs: string[]) => findSkills(dirs.map((dir) => place(dir)));

test("flat files and folders are skills, each with what its head says", async () => {
  put("a/deep/flat.md", head("name: Flat\ndescription: |\n  of two\n  lines"));
  put(
    "a/folder/SKILL.md",
    head(
      "name: folder\ndescription: d\nargument_hint: '[x]'\ntags: [one, two]\nuser_invocable: false\nglobs: '*.ts, *.tsx'\ntriggers: { read: ['src/**'] }\nunknown: kept out",
    ),
  );
  put("a/folder/scripts/run.sh", "echo");
  put("a/README.md", "no skill");
  put("a/x.example.md", "no skill");
  put("a/.hidden/SKILL.md", head("name: hidden\ndescription: d"));
  expect(await find("a")).toEqual({
    problems: [],
    skills: [
      {
        name: "Flat",
        description: "of two lines",
        file: join(root, "a/deep/flat.md"),
        hasFiles: false,
        mayRun: true,
        userInvocable: false,
        agentInvocable: true,
        tags: [],
        readGlobs: [],
      },
      {
        name: "folder",
        description: "d",
        file: join(root, "a/folder/SKILL.md"),
        folder: join(root, "a/folder"),
        hasFiles: true,
        mayRun: true,
        userInvocable: false,
        agentInvocable: true,
        argumentHint: "[x]",
        tags: ["one", "two"],
        readGlobs: ["src/**", "*.ts", "*.tsx"],
      },
    ],
  });
});

test("a folder with a SKILL.md is one skill, a name defaults to the folder, and folders can be all that counts", async () => {
  put("a/one/SKILL.md", `\uFEFF${head("description: d")}`);
  put("a/one/references/other.md", "no head at all");
  put("a/two.md", head("name: two\ndescription: d"));
  const { skills } = await findSkills([place("a", { flat: false })]);
  expect(skills.map(({ name, userInvocable, hasFiles }) => [name, userInvocable, hasFiles])).toEqual([
    ["one", true, true],
  ]);
});

test("the later place wins, whatever the case, and keeps whether it may run commands", async () => {
  put("a/x.md", head("name: Same\ndescription: first"));
  put("b/y.md", head("name: same\ndescription: second"));
  const { skills } = await findSkills([place("a"), place("b", { mayRun: false })]);
  expect(skills.map(({ name, description, mayRun }) => ({ name, description, mayRun }))).toEqual([
    { name: "same", description: "second", mayRun: false },
  ]);
});

test("a skill nobody can see is left out, and a broken one is named and stops no other", async () => {
  put("a/silent.md", head("name: silent\ndescription: d\ndisable-model-invocation: true"));
  put("a/rule.md", head("name: rule\ndescription: d\nagent-invocable: false\npaths: ['*.c']"));
  put("a/none.md", head("name: none"));
  put("a/wrong.md", head("name: [wrong"));
  put("a/code.md", "---js\nprocess.exit()\n---\n");
  const { skills, problems } = await find("a");
  expect(skills.map(({ name }) => name)).toEqual(["rule"]);
  expect(problems.map((problem) => problem.split(":")[0])).toEqual(
    ["code.md", "none.md", "wrong.md"].map((file) => join(root, "a", file)),
  );
});

test("a place that is not there has no skills, and a stamp tells every change", async () => {
  expect(await find("nowhere")).toEqual({ skills: [], problems: [] });
  const before = await stampOf([place("a")]);
  put("a/x.md", head("name: x\ndescription: d"));
  const after = await stampOf([place("a")]);
  put("a/x.md", head("name: x\ndescription: changed"));
  expect(new Set([before, after, await stampOf([place("a")])]).size).toBe(3);
});

test("links in circles end", async () => {
  put("a/x.md", head("name: x\ndescription: d"));
  symlinkSync(join(root, "a"), join(root, "a/again"));
  expect((await find("a")).skills.map(({ name }) => name)).toEqual(["x"]);
});

test("files of a skill are read by relative path, and no path leads out", async () => {
  put("a/s/SKILL.md", head("name: s\ndescription: d", "Text."));
  put("a/s/references/list.md", "1.");
  put("a/s/data.bin", new Uint8Array([1, 0, 2]));
  put("secret.txt", "secret");
  symlinkSync(join(root, "secret.txt"), join(root, "a/s/link.txt"));
  const [skill] = (await find("a")).skills;
  expect(await readSkillText(skill!)).toBe(
    `Text.\n\n[Files of this skill, in ${root}/a/s: data.bin, references/list.md]`,
  );
  expect(await readSkillText(skill!, "references/list.md")).toBe("1.");
  for (const [path, why] of [
    ["../../secret.txt", "only relative paths"],
    [join(root, "secret.txt"), "only relative paths"],
    ["references\\..\\..\\..\\secret.txt", "only relative paths"],
    ["link.txt", "leads out of the skill's folder"],
    ["references", "is a folder"],
    ["data.bin", "is not text"],
    ["nothing.md", "no such file. Files: data.bin, references/list.md"],
  ] as const)
    await expect(readSkillText(skill!, path), path).rejects.toThrow(why);
});

test("a flat skill has no files", async () => {
  put("a/x.md", head("name: x\ndescription: d", "Text."));
  const [skill] = (await find("a")).skills;
  expect(await readSkillText(skill!)).toBe("Text.");
  await expect(readSkillText(skill!, "y.md")).rejects.toThrow('the skill "x" has no files');
});
