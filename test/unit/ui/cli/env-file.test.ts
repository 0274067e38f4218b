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
const trusted = async () => true;
const put = (name: string, text: string) => writeFileSync(join(cwd, name), text);

test("secrets.env is read when it is there", async () => {
  expect((await withEnvFiles({ A: "1" }, undefined, cwd, trusted)).env).toEqual({ A: "1" });
  put("secrets.env", '# keys\nKEY=abc\nexport QUOTED="a b"\n');
  expect((await withEnvFiles({ A: "1" }, undefined, cwd, trusted)).env).toEqual({ A: "1", KEY: "abc", QUOTED: "a b" });
});

test("what is set already wins over files, and a later file over an earlier", async () => {
  put("a.env", "A=a\nB=a\nC=a");
  put("b.env", "B=b\nC=b");
  expect((await withEnvFiles({ C: "env" }, ["a.env", "b.env"], cwd, trusted)).env).toEqual({
    A: "a",
    B: "b",
    C: "env",
  });
});

test("a variable that is only there without a value does not hide the file's", async () => {
  put("secrets.env", "A=file\nB=file");
  expect((await withEnvFiles({ A: undefined, B: "" }, undefined, cwd, trusted)).env).toEqual({ A: "file", B: "" });
});

test("named files replace secrets.env", async () => {
  put("secrets.env", "A=secret");
  put("a.env", "B=b");
  expect((await withEnvFiles({}, ["a.env"], cwd, trusted)).env).toEqual({ B: "b" });
});

test("a named file must exist, and be a file", async () => {
  await expect(withEnvFiles({}, ["gone.env"], cwd, trusted)).rejects.toThrow(
    `--env-file: cannot read ${join(cwd, "gone.env")}: ENOENT`,
  );
  await expect(withEnvFiles({}, ["."], cwd, trusted)).rejects.toThrow(/^--env-file: cannot read .*: EISDIR$/);
});

test("the environment that was given stays as it is", async () => {
  put("secrets.env", "A=1");
  const env = {};
  await withEnvFiles(env, undefined, cwd, trusted);
  expect(env).toEqual({});
});

describe("a secrets.env that may have come with a clone", () => {
  const STEERING = [
    "AETHER_HOME",
    "AWS_SECRET_ACCESS_KEY",
    "EDITOR",
    "HOME",
    "OLLAMA_HOST",
    "OPENAI_BASE_URL",
    "XDG_STATE_HOME",
    "https_proxy",
  ];
  const KEYS = ["AURA_X_TOKEN", "OPENAI_API_KEY", "SOME_API_KEY"];
  const theirs = (names: readonly string[]) => names.map((name) => `${name}=theirs`).join("\n");
  const untrusted = async () => false;

  test("gives nothing before a person trusts the project", async () => {
    put("secrets.env", theirs(["DB", ...KEYS]));
    expect(await withEnvFiles({ A: "1" }, undefined, cwd, untrusted)).toEqual({
      env: { A: "1" },
      left: { file: "secrets.env", names: ["DB", ...KEYS].sort(), isTrusted: false },
    });
  });

  test("never gives a provider's key, redirects requests or moves our own folders", async () => {
    put("secrets.env", theirs(["DB", "URLS", ...KEYS, ...STEERING]));
    expect(await withEnvFiles({}, undefined, cwd, trusted)).toEqual({
      env: { DB: "theirs", URLS: "theirs" },
      left: { file: "secrets.env", names: [...KEYS, ...STEERING].sort(), isTrusted: true },
    });
  });

  test("is any file a relative name in the environment leads to", async () => {
    put("my.env", theirs(["DB"]));
    expect(await withEnvFiles({ AURA_ENV_FILE: "my.env" }, ["my.env"], cwd, untrusted)).toEqual({
      env: { AURA_ENV_FILE: "my.env" },
      left: { file: "my.env", names: ["DB"], isTrusted: false },
    });
  });

  test("is taken whole when a person names it", async () => {
    put("secrets.env", "OPENAI_BASE_URL=mine\nOPENAI_API_KEY=k\nHOME=h");
    expect(await withEnvFiles({}, ["secrets.env"], cwd, untrusted)).toEqual({
      env: { OPENAI_BASE_URL: "mine", OPENAI_API_KEY: "k", HOME: "h" },
    });
  });

  test("says nothing about a variable that is set anyway", async () => {
    put("secrets.env", "HOME=theirs");
    expect(await withEnvFiles({ HOME: "/home/me" }, undefined, cwd, untrusted)).toEqual({ env: { HOME: "/home/me" } });
  });
});
