// What the screen costs, measured in a pseudo-terminal beside the least an Ink chat does (ink-floor.tsx), round by round
// in turn, so that a machine that slows down slows both; medians. `--runs N` (default 5), `--only name,name`. Linux: the
// processor time of an idle process is read from /proc. It informs and never fails.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleTui } from "../helpers/bundle-tui.ts";
import { openPty } from "../helpers/pty.ts";

const COLUMNS = 120;
const ROWS = 40;
const IDLE_MS = 10_000;
const FILES = 100_000;
const TURNS = 2_000;
const STREAM_CHARS = 40_000;
const CHARS_PER_TOKEN = 4;

const root = fileURLToPath(new URL("../..", import.meta.url));
const runs = Number(argument("--runs")) || 5;
const only = argument("--only")?.split(",");
const scratch = mkdtempSync(join(tmpdir(), "aura-bench-tui-"));
const bundles = [];
const rows = [];
const screens = new Set();

try {
  const feed = await bundle("tui-feed.ts");
  const floor = await bundle("ink-floor.tsx");
  await section("start", () => measureStart(floor));
  await section("idle", () => measureIdle(floor));
  await section("stream", () => measureStream(feed, floor));
  await section("frames", () => measureFrames(feed));
  await section("memory", () => measureMemory(feed));
  await section("completion", measureCompletion);
} catch (error) {
  process.stdout.write(`\nThe benchmark could not be finished: ${error.stack}\n`);
} finally {
  for (const screen of screens) screen.kill("SIGKILL");
  for (const folder of [...bundles, scratch]) rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\nNode ${process.versions.node}, ${COLUMNS}x${ROWS}, medians of ${runs}\n\n${table()}\n`);
process.exit(0);

function argument(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function section(name, work) {
  if (only !== undefined && !only.includes(name)) return;
  process.stdout.write(`${name} …\n`);
  await work();
}

async function bundle(file) {
  const { folder, program } = await bundleTui(new URL(file, import.meta.url));
  bundles.push(folder);
  return program;
}

/** The product as it is started, without anybody's configuration; null when it is not built. */
function product() {
  if (!existsSync(join(root, "dist/main.js"))) return null;
  const cwd = join(scratch, "project");
  const script = join(scratch, "script.yaml");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(script, "model:\n  name: scripted\n  context: 64000\nturns:\n  - text: hello\n");
  return { args: [join(root, "bin/aura"), "--home", "", "--script", script], cwd, ready: "Type your message" };
}

function open(args, { cwd = scratch, env = {} } = {}) {
  const screen = openPty(process.execPath, args, { columns: COLUMNS, rows: ROWS, cwd, env: { HOME: scratch, ...env } });
  screens.add(screen);
  return screen;
}

async function close(screen) {
  screen.kill("SIGKILL");
  await screen.exit;
  screens.delete(screen);
}

async function measureStart(floor) {
  const ours = product();
  const candidates = { ...(ours && { aura: ours }), floor: { args: [floor], ready: "Type your message" } };
  const seen = {};
  for (let round = -1; round < runs; round++) {
    for (const [name, { args, cwd, ready }] of Object.entries(candidates)) {
      const started = performance.now();
      const screen = open(args, { cwd });
      await screen.shows(ready);
      const painted = performance.now() - started;
      screen.type("Z");
      await screen.shows("Z");
      const typed = performance.now() - started;
      await pause(700);
      const echo = [];
      for (const letter of "QXJQXJ") {
        const sent = performance.now();
        const count = screen.text().split(letter).length;
        screen.type(letter);
        await screen.until(() => screen.text().split(letter).length > count);
        echo.push(performance.now() - sent);
        await pause(60);
      }
      if (round >= 0) collect(seen, name, { painted, typed, echo: median(echo) });
      await close(screen);
    }
  }
  compare(seen, "prompt painted", "painted", "ms", 1.0);
  compare(seen, "first key shown", "typed", "ms", 1.0);
  compare(seen, "key echo", "echo", "ms", 1.5);
}

async function measureIdle(floor) {
  const ours = product();
  const candidates = { ...(ours && { aura: ours }), floor: { args: [floor], ready: "Type your message" } };
  const seen = {};
  for (const [name, { args, cwd, ready }] of Object.entries(candidates)) {
    const screen = open(args, { cwd });
    await screen.shows(ready);
    await pause(2_500);
    const before = { cpu: processorMs(screen.pid), bytes: screen.raw().length };
    await pause(IDLE_MS);
    const cpu = processorMs(screen.pid) - before.cpu;
    collect(seen, name, { cpu, bytes: screen.raw().length - before.bytes, rss: residentMb(screen.pid) });
    await close(screen);
  }
  compare(seen, "idle memory", "rss", "MB", 1.3);
  put("idle processor time in 10 s", seen.aura?.cpu, "ms", "at most 10 ms", seen.floor?.cpu);
  put("idle bytes in 10 s", seen.aura?.bytes, "bytes", "0", seen.floor?.bytes);
}

async function measureStream(feed, floor) {
  const seen = {};
  for (let round = 0; round < Math.min(3, runs); round++) {
    for (const [name, program] of Object.entries({ aura: feed, floor })) {
      const report = join(scratch, "report");
      const screen = open([program], { env: { FEED: "stream", REPORT: report } });
      await screen.shows("Type your message");
      await pause(800);
      screen.type("go");
      await screen.shows("go");
      const from = screen.raw().length;
      screen.type("\r");
      await screen.shows("END-OF-STREAM", 60_000);
      const { cpuMs } = await reportOf(report);
      const raw = screen.raw().slice(from);
      const clears = (raw.match(/\x1b\[[23]J|\x1b\[H\x1b\[J|\x1b\[1;1H\x1b\[0?J/g) ?? []).length;
      const perToken = (cpuMs / STREAM_CHARS) * CHARS_PER_TOKEN * 1_000;
      collect(seen, name, { cpu: cpuMs, perToken, ratio: Buffer.byteLength(raw) / STREAM_CHARS, clears });
      await close(screen);
    }
  }
  compare(seen, "processor time of a 10,000-token reply", "cpu", "ms", 1.0);
  compare(seen, "processor time per token", "perToken", "µs", 1.0);
  put("terminal bytes per text byte", seen.aura?.ratio, "", "at most 2.7", seen.floor?.ratio);
  put("clears in a reply", seen.aura?.clears, "", "0", seen.floor?.clears);
}

async function measureFrames(feed) {
  for (const [place, env] of [
    ["inline", {}],
    ["fullscreen", { FULLSCREEN: "1" }],
  ]) {
    let first;
    for (const items of [10, 1_000, 10_000]) {
      const seen = {};
      for (let round = 0; round < Math.min(3, runs); round++) {
        const report = await feedOnce(feed, { ...env, FEED: `items:${Math.round(items / 3)}` });
        collect(seen, "aura", { frame: report.cpuMs / 100 });
      }
      const frame = seen.aura.frame;
      first ??= frame;
      put(`frame at ${items.toLocaleString("en")} items, ${place}`, frame, "ms", "within 10%", first);
    }
  }
}

async function measureMemory(feed) {
  for (const [place, env] of [
    ["inline", {}],
    ["fullscreen", { FULLSCREEN: "1" }],
  ]) {
    const { half, rss } = await feedOnce(feed, { ...env, FEED: `turns:${TURNS}` });
    put(`memory after ${TURNS / 2} turns of 64 KB, ${place}`, [half / 2 ** 20], "MB", "under 250 MB");
    put(`memory after ${TURNS} turns of 64 KB, ${place}`, [rss / 2 ** 20], "MB", "flat");
  }
}

async function feedOnce(feed, env) {
  const report = join(scratch, "report");
  const screen = open([feed], { env: { ...env, REPORT: report } });
  await screen.shows("Type your message");
  await pause(500);
  screen.type("go\r");
  await screen.shows("FED", 180_000);
  const told = await reportOf(report);
  await close(screen);
  return told;
}

async function measureCompletion() {
  const project = join(scratch, "large");
  for (let folder = 0; folder < FILES / 1_000; folder++) {
    const path = join(project, "src", `folder-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 1_000; file++) writeFileSync(join(path, `file-${file}.ts`), "");
  }
  // Packages stay outside the bundle, which therefore lies where they are found.
  const outfile = join(root, "node_modules/.cache/aura-bench/completion-feed.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("completion-feed.ts", import.meta.url))],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    define: { AURA_VERSION: '"bench"' },
    logLevel: "error",
  });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { cwd: project, encoding: "utf8" });
  rmSync(outfile);
  if (!stdout.startsWith("{")) throw new Error(stderr);
  const { cold, times, wholes, found } = JSON.parse(stdout);
  put(`completion key at ${FILES.toLocaleString("en")} files (${found} found)`, times, "ms", "under 16 ms");
  put("its slowest key, to a first list", [Math.max(...times)], "ms", "under 16 ms");
  put("its slowest key, to the whole list", [Math.max(...wholes)], "ms", "");
  put("the very first key, to a first list", [cold.first], "ms", "under 16 ms");
  put("the very first key, to the whole list", [cold.whole], "ms", "");
}

