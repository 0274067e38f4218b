// What single parts take, in milliseconds: a command tried on a copy, a list of a thousand sessions, a long history.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { History } from "../../src/context/history.ts";
import { encodeRecord } from "../../src/sessions/session-record.ts";
import { openSessions } from "../../src/sessions/session-store.ts";
import { prompt, reply, result } from "../helpers/messages.ts";
import { createBench, trials } from "../helpers/trial.ts";

/** Rows for the table. */
export async function roomRows() {
  const row = (what, goal, aura) => ({ what, goal, isValue: true, aura, bare: 0 });
  const preview = await previewMs();
  return [
    // Not every machine can try commands.
    ...(preview === undefined ? [] : [row("a preview over the command itself, ms", 150, preview)]),
    row("listing 1,000 sessions again, ms", 100, listMs()),
    row("the next request of 2,000 messages, ms", 2, historyMs()),
  ];
}

async function previewMs() {
  if (!trials.found) return undefined;
  const bench = createBench();
  try {
    mkdirSync(join(bench.workspace, "src"));
    for (let at = 0; at < 200; at++) writeFileSync(join(bench.workspace, "src", `f${at}`), "x\n".repeat(100));
    const plain = {
      cwd: bench.workspace,
      timeoutMs: 10_000,
      maxOutputBytes: 1000,
      signal: new AbortController().signal,
    };
    const own = await median(() => bench.shell.exec("sed -n s/x/y/p src/f1 src/f2", plain));
    return (await median(() => bench.attempt("sed -i s/x/y/ src/f1 src/f2"))) - own;
  } finally {
    await bench.remove();
  }
}

async function median(work) {
  const times = [];
  for (let round = 0; round < 7; round++) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[3];
}

function listMs() {
  const dir = mkdtempSync(join(tmpdir(), "aura-bench-sessions-"));
  try {
    for (let n = 0; n < 1000; n++) {
      const header = { type: "header", version: 1, id: `s-${n}`, cwd: "/project", created: "2026-01-02T03:04:05.000Z" };
      const records = [header, { type: "message", message: prompt("u1", `ask ${n}`) }];
      writeFileSync(join(dir, `s-${n}.jsonl`), records.map(encodeRecord).join(""));
    }
    const store = openSessions(dir);
    store.list();
    const from = performance.now();
    store.list();
    return performance.now() - from;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function historyMs() {
  const history = new History();
  const turns = 500;
  const from = performance.now();
  for (let n = 0; n < turns; n++) {
    history.add(prompt(`u${n}`, "x".repeat(200)));
    history.add(reply(`a${n}`, "y".repeat(200), [`c${n}`]));
    history.add(result(`r${n}`, `c${n}`, "z".repeat(500)));
    history.add(reply(`b${n}`, "done"));
    history.forModel();
  }
  return (performance.now() - from) / turns;
}
