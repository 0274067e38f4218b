import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findHomes } from "../../../src/config/homes.ts";
import { scratch } from "./homes-fixture.ts";

test("without any home there is nothing to read and nowhere to write", async () => {
  const root = await scratch();
  expect(await findHomes({ userHome: root, cwd: root })).toEqual({ projects: [] });
});

test("the defaults are ~/.aura and ./.aura; the project's is written to", async () => {
  const root = await scratch({ "me/.aura/x": "", "work/.aura/x": "" });
  expect(await findHomes({ userHome: join(root, "me"), cwd: join(root, "work") })).toEqual({
    global: join(root, "me/.aura"),
    projects: [join(root, "work/.aura")],
    write: join(root, "work/.aura"),
  });
});

test("XDG_CONFIG_HOME/aura stands in for a missing ~/.aura", async () => {
  const root = await scratch({ "xdg/aura/x": "" });
  const options = { userHome: join(root, "me"), cwd: root, xdgConfigHome: join(root, "xdg") };
  expect(await findHomes(options)).toEqual({
    global: join(root, "xdg/aura"),
    projects: [],
    write: join(root, "xdg/aura"),
  });
  await mkdir(join(root, "me/.aura"), { recursive: true });
  expect((await findHomes(options)).global).toBe(join(root, "me/.aura"));
});

test("an empty --home means none", async () => {
  const root = await scratch({ ".aura/x": "" });
  expect((await findHomes({ home: "", projects: [], userHome: root, cwd: root })).global).toBeUndefined();
});

test("given homes are taken in order, need not exist, and the last one is written to", async () => {
  const root = await scratch();
  expect(await findHomes({ home: "~/h", projects: ["a", "", "b"], userHome: root, cwd: "/w" })).toEqual({
    global: join(root, "h"),
    projects: ["/w/a", "/w/b"],
    write: "/w/b",
  });
});

test("started in the home directory, ~/.aura is not a project's home as well", async () => {
  const root = await scratch({ "me/.aura/x": "" });
  await symlink(join(root, "me"), join(root, "link"));
  expect((await findHomes({ userHome: join(root, "me"), cwd: join(root, "link") })).projects).toEqual([]);
});
