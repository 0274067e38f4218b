// A turn is taken back whole or not at all: /undo and /redo are killed at random moments, and so are turns themselves.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSession } from "../../src/sessions/read-session.ts";
import { recoverJournals } from "../../src/workspace/apply-journal-recovery.ts";
import { rounds, seeded } from "../helpers/kill-at-random.ts";
import { AURA, createMachine, type Machine, NODE } from "../product/aura.ts";

const ROUNDS = rounds(25);
const SEED = Number(process.env["AURA_SEED"] ?? 20_260_202);
const FILES = 200;
/** Changes, deletes, makes and renames, so that a half of it would show. */
const WORK =
  "for i in $(seq 1 200); do echo new >> f$i; done; rm f7; mv f8 g8; mkdir -p a/b; echo x > a/b/c; ln -s f1 l; chmod 755 f2";

let machine: Machine;
beforeAll(() => {
  machine = createMachine();
});
afterAll(() => machine.remove());

const sessions = () => join(machine.home, ".local/state/aura/sessions");
const sessionFile = () => join(sessions(), readdirSync(sessions()).find((name) => name.endsWith(".jsonl"))!);

const journals = () => join(machine.home, ".local/state/aura/journal");

/** Dies `ms` after it has begun to apply; resolves with how long it lived from then on, and whether it was killed. */
function runFor(ms: number, args: readonly string[]): Promise<{ readonly lived: number; readonly killed: boolean }> {
  const child = spawn(NODE, [AURA, ...args], { cwd: machine.project, env: machine.env, stdio: "ignore" });
  let began: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(journals(), () => {
    began ??= performance.now();
    timer ??= setTimeout(() => child.kill("SIGKILL"), ms);
  });
  return new Promise((resolve) => {
    child.on("close", (_code, signal) => {
      watcher.close();
      clearTimeout(timer);
      resolve({ lived: performance.now() - (began ?? performance.now()), killed: signal === "SIGKILL" });
    });
  });
}

test(
  `an undo or redo that is killed leaves the tree of before or after, ${ROUNDS} times`,
  async () => {
    machine.put(Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`f${at + 1}`, `old ${at}\n`])));
    const script = machine.script([{ calls: [{ tool: "Bash", input: { command: WORK } }] }, { text: "Done." }]);
    const old = machine.files();
    const done = await machine.run([...script, "--auto-approve", "run", "go"]);
    expect(done.code, done.stderr).toBe(0);
    const changed = machine.files();
    expect(Object.keys(changed)).not.toEqual(Object.keys(old));
    mkdirSync(journals(), { recursive: true });
    const goOn = [...script, "--continue", "run"];
    let { lived: whole } = await runFor(60_000, [...goOn, "/undo last code"]);
    expect(machine.files()).toEqual(old);

    const random = seeded(SEED);
    let kills = 0;
    for (let round = 1; kills < ROUNDS && round <= 6 * ROUNDS; round++) {
      const { redo } = (await readSession(sessionFile())).undo;
      const command = redo.length > 0 ? "/redo" : "/undo last code";
      const ms = 0.8 * whole * random();
      const { killed, lived } = await runFor(ms, [...goOn, command]);
      // After a death behind its last change there is nothing left to be done, and nothing to be killed.
      if (killed) kills++;
      else if (lived > 0) whole = Math.min(whole, lived);
      const recovered = await recoverJournals(journals());
      const what = `round ${round}, seed ${SEED}, ${command} killed after ${ms} of ${whole} ms: ${JSON.stringify(recovered)}`;
      expect([JSON.stringify(old), JSON.stringify(changed)], what).toContain(JSON.stringify(machine.files()));
    }
    expect(kills).toBe(ROUNDS);
  },
  60_000 + ROUNDS * 5_000,
);

test("a turn that is killed in the middle can be taken back afterwards", async () => {
  const own = createMachine();
  try {
    own.put({ a: "old a\n", b: "old b\n" });
    const before = own.files();
    const script = own.script([
      { calls: [{ tool: "Write", input: { path: "w", content: "w" } }] },
      { calls: [{ tool: "Bash", input: { command: "echo new > a; rm b; mkdir d; echo c > d/c; kill -9 $PPID" } }] },
    ]);
    const killed = await own.run([...script, "--auto-approve", "run", "go"]);
    expect(killed.signal ?? killed.code).not.toBe(0);
    expect(own.files()).not.toEqual(before);
    const undone = await own.run([...script, "--continue", "run", "/undo last code"]);
    expect(undone, JSON.stringify(undone)).toMatchObject({ code: 0 });
    expect(own.files()).toEqual(before);
  } finally {
    own.remove();
  }
});
