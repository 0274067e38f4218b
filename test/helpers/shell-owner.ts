// Run as a process of its own by host-shell.test.ts, which kills it: starts long commands and prints their ids.
import { spawn } from "node:child_process";
import { createHostShell } from "../../src/shell/host-shell.ts";

const cwd = process.argv[2]!;
const shell = createHostShell({ env: process.env });
const alone = spawn("sleep", ["706"], { detached: true, stdio: "ignore", env: { PATH: process.env["PATH"] } });
shell.guardGroup(alone.pid!);
process.stdout.write(`${alone.pid}\n`);
const script = `
sleep 701 & echo $!
env -i sleep 702 & echo $!
setsid sleep 703 & echo $!
(setsid -f env -i bash --norc -c 'echo $$; exec sleep 705')
echo $$
sleep 704`;
await shell.exec(script, {
  cwd,
  timeoutMs: 60_000,
  maxOutputBytes: 1000,
  signal: new AbortController().signal,
  onLine: (line) => void process.stdout.write(`${line}\n`),
});
