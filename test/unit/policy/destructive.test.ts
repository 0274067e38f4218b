import { expect, test } from "vitest";
import { destructivePart } from "../../../src/policy/destructive.ts";

test.each([
  ["rm -rf build", "rm -rf build"],
  ["cd /tmp && sudo rm x", "rm x"],
  ["true; $(echo rm) x", "rm x"],
  ["bash -c 'rm x'", "rm x"],
  ["/bin/rm x", "rm x"],
  ["git -C lib push origin", "git push origin"],
  ["git reset --hard", "git reset --hard"],
  ["git checkout -- a.txt", "git checkout -- a.txt"],
  ["git branch --force main HEAD", "git branch --force main HEAD"],
  ["npm install --force", "npm install --force"],
  ["find . -delete", "find . -delete"],
  ["find . -exec rm {} +", "rm {} +"],
  ["echo x > notes.txt", "> notes.txt"],
  ["(make) >| out.log", "> out.log"],
  ["make &> out.log", "> out.log"],
])("%s may destroy", (command, part) => {
  expect(destructivePart(command)).toBe(part);
});

test.each([
  "cat arms.txt",
  "echo rm -rf /",
  "grep -r 'git push' docs",
  "ls 2>/dev/null",
  "make 2>&1 | tail",
  "echo x >> notes.txt",
  "git status",
  "git checkout main",
  "sort < in.txt",
])("%s does not", (command) => {
  expect(destructivePart(command)).toBeUndefined();
});
