import { expect, test } from "vitest";
import { patternList } from "../../../src/toolkit/pattern-list.ts";

test("the first entry that fits any of the names is found, with its place", () => {
  const list = patternList([
    { value: "T*" },
    { value: "Read", file: "/a", line: 2 },
    { value: "Read" },
    { value: "*List" },
  ]);
  expect(list.find(["Read"])).toEqual({ value: "Read", file: "/a", line: 2 });
  expect(list.find(["TodoList"])).toEqual({ value: "T*" });
  expect(list.find(["x", "MyList"])).toEqual({ value: "*List" });
  expect(list.find(["Bash"])).toBeUndefined();
  expect(list.first).toEqual({ value: "T*" });
});

test("an empty list finds nothing", () => {
  expect([patternList([]).first, patternList([]).find(["Read"])]).toEqual([undefined, undefined]);
});
