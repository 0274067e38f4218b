import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../helpers/processes.ts";

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "aura-guarded-"));
});
afterEach(() => rmSync(top, { recursive: true }));

/** A process that guards folders, lets one go, and is killed. */
const OWNER = `
  import { createHostShell } from "${new URL("../../../src/shell/host-shell.ts", import.meta.url).pathname}";
  const shell = createHostShell({ env: process.env });
  shell.guardFolder(process.argv[1]);
  shell.guardFolder(process.argv[2])();
  const signal = new AbortController().signal;
  await shell.exec("true", { cwd: process.argv[2], timeoutMs: 5000, maxOutputBytes: 100, signal });
  process.kill(process.pid, "SIGKILL");
`;

test("a guarded folder goes when we are killed, one that was let go stays", async () => {
  const folders = ["guarded", "let-go"].map((name) => join(top, name));
  for (const folder of folders) {
    mkdirSync(join(folder, "scratch/work/work"), { recursive: true });
    writeFileSync(join(folder, "out"), "x");
  }
  const flags = [
    "--experimental-transform-types",
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
  ];
  const child = spawn(process.execPath, [...flags, OWNER, ...folders], { stdio: ["ignore", "ignore", "inherit"] });
  const signal = await new Promise((resolve) => child.on("close", (_code, name) => resolve(name)));
  expect(signal).toBe("SIGKILL");
  await until(() => !existsSync(folders[0]!), "the guarded folder is gone");
  expect(existsSync(folders[1]!)).toBe(true);
});
