// Vitest's global setup: the product tests run what `npm start` runs, so it must be as new as its sources.
import { execFileSync } from "node:child_process";
import { AURA, NODE, ROOT } from "./aura.ts";

const NEEDS_BUILD = /product|soak|bench/;

export default function build(): void {
  // Asked for other tests only (`vitest run test/unit/text`), nothing has to be built.
  const asked = process.argv.slice(2).filter((word) => word.includes("test/") && !word.includes("config"));
  if (asked.length > 0 && !asked.some((word) => NEEDS_BUILD.test(word))) return;
  execFileSync(NODE, ["bin/build.mjs", "--if-stale"], { cwd: ROOT, stdio: "inherit" });
  execFileSync(NODE, [AURA, "--version"], { stdio: "ignore" });
}
