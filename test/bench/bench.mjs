// What a headless run costs, as ratios to a bare Node script that does the same requests and commands. Rounds are
// interleaved, so that a machine that slows down slows both; the medians are compared. `--runs N` (default 7). Trust the
// times only on a quiet machine; processor time and memory always. It informs and never fails.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChatServer } from "./chat-server.mjs";
import { filterPipelineMs } from "./filter-pipeline.mjs";
import { judgeMs } from "./judge.mjs";
import { measure } from "./measure.mjs";
import { roomRows } from "./rooms.mjs";
import { serverRows } from "./servers.mjs";
import { subagentRows } from "./subagents.mjs";

const CALLS = 50;
const ANSWER = "The answer is a sentence of two hundred characters, more or less. ".repeat(3);
const CASES = {
  version: undefined,
  turn: [{ text: ANSWER }],
  calls: [...Array.from({ length: CALLS }, (_, at) => ({ command: `echo hi ${at + 1}` })), { text: ANSWER }],
  stream: [{ text: "some twenty letters.".repeat(5000), pieces: 5000 }],
};

const root = fileURLToPath(new URL("../..", import.meta.url));
if (!existsSync(join(root, "dist/main.js"))) {
  process.stdout.write('There is no dist/ yet: run "npm run build" first.\n');
  process.exit();
}
const runs = Number(process.argv[process.argv.indexOf("--runs") + 1]) || 7;
const home = mkdtempSync(join(tmpdir(), "aura-bench-"));
const server = await startChatServer();
try {
  const programs = candidates(server.url);
  const results = await runRounds(programs);
  const subagents = await subagentRows({ server, program: programs.aura.run, scratch: home, runs });
  const servers = await serverRows({ server, program: programs.aura.run, scratch: home, runs });
  process.stdout.write(
    `Node ${process.versions.node}, medians of ${runs} runs\n\n${table([...(await rows(results)), ...subagents, ...servers])}\n`,
  );
} catch (error) {
  process.stdout.write(`\nThe benchmark could not be finished: ${error.message}\n`);
} finally {
  server.close();
  rmSync(home, { recursive: true, force: true });
}

function candidates(url) {
  const cwd = join(home, "project");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "README.md"), "# A project\n");
  const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", OPENAI_BASE_URL: url, OPENAI_API_KEY: "x" };
  const node = process.execPath;
  const bare = fileURLToPath(new URL("bare-node.mjs", import.meta.url));
  return {
    aura: {
      version: { argv: [node, join(root, "bin/aura"), "--version"], env, cwd },
      run: { argv: [node, join(root, "bin/aura"), "run", "Go on."], env: { ...env, OPENAI_MODEL: "m" }, cwd },
    },
    bare: {
      version: { argv: [node, bare, "--version"], env, cwd },
      run: { argv: [node, bare, "Go on."], env, cwd },
    },
  };
}

/** For every case and candidate, what was measured in each counted round. */
async function runRounds(programs) {
  const results = {};
  for (const [name, turns] of Object.entries(CASES)) {
    results[name] = { aura: [], bare: [] };
    // The first round fills caches and is not counted.
    for (let round = 0; round <= runs; round++)
      for (const [who, program] of Object.entries(programs)) {
        const result = await runOnce(turns ? program.run : program.version, turns);
        if (round > 0) results[name][who].push(result);
        process.stderr.write(".");
      }
  }
  process.stderr.write("\n");
  return results;
}

async function runOnce(program, turns) {
  const requests = server.play(turns ?? []);
  const usage = await measure(program, home);
  if (usage.code !== 0 || (turns && requests.length !== turns.length))
    throw new Error(`${program.argv.join(" ")} failed:\n${usage.output.slice(-2000)}`);
  if (!turns) return usage;
  return {
    ...usage,
    firstRequestMs: requests[0].arrived - usage.started,
    exitMs: usage.ended - requests.at(-1).answered,
    requestBytes: requests[0].bytes,
    callMs: median(requests.slice(1).map(({ arrived }, at) => arrived - requests[at].answered)),
  };
}

/** Each goal is a ratio to the bare script, but for those marked as the value itself. */
async function rows({ version, turn, calls, stream }) {
  const of = (results, value) => ({ aura: median(results.aura.map(value)), bare: median(results.bare.map(value)) });
  const cpu = ({ cpuMs }) => cpuMs;
  const memory = ({ peakBytes }) => peakBytes / 2 ** 20;
  const both = (make) => ({ aura: make("aura"), bare: make("bare") });
  const turnCpu = of(turn, cpu);
  const beyondTurn = (results, per) => both((who) => (of(results, cpu)[who] - turnCpu[who]) / per);
  const growth = both((who) => of(calls, memory)[who] / of(turn, memory)[who]);
  const judging = await judgeMs();
  return [
    { what: "start to first request, ms", goal: 3, ...of(turn, ({ firstRequestMs }) => firstRequestMs) },
    { what: "one turn, CPU ms", goal: 4, ...turnCpu },
    { what: "last byte to exit, ms", goal: 2, ...of(turn, ({ exitMs }) => exitMs) },
    { what: "one turn, peak memory MiB", goal: 2, ...of(turn, memory) },
    { what: `each of ${CALLS} tool calls, ms`, goal: 2, ...of(calls, ({ callMs }) => callMs) },
    { what: `each of ${CALLS} tool calls, CPU ms`, goal: 2, ...beyondTurn(calls, CALLS) },
    { what: `peak memory of ${CALLS} calls over one turn`, goal: 1.2, isValue: true, ...growth },
    { what: "reply of 5,000 chunks over one turn, CPU ms", goal: 1.6, ...beyondTurn(stream, 1) },
    { what: "--version, CPU ms", goal: 1.25, ...of(version, cpu) },
    { what: "filter pipeline for 1,000 tools, ms", goal: 5, isValue: true, aura: filterPipelineMs(), bare: 0 },
    { what: "judging the slowest ordinary command, ms", goal: 5, isValue: true, aura: judging.ordinary, bare: 0 },
    { what: "judging 64 kB of script, ms", goal: 100, isValue: true, aura: judging.long, bare: 0 },
    ...(await roomRows()),
    { what: "first request, kB", goal: 12, isValue: true, ...of(turn, ({ requestBytes }) => requestBytes / 1000) },
  ];
}

function table(lines) {
  const number = (value) => value.toFixed(value < 10 ? 2 : 0);
  const cells = lines.map(({ what, aura, bare, goal, isValue }) => {
    const compared = isValue ? aura : aura / bare;
    return [
      what,
      number(aura),
      number(bare),
      isValue ? "" : number(compared),
      `${goal}`,
      compared > goal ? "missed" : "",
    ];
  });
  const all = [["", "aura", "bare Node", "ratio", "at most", ""], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
