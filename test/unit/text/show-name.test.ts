import { expect, test } from "vitest";
import { showName } from "../../../src/text/show-name.ts";

test.each(["a.ts", "a b/ü (1).ts", "-x", `q'uo"te`])("%s is shown as it is", (name) => {
  expect(showName(name)).toBe(name);
});

test.each([
  ["a\nb", '"a\\nb"'],
  ["\x1b[2Jx", '"\\u001b[2Jx"'],
  ["a\rb", '"a\\rb"'],
])("%j is shown as a string on one line", (name, shown) => {
  expect(showName(name)).toBe(shown);
});
