import { expect, test } from "vitest";
import { explain, explanationLines } from "../../../src/policy/explain.ts";
import { gatherPolicy } from "../../../src/policy/rules.ts";

const none = { session: new Set<string>(), saved: [] };
const place = { cwd: "/w", home: "/h" };

test("a command is explained with its rule, its place, its parts and what yes would remember", () => {
  const policy = gatherPolicy([{ from: "agent", confirm: [{ value: "Bash", file: "/h/a.md", line: 9 }] }]);
  const explained = explain({ tool: "Bash", input: { command: "cd x && /bin/ls" }, ...place }, policy, none);
  expect(explained).toEqual({
    tool: "Bash",
    verdict: "confirm",
    because: { rule: "Bash", from: "agent", file: "/h/a.md", line: 9 },
    pattern: "Bash:cd x && /bin/ls",
    sessionOnly: true,
    noPattern: "it chains commands or runs one in the background",
    command: {
      reading: "compound",
      reason: "it chains commands or runs one in the background",
      parts: ["cd x", "/bin/ls", "ls"],
    },
  });
  expect(explanationLines(explained)).toEqual([
    "Bash: confirm",
    "  because: Bash (agent /h/a.md:9)",
    "  read as: it chains commands or runs one in the background",
    "  parts:   cd x | /bin/ls | ls",
    "  offers:  Bash:cd x && /bin/ls (this session only)",
    "  nothing broader: it chains commands or runs one in the background",
  ]);
});

test("unknown tools, odd input and no configuration are no problem", () => {
  for (const input of [undefined, null, 5, "x", [], {}])
    expect(explain({ tool: "Nobody", input, ...place }, gatherPolicy([]), none)).toEqual({
      tool: "Nobody",
      verdict: "auto",
      because: { rule: "no policy is configured", from: "default" },
      pattern: "Nobody",
    });
  expect(explain({ tool: "Bash", input: null, ...place }, gatherPolicy([]), none).verdict).toBe("auto");
});
