import { expect, test } from "vitest";
import { narrowSandbox } from "../../../src/config/narrow-sandbox.ts";
import { traced } from "../../../src/config/traced.ts";

const left = (sandbox: object, below?: object) => narrowSandbox(traced({ sandbox }), below);

test("a project turns the sandbox on, closes the network and names folders of its own", () => {
  const sandbox = { enabled: true, network: "none", restrictions: { ro: ["docs"], rw: ["src/./a"] } };
  expect(left(sandbox)).toEqual({ top: traced({ sandbox }), left: [] });
});

test.each([
  ["off", { enabled: false }, ["sandbox.enabled"]],
  ["open to the network", { network: "inherit" }, ["sandbox.network"]],
  ["wider", { extra: { rw: ["."] } }, ["sandbox.extra"]],
  ["open at an absolute path", { restrictions: { ro: ["/etc"] } }, ["sandbox.restrictions"]],
  ["open at the home folder", { restrictions: { rw: ["~/.ssh"] } }, ["sandbox.restrictions"]],
  ["open at a variable", { restrictions: { rw: ["$HOME"] } }, ["sandbox.restrictions"]],
  ["open above itself", { restrictions: { rw: ["src/../.."] } }, ["sandbox.restrictions"]],
  ["to lists that name nothing", { restrictions: { ro: [], rw: [] } }, ["sandbox.restrictions"]],
])("a project does not set the sandbox %s", (_how, sandbox, names) => {
  expect(left(sandbox)).toEqual({ top: traced({ sandbox: {} }), left: names });
});

test("what a person declared is not replaced by what a project declares", () => {
  const own = { restrictions: { ro: ["/data"] } };
  expect(left({ restrictions: { rw: ["src"] } }, own).left).toEqual(["sandbox.restrictions"]);
});

test("what a file says beside it stays", () => {
  const top = traced({ sandbox: { enabled: false }, title: { disabled: true } });
  expect(narrowSandbox(top, undefined).top.value).toEqual({ sandbox: {}, title: { disabled: true } });
});
