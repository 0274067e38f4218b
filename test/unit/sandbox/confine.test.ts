import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { confine, type Machine } from "../../../src/sandbox/confine.ts";
import { createProbe } from "../../../src/sandbox/probe.ts";
import type { Mechanism, Wish } from "../../../src/sandbox/sandbox.ts";

const MECHANISMS: readonly Mechanism[] = ["bubblewrap", "namespaces", "landlock", "seatbelt"];
const found = await Promise.all(
  MECHANISMS.map(async (mechanism) => ({
    mechanism,
    probed: await createProbe(process.env, tmpdir(), [mechanism]).confinement(),
  })),
);

for (const { mechanism, probed } of found)
  describe(mechanism, () => {
    if (probed.found) suite(probed.found);
    else test.skip(`cannot be used here: ${probed.failed.join("; ")}`, () => undefined);
  });

function suite(machine: Machine): void {
  const { mechanism } = machine;
  let top = "";
  let home = "";
  let workspace = "";
  let wish: Wish;

  beforeAll(() => {
    top = realpathSync(mkdtempSync(join(process.platform === "linux" ? "/var" : tmpdir(), "aura-confine-")));
    home = join(top, "home");
    workspace = join(home, "project");
    mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
    mkdirSync(join(workspace, ".aura"));
    mkdirSync(join(home, "reference"));
    writeFileSync(join(home, "secret"), "the secret");
    writeFileSync(join(home, "reference/book"), "the book");
    writeFileSync(join(workspace, "mine"), "mine");
    writeFileSync(join(workspace, ".git/config"), "");
    symlinkSync(join(home, "secret"), join(workspace, "link"));
    symlinkSync(home, join(workspace, "folder-link"));
    wish = {
      readOnly: [join(home, "reference")],
      readWrite: [workspace],
      network: "none",
      guarded: [join(workspace, ".aura"), join(workspace, ".git/hooks"), join(workspace, ".git/config")],
      home,
    };
  });
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  /** What bash prints, on both streams, when confined. */
  function run(script: string, over: Partial<Wish> = {}, env: Record<string, string> = {}): string {
    const program = { file: "/bin/bash", name: "bash", args: ["-c", script], cwd: workspace, readsThree: false };
    const { file, args } = confine(machine, { ...wish, ...over }, program, process.env["PATH"]);
    const { stdout, stderr } = spawnSync(file, args, {
      cwd: workspace,
      env: { PATH: process.env["PATH"], HOME: home, ...env },
      encoding: "utf8",
    });
    return stdout + stderr;
  }
  /** The same while this process goes on, so that servers of it answer. */
  function runBeside(script: string): Promise<string> {
    const program = { file: "/bin/bash", name: "bash", args: ["-c", script], cwd: workspace, readsThree: false };
    const { file, args } = confine(machine, wish, program, process.env["PATH"]);
    return new Promise((resolve) => {
      execFile(file, args, { cwd: workspace, timeout: 5000 }, (_error, stdout, stderr) => resolve(stdout + stderr));
    });
  }
  const isUntouched = () => expect(readFileSync(join(home, "secret"), "utf8")).toBe("the secret");

  test("the workspace can be read and written, and programs run", () => {
    expect(run("cat mine; echo new > made; cat made; git --version | cut -c1-3; ls | wc -l")).toMatch(
      /^minenew\ngit\n\d+\n$/,
    );
    expect(readFileSync(join(workspace, "made"), "utf8")).toBe("new\n");
  });

  test("what is declared to be read can be read and not written", () => {
    expect(run("cat ../reference/book; echo x > ../reference/book && echo wrote")).toMatch(/^the book/);
    expect(readFileSync(join(home, "reference/book"), "utf8")).toBe("the book");
  });

  test.each([
    ["by its name", `cat ${"$HOME"}/secret`],
    ["by ..", "cat ../secret"],
    ["by a link", "cat link"],
    ["by a link to its folder", "cat folder-link/secret"],
    ["by a link made inside", 'ln -s "$HOME/secret" inner; cat inner'],
    ["by /proc/self/root", "cat /proc/self/root$HOME/secret"],
    ["by the root of the first process", "cat /proc/1/root$HOME/secret"],
    ["by the folder of a parent", "cat /proc/$PPID/cwd/../secret; cat /proc/$PPID/root$HOME/secret"],
    ["by a hard link", 'ln "$HOME/secret" hard; cat hard'],
    ["by copying its folder", 'cp -r "$HOME" copied; cat copied/secret'],
    [
      "in namespaces of its own",
      `unshare -Urm cat "$HOME/secret"; unshare -Urm sh -c 'umount -l "$HOME"; cat "$HOME/secret"'`,
    ],
    [
      "by mounting",
      `unshare -Urm sh -c 'mkdir -p m; mount --bind / m; cat "m$HOME/secret"; mount -o remount,rw,bind /'`,
    ],
  ])("what is not declared cannot be read %s", (_how, script) => {
    expect(run(script)).not.toContain("the secret");
  });

  test.each([
    ["by its name", 'echo x > "$HOME/secret"'],
    ["by a link", "echo x > link"],
    ["by a folder link", "echo x > folder-link/secret"],
    ["by moving a file there", 'mv mine "$HOME/secret"; mv "$HOME/secret" mine'],
    ["by deleting it", 'rm -f "$HOME/secret" folder-link/secret'],
    ["by its mode", 'chmod 777 "$HOME/secret"'],
    ["in namespaces of its own", `unshare -Urm sh -c 'echo x > "$HOME/secret"'`],
    ["by a process that left its session", `setsid sh -c 'echo x > "$HOME/secret"' & wait`],
  ])("what is not declared cannot be written %s", (_how, script) => {
    run(script);
    isUntouched();
  });

  test.skipIf(mechanism === "landlock")("what other programs run stays as it is inside a writable folder", () => {
    run("echo x > .git/hooks/pre-commit; echo x > .git/config; echo x > .aura/y; rm -rf .aura .git; mv .git old");
    expect(readFileSync(join(workspace, ".git/config"), "utf8")).toBe("");
    expect(
      execFileSync("ls", [join(workspace, ".git/hooks"), join(workspace, ".aura")], { encoding: "utf8" }),
    ).not.toMatch(/pre-commit|y\n/);
  });

  test("system folders are not writable", () => {
    expect(run(": > /etc/aura-was-here; : > /usr/aura-was-here; ls /etc/aura-was-here /usr/aura-was-here")).toMatch(
      /(?:cannot access|No such file)/,
    );
  });

  test.skipIf(process.getuid?.() !== 0 || mechanism === "landlock")(
    "what only root may read of the system is hidden from root",
    () => {
      expect(run("cat /etc/shadow")).not.toContain("root:");
    },
  );

  test("with the network closed nobody is reached, on no address", async () => {
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    expect(await runBeside(`cat < /dev/tcp/127.0.0.1/${port}`)).not.toContain("reached");
    expect(run("cat < /dev/tcp/8.8.8.8/53")).toMatch(/unreachable|Permission denied|not permitted/);
    server.close();
  });

  test.skipIf(mechanism === "landlock")(
    "a socket of another program outside of the declared folders is out of reach",
    async () => {
      const path = join(home, "sock");
      const server = createServer((socket) => socket.end("reached"));
      await new Promise<void>((resolve) => server.listen(path, resolve));
      const script = `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer=>"${path}") ? "reached\\n" : "no\\n"'`;
      expect(await runBeside(script)).not.toContain("reached");
      server.close();
    },
  );

  test.skipIf(mechanism === "landlock" || mechanism === "seatbelt")(
    "other processes can be neither seen nor ended",
    () => {
      const other = execFileSync("/bin/sh", ["-c", "sleep 60 >/dev/null 2>&1 & echo $!"], { encoding: "utf8" }).trim();
      expect(run(`kill -9 ${other}; ls /proc | grep -c '^${other}$'`)).toMatch(/^0\n/m);
      process.kill(Number(other));
    },
  );

  test.skipIf(mechanism === "bubblewrap" || mechanism === "seatbelt")(
    "a descriptor we forgot to close is not handed on",
    () => {
      const program = {
        file: "/bin/bash",
        name: "bash",
        args: ["-c", "ls -l /proc/self/fd"],
        cwd: workspace,
        readsThree: false,
      };
      const { file, args } = confine(machine, wish, program, process.env["PATH"]);
      const quoted = [file, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
      const { stdout } = spawnSync("/bin/bash", ["-c", `exec 9< "${join(home, "secret")}"; ${quoted}`], {
        encoding: "utf8",
        cwd: workspace,
      });
      expect(stdout).toMatch(/ 0 -> /);
      expect(stdout).not.toContain("secret");
    },
  );

  test("a hard link that was there before is the file itself, which is said and not hidden", () => {
    linkSync(join(home, "reference/book"), join(workspace, "before"));
    expect(run("cat before")).toBe("the book");
  });

  test("exit codes and death by a signal come through", () => {
    const program = (script: string) => ({
      file: "/bin/bash",
      name: "bash",
      args: ["-c", script],
      cwd: workspace,
      readsThree: false,
    });
    const codeOf = (script: string) => {
      const { file, args } = confine(machine, wish, program(script), process.env["PATH"]);
      return spawnSync(file, args, { cwd: workspace }).status;
    };
    expect([codeOf("exit 7"), codeOf("true")]).toEqual([7, 0]);
  });
}
