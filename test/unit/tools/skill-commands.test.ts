import { expect, test } from "vitest";
import type { ToolCall } from "../../../src/protocol/tool-call.ts";
import {
  replaceCommands,
  runBashInside,
  standardOutput,
  UNTRUSTED_COMMAND,
} from "../../../src/tools/skill-commands.ts";

test("a command gives way to what it printed, which is not looked at again", async () => {
  const asked: string[] = [];
  const text = await replaceCommands("a !`one` b !`two` `plain` !``", async (command) => {
    asked.push(command);
    return "!`three`";
  });
  expect(text).toBe("a !`three` b !`three` `plain` !``");
  expect(asked).toEqual(["one", "two"]);
});

test.each([
  ["out\n", "out"],
  ["out\n\nSTDERR:\nbad\n", "out"],
  ["STDERR:\nbad\n", ""],
  ["out\n\nEXIT CODE: 1", ""],
  ["out\n\nEXIT CODE: TIMEOUT after 15s", ""],
  ["EXIT CODE: 3", ""],
])("%j printed %j", (result, printed) => {
  expect(standardOutput(result)).toBe(printed);
});

test("commands run as Bash calls that may ask; one that did not run leaves nothing, and none runs untrusted", async () => {
  const calls: unknown[] = [];
  const identity = { id: "c", tool: "Bash", input: {} };
  const callTools = async (wanted: unknown, options: unknown): Promise<readonly ToolCall[]> => {
    calls.push([wanted, options]);
    return calls.length === 1
      ? [{ ...identity, status: "done", ms: 0, output: { text: "noon\n" } }]
      : [{ ...identity, status: "denied", refusal: { by: "person" } }];
  };
  expect(await runBashInside("It is !`date`, !`rm x`.", true, { callTools })).toBe("It is noon, .");
  expect(calls[0]).toEqual([[{ tool: "Bash", input: { command: "date" } }], { mayAsk: true }]);
  calls.length = 0;
  expect(await runBashInside("It is !`date`.", false, { callTools })).toBe(`It is ${UNTRUSTED_COMMAND}.`);
  expect(calls).toEqual([]);
});
