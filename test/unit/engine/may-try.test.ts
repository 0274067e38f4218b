import { expect, test } from "vitest";
import { whyNotTried } from "../../../src/engine/may-try.ts";
import { createShellReader } from "../../../src/policy/shell/shell-reader.ts";
import { diskSurroundings } from "../../../src/policy/shell/surroundings.ts";

const around = diskSurroundings({ cwd: "/work-here", home: "/home/me", ours: [], path: "/usr/bin" });
const reader = createShellReader();
const why = async (script: string) =>
  whyNotTried(await reader.read(script, "/work-here", around, []), { workspace: "/work-here", home: "/home/me" });

test.each([
  "sed -i s/a/b/ f",
  "rm -rf build && mkdir build",
  "npm run codegen && git add -A",
  "for f in *.txt; do mv $f old/; done",
  "make",
  "./gen.sh",
  "echo x > a 2>/dev/null",
])("%s is tried", async (script) => {
  expect(await why(script)).toBeUndefined();
});

test.each([
  ["$CMD -rf x", "what it does cannot be told beforehand"],
  ["rm $(cat list)", "what it does cannot be told beforehand"],
  ["curl https://example.org > x", "it needs the network"],
  ["npm install", "it needs the network"],
  ["git push", "it needs the network"],
  ["kill 1", "it acts on other processes"],
  ["touch /etc/x", "it writes outside this folder"],
  ["cp /home/me/.ssh/id x", "it reads files of yours outside this folder"],
  ["vim a", "vim waits for somebody to type"],
  ["sudo rm x", "sudo waits for somebody to type"],
  ["tail -f log > x", "it goes on until it is stopped"],
  ["npm run dev", "it goes on until it is stopped"],
  ["echo 'x", "what it runs cannot be told beforehand"],
])("%s is not: %s", async (script, reason) => {
  expect(await why(script)).toBe(reason);
});
