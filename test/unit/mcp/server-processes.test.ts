import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { createServerProcesses, type ServerProcesses } from "../../../src/mcp/server-processes.ts";
import { RUDE } from "../../helpers/mcp.ts";
import { isRunning } from "../../helpers/processes.ts";

let processes: ServerProcesses | undefined;
afterEach(() => processes?.close());

const command = (...args: string[]) => ({
  command: process.execPath,
  args,
  cwd: process.cwd(),
  env: { PATH: process.env["PATH"] ?? "" },
});
test("a server that ignores the end of its input and SIGTERM is killed after the grace", async () => {
  processes = createServerProcesses(process.env["PATH"], 200);
  const child = processes.start(command(RUDE, "deaf"));
  await once(child, "spawn");
  await processes.close();
  expect(isRunning(child.pid!)).toBe(false);
});

test("what a server started in a session of its own and without an environment ends with it", async () => {
  processes = createServerProcesses(process.env["PATH"], 200);
  const daemon = "setsid -f env -i /bin/sh -c 'echo $$; exec sleep 631'; exec sleep 632";
  const child = processes.start({ ...command(), command: "sh", args: ["-c", daemon] });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const pid = Number(String(said));
  expect(isRunning(pid)).toBe(true);
  await processes.close();
  expect(isRunning(pid)).toBe(false);
});

test("a server gets its arguments and its environment as they are", async () => {
  processes = createServerProcesses(process.env["PATH"], 200);
  const source = "console.log(JSON.stringify([process.argv.slice(1), process.env.A, process.cwd()]))";
  const args = ["-e", source, "--", "", "a b", "$HOME", "'"];
  const { env, ...rest } = command(...args);
  const child = processes.start({ ...rest, cwd: "/", env: { ...env, A: "$(x)" } });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  expect(JSON.parse(String(said))).toEqual([args.slice(3), "$(x)", "/"]);
});

test("a command that is not there is an error of its start", async () => {
  processes = createServerProcesses(process.env["PATH"], 200);
  const child = processes.start({ ...command(), command: "no-such-server" });
  expect(await once(child, "error")).toMatchObject([{ code: "ENOENT", path: "no-such-server" }]);
});

test("what a server started itself ends with it, wherever it moved to", async () => {
  processes = createServerProcesses(process.env["PATH"], 200);
  const grandchild =
    'const c=require("node:child_process").spawn("sleep",["60"],{detached:true,stdio:"ignore"});console.log(c.pid);setInterval(()=>{},1000)';
  const child = processes.start(command("-e", grandchild));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const pid = Number(String(said));
  expect(isRunning(pid)).toBe(true);
  await processes.close();
  expect(isRunning(pid)).toBe(false);
});
