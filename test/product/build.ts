// Vitest's global setup: builds the product when it is older than its sources and copies it aside, so that what is
// tested stays the same while somebody builds again.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NODE, ROOT } from "./aura.ts";

const NEEDS_BUILD = /product|soak/;

export default function build(): (() => void) | undefined {
  // Asked for other tests only (`vitest run test/unit/text`), nothing has to be built.
  const asked = process.argv.slice(2).filter((word) => word.includes("test/") && !word.includes("config"));
  if (asked.length > 0 && !asked.some((word) => NEEDS_BUILD.test(word))) return undefined;
  execFileSync(NODE, ["bin/build.mjs", "--if-stale"], { cwd: ROOT, stdio: "inherit" });
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "aura-built-")));
  mkdirSync(join(copy, "bin"));
  for (const path of ["bin/aura", "bin/package.json", "dist", "package.json"])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  process.env["AURA_UNDER_TEST"] = join(copy, "bin/aura");
  return () => rmSync(copy, { recursive: true, force: true });
}
