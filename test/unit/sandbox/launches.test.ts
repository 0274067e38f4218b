import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { bubblewrapLaunch } from "../../../src/sandbox/bubblewrap.ts";
import { createProbe } from "../../../src/sandbox/probe.ts";
import type { Wish } from "../../../src/sandbox/sandbox.ts";
import { seatbeltProfile } from "../../../src/sandbox/seatbelt.ts";

const wish: Wish = {
  readOnly: ["/data"],
  readWrite: ["/h/p"],
  network: "none",
  guarded: ["/h/p/.git/config", "/h/p/.aura"],
  home: "/h",
};
const program = { file: "/bin/bash", name: "bash", args: ["-c", "true"], cwd: "/h/p", readsThree: false };

test("bubblewrap mounts the home folder before what lies in it, and what is guarded last", () => {
  const { file, args } = bubblewrapLaunch(
    { mechanism: "bubblewrap", starter: "/b" },
    wish,
    program,
    "/usr/bin",
    () => undefined,
  );
  const at = (...words: readonly string[]) => args.join("\n").indexOf(words.join("\n"));
  const order = [
    at("--unshare-all"),
    at("--ro-bind-try", "/usr", "/usr"),
    at("--tmpfs", "/h"),
    at("--bind-try", "/h/p", "/h/p"),
    // In the way of moving the folder away with what is guarded in it.
    at("--bind-try", "/h/p/.git", "/h/p/.git"),
    at("--ro-bind-try", "/h/p/.git/config", "/h/p/.git/config"),
    at("--", "/bin/bash", "-c", "true"),
  ];
  expect(file).toBe("/b");
  expect(args).not.toContain("--share-net");
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(Math.min(...order)).toBeGreaterThanOrEqual(0);
});

test("with the network bubblewrap shares it, and shows where names are resolved", () => {
  const { args } = bubblewrapLaunch(
    { mechanism: "bubblewrap", starter: "/b" },
    { ...wish, network: "inherit" },
    program,
    "",
    () => undefined,
  );
  expect(args).toEqual(expect.arrayContaining(["--share-net", "/run/systemd/resolve"]));
});

test("a profile for macOS denies first, allows what is declared, and guards last", () => {
  const profile = seatbeltProfile({ ...wish, readWrite: ['/h/p"x'] }, "/usr/bin");
  const lines = profile.split("\n");
  expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  expect(profile).toContain('(subpath "/h/p\\"x")');
  expect(profile).not.toContain("network");
  expect(lines.at(-1)).toBe('(deny file-write* (subpath "/h/p/.git/config") (subpath "/h/p/.aura"))');
  expect(seatbeltProfile({ ...wish, network: "inherit" }, "")).toContain("(allow network*");
});

test("where nothing can be used, the probe says of each why", async () => {
  const here = process.platform === "darwin" ? (["bubblewrap"] as const) : (["seatbelt"] as const);
  expect(await createProbe({}, tmpdir(), here).confinement()).toEqual({
    found: undefined,
    failed: [`${here[0]}: not on ${process.platform}`],
  });
});

test("a machine is tried once", async () => {
  const probe = createProbe({});
  const [first, again] = [probe.confinement(), probe.confinement()];
  expect(again).toBe(first);
  await first;
});
