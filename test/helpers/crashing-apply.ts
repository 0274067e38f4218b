/**
 * A process that applies one set of changes and is killed at a given step, for the crash test of apply-journal.
 * Arguments: root, state directory, step at which to die, and what to run: "apply" or "recover".
 */
import { join } from "node:path";
import { applyChanges } from "../../src/workspace/apply-journal.ts";
import { recoverJournals } from "../../src/workspace/apply-journal-recovery.ts";
import { type JournalFs, nodeJournalFs } from "../../src/workspace/journal-fs.ts";

const [root = "", stateDir = "", step = "0", what = "apply", failing = ""] = process.argv.slice(2);
let steps = 0;

/** Every step counts twice: dying before it is done, and when it is done but not yet reported. */
const dying = new Proxy(nodeJournalFs, {
  get:
    (fs, name: keyof JournalFs) =>
    async (...args: never[]) => {
      dieAt(++steps);
      if (failing !== "" && args.some((arg) => String(arg).endsWith(failing)) && name === "rename") {
        throw Object.assign(new Error("EACCES"), { code: "EACCES" });
      }
      await (fs[name] as (...args: never[]) => Promise<void>)(...args);
      dieAt(++steps);
    },
});

function dieAt(now: number) {
  if (now === Number(step)) process.kill(process.pid, "SIGKILL");
}

if (what === "recover") await recoverJournals(stateDir, dying);
else {
  const write = (path: string, text: string) =>
    ({ kind: "write", path: join(root, path), bytes: Buffer.from(text) }) as const;
  await applyChanges(
    [
      write("a.txt", "new a"),
      { kind: "remove", path: join(root, "gone.txt") },
      write("deep/er/new.txt", "new file"),
      write("z.txt", "new z"),
    ],
    stateDir,
    dying,
  ).catch((error: unknown) => {
    if (failing === "") throw error;
  });
}
process.stdout.write(`steps ${steps}`);
