import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withEnvFiles } from "../../../../ui/cli/env-file.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "aura-env-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));
const put = (name: string, text: string) => writeFileSync(join(cwd, name), text);

test("secrets.env is read when it is there", () => {
  expect(withEnvFiles({ A: "1" }, undefined, cwd).env).toEqual({ A: "1" });
  put("secrets.env", '# keys\nKEY=abc\nexport QUOTED="a b"\n');
  expect(withEnvFiles({ A: "1" }, undefined, cwd).env).toEqual({ A: "1", KEY: "abc", QUOTED: "a b" });
});

test("what is set already wins over files, and a later file over an earlier", () => {
  put("a.env", "A=a\nB=a\nC=a");
  put("b.env", "B=b\nC=b");
  expect(withEnvFiles({ C: "env" }, ["a.env", "b.env"], cwd).env).toEqual({ A: "a", B: "b", C: "env" });
});

test("a variable that is only there without a value does not hide the file's", () => {
  put("secrets.env", "A=file\nB=file");
  expect(withEnvFiles({ A: undefined, B: "" }, undefined, cwd).env).toEqual({ A: "file", B: "" });
});

test("named files replace secrets.env", () => {
  put("secrets.env", "A=secret");
  put("a.env", "B=b");
  expect(withEnvFiles({}, ["a.env"], cwd).env).toEqual({ B: "b" });
});

test("a named file must exist, and be a file", () => {
  expect(() => withEnvFiles({}, ["gone.env"], cwd)).toThrow(`--env-file: cannot read ${join(cwd, "gone.env")}: ENOENT`);
  expect(() => withEnvFiles({}, ["."], cwd)).toThrow(/^--env-file: cannot read .*: EISDIR$/);
});

test("the environment that was given stays as it is", () => {
  put("secrets.env", "A=1");
  const env = {};
  withEnvFiles(env, undefined, cwd);
  expect(env).toEqual({});
});

describe("a secrets.env that may have come with a clone", () => {
  const STEERING = ["EDITOR", "HOME", "OLLAMA_HOST", "OPENAI_BASE_URL", "XDG_STATE_HOME", "https_proxy"];

  test("holds keys, but cannot redirect requests or our own folders", () => {
    put("secrets.env", ["API_KEY=k", "URLS=u", ...STEERING.map((name) => `${name}=theirs`)].join("\n"));
    expect(withEnvFiles({}, undefined, cwd)).toEqual({ env: { API_KEY: "k", URLS: "u" }, leftOut: STEERING });
  });

  test("is taken whole when a person names it", () => {
    put("secrets.env", "OPENAI_BASE_URL=mine\nHOME=h");
    expect(withEnvFiles({}, ["secrets.env"], cwd)).toEqual({
      env: { OPENAI_BASE_URL: "mine", HOME: "h" },
      leftOut: [],
    });
  });

  test("says nothing about a variable that is set anyway", () => {
    put("secrets.env", "HOME=theirs");
    expect(withEnvFiles({ HOME: "/home/me" }, undefined, cwd)).toEqual({ env: { HOME: "/home/me" }, leftOut: [] });
  });
});
