// Runs a program and measures it with all that it starts. Linux: the peak is read from /proc.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Bash counts the processor time of its children and theirs; `$0` is where it writes what it saw. */
const SCRIPT = 'a=$EPOCHREALTIME; "$@"; c=$?; b=$EPOCHREALTIME; { echo "$a $b"; times; } >"$0"; exit $c';
const SAMPLE_MS = 4;

/**
 * `started` and `ended` in milliseconds since 1970, `cpuMs` of the whole tree (a helper that outlives the program is
 * not counted), `peakBytes` of the program itself without what it starts.
 */
export async function measure({ argv, env, cwd }, scratch) {
  const notes = join(scratch, "measured");
  const child = spawn("bash", ["-c", SCRIPT, notes, ...argv], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      output += text;
    });
  const peak = watchPeak(child.pid);
  const [code] = await once(child, "close");
  const [moments, , children] = readFileSync(notes, "utf8").split("\n");
  const [started, ended] = moments.split(" ").map((seconds) => Number(seconds) * 1000);
  return { code, output, started, ended, cpuMs: milliseconds(children), peakBytes: peak.stop() };
}

/** The highest resident size of the one process that `parent` runs. */
function watchPeak(parent) {
  let bytes = 0;
  let pid;
  const timer = setInterval(() => {
    try {
      pid ??= Number(readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim()) || undefined;
      if (pid === undefined) return;
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      bytes = Math.max(bytes, Number(kilobytes ?? 0) * 1024);
    } catch {
      // It has ended, or this is no Linux.
    }
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return bytes;
    },
  };
}

/** `0m0.081s 0m0.024s`, user and system time, as one sum. */
function milliseconds(times) {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0);
}
