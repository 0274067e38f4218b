// A command that is tried, and a trial that is kept, are killed at random moments: the tree is that of before or of
// after, and no process, mount or folder of the trial is left.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanControlFolders } from "../../src/sandbox/control-folder.ts";
import { createProbe } from "../../src/sandbox/probe.ts";
import { recoverJournals } from "../../src/workspace/apply-journal-recovery.ts";
import { rounds, seeded } from "../helpers/kill-at-random.ts";
import { until } from "../helpers/processes.ts";
import { createStage, type Stage } from "../helpers/scenario-project.ts";

const ROUNDS = rounds(25);
const SEED = Number(process.env["AURA_SEED"] ?? 20_260_515);
const FILES = 60;
const WORK =
  "for i in $(seq 1 60); do echo new >> f$i; done; rm f7; mv f8 g8; mkdir -p a/b; echo x > a/b/c; ln -s f1 l; chmod 755 f2; perl -e 'exit if fork; setpgrp; sleep 300'";

const { found, failed } = await createProbe(process.env).trials();

let stage: Stage;
let script: string;
beforeAll(() => {
  stage = createStage("aura-preview-");
  script = join(stage.root, "script.json");
  const turns = [{ calls: [{ tool: "Bash", input: { command: WORK } }] }, { text: "Done." }];
  writeFileSync(script, JSON.stringify({ model: { name: "story", context: 64_000 }, turns }));
});
afterAll(() => stage.remove());

const state = () => join(stage.home, ".local/state/aura");

function plant(): void {
  for (const name of readdirSync(stage.project)) rmSync(join(stage.project, name), { recursive: true });
  stage.put(Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`f${at + 1}`, `old ${at}\n`])));
}

/** Lives `ms`, then dies at once; resolves with what it said and how long it lived. */
function runFor(ms: number) {
  const helper = join(import.meta.dirname, "../helpers/allowing.ts");
  // Node runs the sources as they are; only stripping types is not enough for one of them.
  const flags = ["--experimental-transform-types", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, helper, stage.project, stage.home, script], {
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const began = performance.now();
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return new Promise<{ readonly said: string; readonly lived: number; readonly killed: boolean }>((resolve) => {
    child.on("close", (_code, signal) => {
      clearTimeout(timer);
      resolve({ said, lived: performance.now() - began, killed: signal === "SIGKILL" });
    });
  });
}

/** Processes of a trial: they have the home of this test, or hold its control folder in their arguments. */
function left(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const about = readFileSync(`/proc/${pid}/cmdline`, "latin1") + readFileSync(`/proc/${pid}/environ`, "latin1");
        return (
          about.includes(stage.root) && !/^[ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1] ?? "")
        );
      } catch {
        return false;
      }
    });
}

const folders = () => (existsSync(join(state(), "trials")) ? readdirSync(join(state(), "trials")) : []);

test.skipIf(!found)(
  `a trial that is killed while it runs or is applied leaves the tree of before or after, ${ROUNDS} times${found ? "" : ` (${failed.join("; ")})`}`,
  { timeout: 600_000 },
  async () => {
    plant();
    const old = stage.files();
    const { said, lived: whole } = await runFor(60_000);
    expect(said).toBe("asked run\nfinished\n");
    const changed = stage.files();
    expect(changed).not.toEqual(old);
    const random = seeded(SEED);
    const seen = { old: 0, new: 0, applied: 0 };
    for (let round = 1; round <= ROUNDS; round++) {
      plant();
      const { killed, said: told } = await runFor(whole * (0.3 + 0.75 * random()));
      await until(() => left().length === 0, `nothing of round ${round} runs`);
      if (killed && told.startsWith("asked")) seen.applied++;
      for (const { outcome } of await recoverJournals(join(state(), "journal"))) expect(outcome).not.toBe("stuck");
      const now = stage.files();
      const isOld = JSON.stringify(now) === JSON.stringify(old);
      expect(isOld ? old : changed, `round ${round}`).toEqual(now);
      seen[isOld ? "old" : "new"]++;
      // The watchdog removes what it was told of; what it never heard of goes at the next start.
      await cleanControlFolders(join(state(), "trials"));
      expect(folders(), `round ${round}`).toEqual([]);
    }
    // Both ends were met, or the moments were badly chosen.
    expect([seen.old > 0, seen.new + seen.applied > 0], JSON.stringify(seen)).toEqual([true, true]);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(stage.root);
  },
);
