import fc from "fast-check";
import { expect, test } from "vitest";
import { fitsGlob } from "../../../src/text/path-glob.ts";

test.each([
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/deep/er/a.ts", true],
  ["src/**/*.ts", "test/src/a.ts", false],
  ["src/*.ts", "src/deep/a.ts", false],
  ["*.ts", "src/deep/a.ts", true],
  ["*.ts", "src/a.tsx", false],
  ["**/*.{ts,tsx}", "a.tsx", true],
  ["./docs/**", "docs/a/b.md", true],
  ["docs/a?.md", "docs/ab.md", true],
  ["docs/a?.md", "docs/a/.md", false],
  ["a.b", "axb", false],
  ["[a].md", "a.md", false],
  ["{a", "{a", true],
])("%s and %s: %s", (glob, path, fits) => {
  expect(fitsGlob(glob, path)).toBe(fits);
});

test("no glob throws, and a name without anything special fits itself alone", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (glob, path) => {
      expect(typeof fitsGlob(glob, path)).toBe("boolean");
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[\w.+^$()|-]+$/), (name) => {
      expect([fitsGlob(name, name), fitsGlob(name, `${name}x`), fitsGlob(name, `folder/${name}`)]).toEqual([
        true,
        false,
        true,
      ]);
    }),
  );
});