/** Waits until the program has written its whole report, and takes it. */
async function reportOf(file) {
  for (;;) {
    try {
      const report = JSON.parse(readFileSync(file, "utf8"));
      rmSync(file);
      return report;
    } catch {
      await pause(50);
    }
  }
}

function processorMs(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const spent = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]));
  return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

function residentMb(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

function collect(seen, name, values) {
  seen[name] ??= {};
  for (const [key, value] of Object.entries(values)) {
    seen[name][key] ??= [];
    seen[name][key].push(value);
  }
}

function compare(seen, what, key, unit, goal) {
  put(what, seen.aura?.[key], unit, `ratio at most ${goal.toFixed(1)}`, seen.floor?.[key]);
}

function put(what, values, unit, goal, floor) {
  const ours = values === undefined ? undefined : median(values);
  const base = floor === undefined ? undefined : median(floor);
  const ratio = ours === undefined || !base ? "" : (ours / base).toFixed(2);
  rows.push([what, number(ours, unit), number(base, unit), ratio, goal]);
}

function number(value, unit) {
  if (value === undefined) return "-";
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(2)} ${unit}`.trim();
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function table() {
  const all = [["", "Aura", "Ink floor or first", "ratio", "goal"], ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
  return [lines[0], widths.map((width) => "-".repeat(width)).join("  "), ...lines.slice(1)].join("\n");
}
