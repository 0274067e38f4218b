import { expect, test } from "vitest";
import { chooseManner } from "../../../../ui/cli/choose-manner.ts";

test.each([
  [{ accessible: true }, {}, false, "accessible"],
  [{ accessible: true, simple: true }, {}, true, "accessible"],
  [{ simple: true }, {}, true, "simple"],
  [{ simple: true }, {}, false, "simple"],
  [{}, {}, true, undefined],
  [{}, { ACCESSIBLE: "1" }, true, "accessible"],
  [{}, { ACCESSIBLE: "0" }, true, undefined],
  [{ accessible: false }, { ACCESSIBLE: "1" }, true, undefined],
  [{}, { TERM: "dumb" }, true, "accessible"],
  [{ simple: true }, { TERM: "dumb" }, true, "accessible"],
  // A pipe that wants no person stays headless.
  [{}, { ACCESSIBLE: "1", TERM: "dumb" }, false, undefined],
] as const)("flags %j, environment %j, terminal %j: %s", (root, env, onTerminal, manner) => {
  expect(chooseManner(root, env, onTerminal)).toBe(manner);
});
