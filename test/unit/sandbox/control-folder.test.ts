import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanControlFolders, makeControlFolder, removeControlFolder } from "../../../src/sandbox/control-folder.ts";

let top: string;
beforeAll(() => {
  top = join(mkdtempSync(join(tmpdir(), "aura-control-")), "trials");
});
afterAll(() => rmSync(join(top, ".."), { recursive: true }));

test("what dead processes left is removed, what a living one holds stays", async () => {
  await cleanControlFolders(top);
  const own = await makeControlFolder(top);
  const { pid } = spawnSync("true");
  mkdirSync(join(top, `${pid}-1-abc/scratch/work/work`), { recursive: true, mode: 0o700 });
  // A number that was given to somebody else since.
  mkdirSync(join(top, `${process.pid}-1-abc`));
  writeFileSync(join(top, `${process.pid}-1-abc/out`), "");
  await cleanControlFolders(top);
  expect(readdirSync(top).map((name) => join(top, name))).toEqual([own]);
  await removeControlFolder(own);
  expect(existsSync(own)).toBe(false);
});
