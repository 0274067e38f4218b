import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { carriesLimit, limitCommand, limitMarks, limitPattern } from "../../../src/system/limit-mark.ts";

const onLinux = test.runIf(process.platform === "linux");

onLinux("a marked process is known after it cleared its environment, by its own mark and by its shell's", async () => {
  const marks = limitMarks()!;
  const [mark, other] = [marks.next(), marks.next()];
  const child = spawn("bash", ["-c", `${limitCommand(mark)} exec env -i setsid sleep 613`], { stdio: "ignore" });
  try {
    await once(child, "spawn");
    while (!readFileSync(`/proc/${child.pid}/cmdline`, "latin1").startsWith("sleep")) await new Promise(setImmediate);
    expect(carriesLimit(child.pid!, mark)).toBe(true);
    expect(carriesLimit(child.pid!, marks.prefix)).toBe(true);
    expect(carriesLimit(child.pid!, other)).toBe(false);
    expect(carriesLimit(child.pid!, limitMarks()!.prefix)).toBe(false);
    expect(carriesLimit(child.pid!, undefined)).toBe(false);
    const found = execFileSync("grep", ["-lE", limitPattern(marks.prefix), `/proc/${child.pid}/limits`], {
      encoding: "utf8",
    });
    expect(found).toBe(`/proc/${child.pid}/limits\n`);
  } finally {
    child.kill("SIGKILL");
  }
});

onLinux("marks are all different, and lower inside what was marked already", () => {
  const marks = limitMarks()!;
  const outer = [marks.next(), marks.next()].map(BigInt);
  expect(outer[0]).toBeGreaterThan(outer[1]!);
  const source = `import("${new URL("../../../src/system/limit-mark.ts", import.meta.url).href}").then(({ limitMarks }) => console.log(limitMarks().next()))`;
  const inner = execFileSync(
    "bash",
    ["-c", `${limitCommand(String(outer[1]))} "$0" -e "$1"`, process.execPath, source],
    { encoding: "utf8" },
  );
  expect(BigInt(inner.trim())).toBeLessThan(outer[1]!);
});
