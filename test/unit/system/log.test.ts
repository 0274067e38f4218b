import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLog } from "../../../src/system/log.ts";
import { maskSecrets } from "../../../src/system/secrets.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "aura-log-"));
});
afterEach(() => rm(dir, { recursive: true }));

const now = () => new Date(0);
const entries = async (file: string) =>
  (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("entries are JSON lines with time, level and facts; lower levels are left out", async () => {
  const file = join(dir, "deep/aura.log");
  const log = openLog(file, { level: "info", now });
  log.write("debug", "not this");
  log.write("info", "started", { model: "m", size: 10n });
  log.write("error", "broken", { problem: new Error("disk full") });
  const at = "1970-01-01T00:00:00.000Z";
  expect(await entries(file)).toEqual([
    { at, level: "info", message: "started", model: "m", size: "10" },
    {
      at,
      level: "error",
      message: "broken",
      problem: expect.objectContaining({ name: "Error", message: "disk full" }),
    },
  ]);
});

test("known secrets and what looks like one never reach the file", async () => {
  const file = join(dir, "aura.log");
  openLog(file, { level: "info", secrets: ["correct horse"], now }).write("info", "key correct horse", {
    header: "Bearer abcdefghijkl",
    url: "https://host/?api_key=1234567890&x=1",
    key: "sk-ant-api03-abcdefghijklmnop",
  });
  expect(await entries(file)).toEqual([
    {
      at: "1970-01-01T00:00:00.000Z",
      level: "info",
      message: "key ***",
      header: "Bearer ***",
      url: "https://host/?api_key=***&x=1",
      key: "sk-***",
    },
  ]);
});

test("ordinary text is not masked", () => {
  const text = "the token count is 12; skip-this sk-1; password: ask";
  expect(maskSecrets(text)).toBe(text);
});

test("a large file is put aside", async () => {
  const file = join(dir, "aura.log");
  await writeFile(file, "x".repeat(100));
  openLog(file, { level: "info", maxBytes: 50, now }).write("info", "new");
  expect((await readdir(dir)).sort()).toEqual(["aura.log", "aura.log.1"]);
  expect(await entries(file)).toHaveLength(1);
});

test("a log that cannot be written is silent", () => {
  expect(() => openLog("/dev/null/nowhere.log", { level: "info" }).write("error", "lost")).not.toThrow();
});
