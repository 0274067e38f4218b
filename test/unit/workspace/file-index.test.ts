import { expect, test } from "vitest";
import { createFileIndex } from "../../../src/workspace/file-index.ts";

/** A project whose files and clock the test decides. */
function project(...paths: string[]) {
  const state = { paths, now: 0, listings: 0 };
  const index = createFileIndex({
    now: () => state.now,
    async listFiles(onFile) {
      state.listings++;
      for (const path of state.paths) onFile(path);
    },
  });
  return { state, index };
}

test("nothing is listed before somebody asks, and once is enough for a while", async () => {
  const { state, index } = project("src/a.ts", "src/b.ts");
  expect(state.listings).toBe(0);
  expect(await index.search("a.t", 10)).toEqual(["src/a.ts"]);
  expect(await index.search("b.t", 10)).toEqual(["src/b.ts"]);
  expect(state.listings).toBe(1);
});

test("folders are offered too, each once", async () => {
  const { index } = project("src/deep/a.ts", "src/deep/b.ts", "src/c.ts");
  expect([...(await index.search("", 10))].sort()).toEqual([
    "src/",
    "src/c.ts",
    "src/deep/",
    "src/deep/a.ts",
    "src/deep/b.ts",
  ]);
});

test("hidden paths are offered only after a dot", async () => {
  const { index } = project(".github/flow.yml", "src/.env", "flow.ts");
  expect(await index.search("flow", 10)).toEqual(["flow.ts"]);
  expect(await index.search(".github/flow", 10)).toEqual([".github/flow.yml"]);
  expect(await index.search("src/.e", 10)).toEqual(["src/.env"]);
});

test("an old list answers at once and is made again behind its back", async () => {
  const { state, index } = project("old.ts");
  await index.search("", 10);
  state.paths = ["new.ts"];
  state.now = 60_000;
  expect(await index.search("", 10)).toEqual(["old.ts"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await index.search("", 10)).toEqual(["new.ts"]);
  expect(state.listings).toBe(2);
});

test("a listing that fails offers nothing, one that was closed is ended", async () => {
  const failing = createFileIndex({ now: () => 0, listFiles: () => Promise.reject(new Error("no rg")) });
  expect(await failing.search("a", 10)).toEqual([]);
  let signal: AbortSignal | undefined;
  const hanging = createFileIndex({
    now: () => 0,
    listFiles: (_, given) => {
      signal = given;
      return new Promise((_resolve, reject) => given.addEventListener("abort", () => reject(new Error("aborted"))));
    },
  });
  const search = hanging.search("a", 10);
  hanging.close();
  expect(await search).toEqual([]);
  expect(signal?.aborted).toBe(true);
});

test("a search in a list that is still being made tells what is found until then", async () => {
  let tell: (path: string) => void = () => {};
  let end: () => void = () => {};
  const index = createFileIndex({
    now: () => 0,
    listFiles: (onFile) => {
      tell = onFile;
      return new Promise((resolve) => {
        end = resolve;
      });
    },
  });
  const told: (readonly string[])[] = [];
  const found = index.search("a", 10, {
    early(paths) {
      told.push(paths);
      if (paths.length === 0) return;
      tell("second/a.ts");
      end();
    },
  });
  tell("first-a.ts");
  expect(await found).toEqual(["second/a.ts", "first-a.ts"]);
  expect(told).toEqual([[], ["first-a.ts"]]);
});

test("a long search goes on in pieces; one that is overtaken ends with what it has", async () => {
  let now = 0;
  const paths = Array.from({ length: 1_000 }, (_, at) => `a-${at}.ts`);
  const index = createFileIndex({
    now: () => (now += 4),
    async listFiles(onFile) {
      for (const path of paths) onFile(path);
    },
  });
  await index.search("", 1);
  const told: number[] = [];
  const overtaken = index.search("a", 2_000, { early: (found) => told.push(found.length) });
  const whole = index.search("a-", 2_000);
  expect((await whole).length).toBe(1_000);
  expect((await overtaken).length).toBeLessThan(1_000);
  expect(told.length).toBe(1);
});
