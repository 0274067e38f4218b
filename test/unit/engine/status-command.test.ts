import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStatusCommand } from "../../../src/engine/status-command.ts";
import type { ExecResult } from "../../../src/shell/shell.ts";
import { idleStatus } from "../../helpers/fake-conversation.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const printed = (stdout: string): ExecResult => ({ kind: "exited", code: 0, stdout, stderr: "", capped: false });

function setUp(answer: (input: string) => ExecResult, script = "say") {
  const asked: string[] = [];
  const problems: string[] = [];
  const command = createStatusCommand({
    cwd: "/project",
    command: () => script,
    onProblem: (text) => problems.push(text),
    shell: {
      async exec(_script, { env = {} }) {
        asked.push(env["AURA_STATUS"] ?? "");
        return answer(env["AURA_STATUS"] ?? "");
      },
    },
  });
  return { command, asked, problems };
}

test("runs once the status has calmed down, with the newest one, and not again while nothing changes", async () => {
  const { command, asked } = setUp((input) => printed(`${JSON.parse(input).step} steps\nmore\n`));
  const lines: (string | undefined)[] = [];
  const tell = (step: number) =>
    command.changed({ ...idleStatus, step, ...(command.line !== undefined && { statusLine: command.line }) }, () => {
      lines.push(command.line);
      tell(step);
    });
  for (const step of [1, 2, 3]) tell(step);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines).toEqual(["3 steps"]);
  expect(asked).toEqual([JSON.stringify({ ...idleStatus, step: 3 })]);
  tell(4);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines).toEqual(["3 steps", "4 steps"]);
});

test("what goes wrong is told once, and the status line is the usual one", async () => {
  const { command, problems } = setUp(() => ({
    kind: "timeout",
    ms: 1_000,
    stdout: "half",
    stderr: "",
    capped: false,
  }));
  for (const step of [1, 2]) {
    command.changed({ ...idleStatus, step }, () => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(command.line).toBeUndefined();
  expect(problems).toEqual(["ui.statusline: ended after a second"]);
});

test("without a command, and after the end, nothing runs", async () => {
  const without = setUp(() => printed("x"), "");
  without.command.changed(idleStatus, () => undefined);
  const closed = setUp(() => printed("x"));
  closed.command.changed(idleStatus, () => undefined);
  closed.command.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([without.asked, closed.asked]).toEqual([[], []]);
});
