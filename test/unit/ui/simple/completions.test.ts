import { expect, test } from "vitest";
import { completeLine } from "../../../../ui/simple/completions.ts";

const from = (at: number, ...texts: string[]) => texts.map((text) => ({ text, from: at }));

test.each([
  ["/th", from(0, "/think"), { rest: "ink", choices: [] }],
  ["/t", from(0, "/tools", "/todo"), { rest: "o", choices: [] }],
  ["/t", from(0, "/tools", "/think"), { rest: "", choices: ["/tools", "/think"] }],
  ["see @File[sr", from(10, "src/", "script.js"), { rest: "c/", choices: [] }],
  ["see @File[s", from(10, "src/", "script.js"), { rest: "", choices: ["src/", "script.js"] }],
  ["/think", from(0, "/think"), { rest: "", choices: [] }],
  // Fuzzy finds do not go on with what is typed.
  ["/ink", from(0, "/think"), { rest: "", choices: [] }],
  ["x", [], { rest: "", choices: [] }],
])("Tab behind %j", (line, suggestions, completion) => {
  expect(completeLine(line, suggestions)).toEqual(completion);
});
