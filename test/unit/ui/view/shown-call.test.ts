import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { ToolCall } from "../../../../src/protocol/tool-call.ts";
import { shownCall } from "../../../../ui/view/shown-call.ts";

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${String(from + at).padStart(6, "0")}`).join("\n");

function done(tool: string, text: string, diff?: string): ToolCall {
  const output = { text, tokens: 7, ...(diff === undefined ? {} : { diff }) };
  return { id: "c", tool, input: { command: "x" }, status: "done", ms: 5, output };
}

test("of a command's long output the end is kept, of others the start, and what is missing is counted", () => {
  const text = lines(0, 5_000);
  const bash = shownCall(done("Bash", text));
  const read = shownCall(done("Read", text));
  const kept = (call: typeof bash) => (call.status === "done" ? call.output.text : "");
  expect(kept(bash).endsWith("line 004999")).toBe(true);
  expect(kept(read).startsWith("line 000000\nline 000001")).toBe(true);
  for (const call of [bash, read]) {
    expect(kept(call).length).toBeLessThanOrEqual(2_000);
    expect((call.hidden ?? 0) + kept(call).split("\n").length).toBe(5_000);
  }
});

test("a short call is kept as it is", () => {
  const call = done("Bash", "a\nb\n", "+x");
  expect(shownCall(call)).toEqual(call);
});

test("a failed command keeps the end of its message, with how much went before", () => {
  const call = shownCall({
    id: "c",
    tool: "Bash",
    input: {},
    status: "failed",
    ms: 1,
    failure: { kind: "error", message: `${lines(0, 1_000)}\nexit code 2` },
  });
  const message = call.status === "failed" && call.failure.kind === "error" ? call.failure.message : "";
  expect(message.endsWith("exit code 2")).toBe(true);
  expect((call.hidden ?? 0) + message.split("\n").length).toBe(1_001);
});

test("long diffs and arguments are cut", () => {
  const diff = Array.from({ length: 500 }, (_, at) => `+${at}`).join("\n");
  const call = shownCall({
    ...done("Write", "ok", diff),
    input: { content: "x".repeat(100_000), list: Array.from({ length: 1_000 }, () => "y".repeat(10_000)) },
  });
  expect(JSON.stringify(call).length).toBeLessThan(20_000);
  expect(call.hidden).toBe(440);
});

test("what is kept of many outputs does not keep the outputs themselves", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const chars = 200_000;
  const long = (at: number) => `${at} `.repeat(chars).slice(0, chars);
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 100 }, (_, at) =>
    shownCall({
      id: `c${at}`,
      tool: at % 2 === 0 ? "Bash" : "Read",
      input: { content: long(at) },
      status: "done",
      ms: 1,
      output: { text: long(at), diff: long(at) },
    }),
  );
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  expect(kept).toHaveLength(100);
  // All outputs together are 60 MB.
  expect(grown).toBeLessThan(10_000_000);
});
