import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { whatTheyWaitFor } from "../../../src/system/process-waits.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** A program of ours that says `ready` when it has begun to wait. */
async function start(source: string): Promise<number> {
  const child = spawn(process.execPath, ["-e", source], { stdio: ["pipe", "pipe", "inherit"] });
  started.push(child);
  await once(child.stdout, "data");
  return child.pid!;
}

describe.runIf(process.platform === "linux")("what a process waits for", () => {
  test("a server is told by its port", async () => {
    const source = "const s = net.createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))";
    const child = spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
    started.push(child);
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    expect(whatTheyWaitFor([child.pid!])).toMatch(
      new RegExp(` listens on port ${String(port).trim()} and does not end by itself$`),
    );
  });

  test("a program that watches files is told", async () => {
    const pid = await start("fs.watch('.'); console.log('ready')");
    expect(whatTheyWaitFor([pid])).toMatch(/ watches files and does not end by itself$/);
  });

  test("who is gone is not spoken of", () => {
    expect(whatTheyWaitFor([2 ** 30])).toBeUndefined();
    expect(whatTheyWaitFor([])).toBeUndefined();
  });
});
