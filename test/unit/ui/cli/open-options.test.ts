import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openOptions } from "../../../../ui/cli/open-options.ts";
import { environmentName, ROOT_OPTIONS, type RootValues } from "../../../../ui/cli/root-options.ts";

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "aura-open-")));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const env = { PATH: "/bin" };
const opened = (root: RootValues) => openOptions(root, { cwd, env, shipped: "/shipped" });
const version = AURA_VERSION;
const changed = (root: RootValues) => {
  const { cwd: _, env: __, shipped: ___, version: ____, ...rest } = opened(root);
  return rest;
};

test("without flags only the surroundings are passed on", () => {
  expect(opened({})).toEqual({ cwd, env, shipped: "/shipped", version });
});

test("flags keep their names, or get the engine's", () => {
  expect(
    changed({
      agent: "a",
      mode: "m",
      provider: "p",
      model: "x",
      system: "s",
      resume: "r",
      includeTools: ["Read"],
      excludeTools: [],
      maxSteps: 0,
      tokenBudget: 5,
      auto: false,
      verbose: true,
      override: ["a=b"],
      autoApprove: true,
      debug: true,
      think: "high",
      dry: "noop",
    }),
  ).toEqual({
    agent: "a",
    mode: "m",
    provider: "p",
    model: "x",
    system: "s",
    resume: "r",
    includeTools: ["Read"],
    excludeTools: [],
    maxSteps: 0,
    tokenBudget: 5,
    auto: false,
    verbose: true,
    overrides: ["a=b"],
    approveAll: true,
    debug: true,
    think: "high",
    noop: true,
  });
  expect(changed({ continue: true })).toEqual({ continueLast: true });
});

describe("paths", () => {
  test("are joined to where the process was started, whatever the working directory", () => {
    mkdirSync(join(cwd, "sub"));
    expect(opened({ workdir: "sub", script: "s.yaml", config: ["conf", "/abs"], home: "home" })).toEqual({
      cwd: join(cwd, "sub"),
      env,
      shipped: "/shipped",
      version,
      script: join(cwd, "s.yaml"),
      config: [join(cwd, "conf"), "/abs"],
      home: join(cwd, "home"),
    });
  });

  test("that begin with ~ are left for the engine, which knows the person's home", () => {
    expect(changed({ home: "~/aura", config: ["~/conf"] })).toEqual({ home: "~/aura", config: ["~/conf"] });
  });

  test("that are empty mean no home", () => {
    expect(changed({ home: "", config: [""] })).toEqual({ home: "", config: [] });
  });

  test("of a working directory must lead to one", () => {
    expect(() => opened({ workdir: "gone" })).toThrow(`--workdir: no such directory: ${join(cwd, "gone")}`);
    writeFileSync(join(cwd, "file"), "");
    expect(() => opened({ workdir: "file" })).toThrow(`--workdir: no such directory: ${join(cwd, "file")}`);
  });
});

describe("what cannot be is refused", () => {
  test.each([
    [{ resume: "a", continue: true }, "--resume and --continue exclude each other: give one of them"],
    [{ dry: "wet" }, '--dry: unknown value "wet": use render or noop'],
    [{ think: "hard" }, '--think: unknown level "hard": use off, on, low, medium, high'],
    [{ set: ["novalue"] }, '--set: "novalue" is not key=value'],
    [{ set: ["=x"] }, '--set: "=x" is not key=value'],
  ] as const)("%j", (root, message) => {
    expect(() => opened(root)).toThrow(message);
  });
});

test("template variables keep everything behind the first =", () => {
  expect(changed({ set: ["a=1", "b=x=y", "c="] })).toEqual({ variables: { a: "1", b: "x=y", c: "" } });
});

test("think takes true and false for on and off", () => {
  expect([changed({ think: "true" }), changed({ think: "false" })]).toEqual([{ think: "on" }, { think: "off" }]);
});

test("each flag has an environment variable of its own", () => {
  expect([environmentName("model"), environmentName("maxSteps"), environmentName("includeTools")]).toEqual([
    "AURA_MODEL",
    "AURA_MAX_STEPS",
    "AURA_INCLUDE_TOOLS",
  ]);
  const names = Object.keys(ROOT_OPTIONS).map(environmentName);
  expect(names).toEqual([...new Set(names)]);
});
