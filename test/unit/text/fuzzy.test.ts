import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzyScore } from "../../../src/text/fuzzy.ts";
import { createFuzzyIndex, type FuzzyIndex } from "../../../src/text/fuzzy-index.ts";

function search(index: FuzzyIndex, query: string, limit: number, isOffered?: (path: string) => boolean) {
  const search = index.begin(query, limit, isOffered);
  search.advance();
  return search.best();
}

function best(query: string, ...paths: string[]): readonly string[] {
  const index = createFuzzyIndex();
  for (const path of paths) index.add(path);
  return search(index, query, 10);
}

test("the name beats the folders, its beginning beats its middle, letters in a row beat letters apart", () => {
  expect(
    best("edit", "edit/readme.md", "src/unedited.ts", "src/editor.ts", "src/edge-list/it.ts", "src/edit.ts"),
  ).toEqual(["src/edit.ts", "src/editor.ts", "src/unedited.ts", "edit/readme.md", "src/edge-list/it.ts"]);
});

test("folders are found by their name, initials find words, case does not matter", () => {
  expect(best("src", "a/source/x.ts", "packages/src/", "b/src.ts")).toEqual([
    "packages/src/",
    "b/src.ts",
    "a/source/x.ts",
  ]);
  expect(best("es", "lib/messy.ts", "ui/editor-state.ts")[0]).toBe("lib/messy.ts");
  expect(best("edst", "lib/needs-to.ts", "ui/editor-state.ts")[0]).toBe("ui/editor-state.ts");
  expect(best("READ", "docs/readme.md", "README.md")).toEqual(["README.md", "docs/readme.md"]);
});

test("a path typed so far finds what is below it first", () => {
  expect(best("src/fi", "test/src/fi.ts", "src/file.ts", "src/deep/find.ts")).toEqual([
    "src/file.ts",
    "test/src/fi.ts",
    "src/deep/find.ts",
  ]);
});

test("what is not wanted is not offered, and never more than asked for", () => {
  const index = createFuzzyIndex();
  for (let at = 0; at < 100; at++) index.add(`file-${at}.ts`);
  expect(search(index, "file", 3)).toEqual(["file-0.ts", "file-1.ts", "file-2.ts"]);
  expect(search(index, "file", 2, (path) => /[89]\.ts/.test(path))).toEqual(["file-8.ts", "file-9.ts"]);
});

test("a short list of many is the beginning of the long one, also while typing on", () => {
  const paths = manyPaths(500);
  const index = createFuzzyIndex();
  for (const one of paths) index.add(one);
  for (const query of ["e", "ed", "edm", "edmo", "src/e", "mod1", "x"])
    expect(search(index, query, 10), query).toEqual(fresh(query, paths, 600).slice(0, 10));
});

const path = fc.string({ unit: fc.constantFrom(..."abcXY/-_.é"), minLength: 1, maxLength: 12 });

test("typing on finds what a fresh search finds: exactly the paths with the letters in order, best first", () => {
  fc.assert(
    fc.property(
      fc.array(path, { maxLength: 30 }),
      fc.string({ unit: fc.constantFrom(..."abx/-"), maxLength: 4 }),
      (paths, query) => {
        const warm = createFuzzyIndex();
        for (const one of paths) warm.add(one);
        let found: readonly string[] = [];
        for (let typed = 0; typed <= query.length; typed++) found = search(warm, query.slice(0, typed), 100);
        expect(found).toEqual(fresh(query, paths));
        const letters = [...query].map((letter) =>
          letter.replace(/[/-]/, "[/-]".includes(letter) ? `\\${letter}` : letter),
        );
        const inOrder = new RegExp(letters.join("[^]*"), "i");
        expect([...found].sort()).toEqual(paths.filter((one) => inOrder.test(one)).sort());
        const scores = found.map((one) => fuzzyScore(query, one));
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      },
    ),
  );
});

test("searches that were overtaken in the middle lose nothing for the ones that go on from them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom("edmod1", "src/ed", "testt", "e-r-9"),
      (pieces, query) => {
        const paths = manyPaths(1_500);
        const index = createFuzzyIndex();
        for (const one of paths) index.add(one);
        for (let typed = 1; typed < query.length; typed++) {
          const search = index.begin(query.slice(0, typed), 10);
          for (let piece = 0; piece < pieces[typed % pieces.length]!; piece++) search.advance(() => true);
        }
        expect(search(index, query, 10)).toEqual(fresh(query, paths, 2_000).slice(0, 10));
      },
    ),
    { numRuns: 50 },
  );
});

function manyPaths(count: number): readonly string[] {
  return Array.from(
    { length: count },
    (_, at) => `${["src", "test", "editor"][at % 3]}/${"edit-er-model".slice(at % 7)}-${at}.ts`,
  );
}

function fresh(query: string, paths: readonly string[], limit = 100): readonly string[] {
  const index = createFuzzyIndex();
  for (const one of paths) index.add(one);
  return search(index, query, limit);
}
