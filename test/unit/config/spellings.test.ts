import { expect, test } from "vitest";
import { respell, respellOrigins, respellPath } from "../../../src/config/spellings.ts";

const spellings = { bash: "tools.bash", "tool_execution.parallel": "tools.parallel", "tools.allow": "tools.enabled" };

test("another spelling is read as the one meant, wherever it lies, and leaves no empty section behind", () => {
  const data = { bash: { rewrite: "x" }, tool_execution: { parallel: false }, tools: { allow: ["A"], max_steps: 3 } };
  expect(respell(data, spellings)).toEqual({
    data: { tools: { bash: { rewrite: "x" }, parallel: false, enabled: ["A"], max_steps: 3 } },
    clashes: [],
  });
  expect(respell({ tool_execution: { parallel: true, other: 1 } }, spellings).data).toEqual({
    tool_execution: { other: 1 },
    tools: { parallel: true },
  });
});

test("both spellings in one place are a clash", () => {
  const data = { tool_execution: { parallel: false }, tools: { parallel: true } };
  expect(respell(data, spellings)).toEqual({ data, clashes: [["tool_execution.parallel", "tools.parallel"]] });
});

test("what is no section stays as it is, for the schema to refuse", () => {
  expect(respell({ bash: {}, tools: 5 }, spellings).data).toEqual({ tools: 5 });
  for (const data of [undefined, null, [], "text", {}]) expect(respell(data, spellings)).toEqual({ data, clashes: [] });
});

test("places follow", () => {
  const place = { file: "/a.yaml", line: 2 };
  expect([...respellOrigins(new Map([["bash.rewrite", place]]), spellings)]).toEqual([["tools.bash.rewrite", place]]);
  expect([respellPath("bashful", spellings), respellPath("bash", spellings)]).toEqual(["bashful", "tools.bash"]);
});
