// What MCP servers cost a headless run before any of their tools is called.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measure } from "./measure.mjs";

const RUDE = fileURLToPath(new URL("../helpers/rude-mcp-server.mjs", import.meta.url));
const TEN = [...Array.from({ length: 8 }, () => ["polite"]), ["silent"], ["crash-at-start"]];

/** Rows for the table of `bench.mjs`; the second column is a run without servers, or with all tools in every request. */
export async function serverRows({ server, program, scratch, runs }) {
  const cases = {
    none: caseOf("none", [], "mcp: { grace: 1s }\n"),
    ten: caseOf("ten", TEN),
    deferred: caseOf("deferred", [["many", "200"]]),
    eager: caseOf("eager", [["many", "200"]], "mcp: { token_budget: 0, grace: 30s }\n"),
  };
  const results = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  // The first round is the first ever run with these servers: afterwards they are known.
  for (let round = 0; round <= runs; round++)
    for (const [name, one] of Object.entries(cases)) {
      const requests = server.play([{ text: "Done." }]);
      const usage = await measure(one, scratch);
      if (usage.code !== 0) throw new Error(`${name}: ${usage.output.slice(-2000)}`);
      if (round > 0) results[name].push({ ms: requests[0].arrived - usage.started, kb: requests[0].bytes / 1000 });
      process.stderr.write(".");
    }
  process.stderr.write("\n");
  const of = (name, what) => median(results[name].map((result) => result[what]));
  return [
    {
      what: "start to first request, ten servers (one hangs, one crashes), ms",
      goal: 1.25,
      aura: of("ten", "ms"),
      bare: of("none", "ms"),
    },
    { what: "first request with 200 MCP tools, kB", goal: 0.5, aura: of("deferred", "kb"), bare: of("eager", "kb") },
  ];

  function caseOf(name, servers, features) {
    const home = join(scratch, `servers-${name}`);
    mkdirSync(join(home, ".aura/config/mcp"), { recursive: true });
    mkdirSync(join(home, ".aura/config/features"), { recursive: true });
    const definitions = servers.map(
      (args, at) =>
        `s${at}: { command: "${process.execPath}", args: ${JSON.stringify([RUDE, ...args])}, timeout: 5s }\n`,
    );
    if (servers.length > 0) writeFileSync(join(home, ".aura/config/mcp/s.yaml"), definitions.join(""));
    if (features) writeFileSync(join(home, ".aura/config/features/mcp.yaml"), features);
    return { ...program, env: { ...program.env, HOME: home } };
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
