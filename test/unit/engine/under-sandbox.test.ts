import { expect, test } from "vitest";
import type { Engine } from "../../../src/engine/engine.ts";
import { underSandbox } from "../../../src/engine/under-sandbox.ts";
import type { Verdict } from "../../../src/protocol/verdict.ts";

const call = (tool: string) => ({ callId: "1", tool, input: {}, reads: [], writes: [], given: [] });
const auto: Verdict = { kind: "auto", because: { rule: "x", from: "default" } };
const confirm = (rule: string): Verdict => ({ kind: "confirm", because: { rule, from: "built-in" } });
const deny: Verdict = { kind: "deny", because: { rule: "Bash", from: "global" } };

/** As much of an engine as is looked at. */
const engine = (how: { helpless?: boolean; virtual?: boolean; confirm?: readonly string[] }) =>
  ({
    options: {},
    sandbox: { isHelpless: how.helpless === true },
    tools: {
      reach: (name: string) =>
        name === "mcp__coding__bash" ? { sameAs: () => ({ tool: "Bash", input: {} }) } : undefined,
    },
    settings: {
      features: { tools: { bash: { engine: how.virtual ? "virtual" : "host" } } },
      policy: {
        auto: [],
        deny: [],
        confirm: (how.confirm ?? ["Bash"]).map((pattern) => ({ pattern, from: "built-in" })),
      },
    },
  }) as unknown as Engine;

test("where nothing enforces the sandbox every command is asked about, under any name, and nothing else is", () => {
  const helpless = engine({ helpless: true });
  expect(["Bash", "mcp__coding__bash", "Read"].map((tool) => underSandbox(helpless, call(tool), auto).kind)).toEqual([
    "confirm",
    "confirm",
    "auto",
  ]);
  expect(underSandbox(helpless, call("Bash"), deny)).toBe(deny);
  expect(underSandbox(engine({}), call("Bash"), auto)).toBe(auto);
});

test("a command that can only read the project needs no yes for being a command", () => {
  const virtual = engine({ virtual: true });
  expect(underSandbox(virtual, call("Bash"), confirm("Bash")).kind).toBe("auto");
  expect(underSandbox(virtual, call("Bash"), confirm("what it runs cannot be told beforehand")).kind).toBe("auto");
  expect(underSandbox(virtual, call("Write"), confirm("Write")).kind).toBe("confirm");
  expect(underSandbox(virtual, call("Bash"), deny)).toBe(deny);
});

test("it does need one for a file that rules ask about", () => {
  const virtual = engine({ virtual: true, confirm: ["Bash", "Read:*.env"] });
  expect(underSandbox(virtual, call("Bash"), confirm("Read:*.env")).kind).toBe("confirm");
  expect(underSandbox(virtual, call("Bash"), confirm("what it runs cannot be told beforehand")).kind).toBe("confirm");
  expect(underSandbox(virtual, call("Bash"), confirm("Bash")).kind).toBe("auto");
});
