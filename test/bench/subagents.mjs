// What a sub-agent costs: no more than a conversation of its own would, and eight at once little more memory than one.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure } from "./measure.mjs";

const ANSWER = { text: "The answer is a sentence of two hundred characters, more or less. ".repeat(3) };
const task = (at) => ({ tool: "Task", input: { description: `part ${at}`, prompt: "Look.", agent: "helper" } });
const tasks = (count) => [
  { calls: Array.from({ length: count }, (_, at) => task(at)) },
  ...Array.from({ length: count }, () => ANSWER),
  ANSWER,
];
const CASES = {
  fresh: [ANSWER],
  // The same steps without a sub-agent, so that what is left is what it costs.
  without: [{ calls: [{ tool: "Ls", input: {} }] }, ANSWER],
  one: tasks(1),
  eight: tasks(8),
};

/** Rows for the table; `program` is a run in an empty project, `scratch` a folder to write into. */
export async function subagentRows({ server, program, scratch, runs }) {
  const cwd = join(scratch, "with-agents");
  mkdirSync(join(cwd, ".aura/config/agents"), { recursive: true });
  writeFileSync(join(cwd, ".aura/config/agents/main.md"), "---\nname: main\ndefault: true\n---\nYou lead.\n");
  writeFileSync(join(cwd, ".aura/config/agents/helper.md"), "---\nname: helper\nsubagent: true\n---\nYou help.\n");
  const results = { fresh: [], without: [], one: [], eight: [] };
  // The first round fills caches and is not counted.
  for (let round = 0; round <= runs; round++)
    for (const [name, turns] of Object.entries(CASES)) {
      const requests = server.play(turns);
      const result = await measure({ ...program, cwd }, scratch);
      if (result.code !== 0 || requests.length !== turns.length)
        throw new Error(`${name}: ${requests.length} requests of ${turns.length}\n${result.output.slice(-2000)}`);
      if (round > 0) results[name].push(result);
      process.stderr.write(".");
    }
  process.stderr.write("\n");
  const of = (name, value) => median(results[name].map(value));
  const cpu = ({ cpuMs }) => cpuMs;
  const memory = ({ peakBytes }) => peakBytes / 2 ** 20;
  return [
    {
      what: "a sub-agent (bare: a fresh conversation), CPU ms",
      goal: 1,
      aura: Math.max(0, of("one", cpu) - of("without", cpu)),
      bare: of("fresh", cpu),
    },
    {
      what: "eight sub-agents (bare: one), peak memory MiB",
      goal: 1.5,
      aura: of("eight", memory),
      bare: of("one", memory),
    },
  ];
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
