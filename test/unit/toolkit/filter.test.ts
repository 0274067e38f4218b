import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConditionState, createFilter, type Decision, type FilterLayer } from "../../../src/toolkit/filter.ts";
import type { KnownTool, Written } from "../../../src/toolkit/known-tool.ts";
import { defineTool } from "../../../src/toolkit/tool.ts";

const written = (list: readonly string[] = []): Written<string>[] => list.map((value) => ({ value }));
const layer = (name: string, lists: { enabled?: readonly string[]; disabled?: readonly string[] }): FilterLayer => ({
  stage: "agent",
  name,
  enabled: written(lists.enabled),
  disabled: written(lists.disabled),
});
const known = (name: string, more: Partial<KnownTool> = {}): KnownTool => ({
  tool: defineTool({ name, description: "", input: { type: "object", properties: {} }, run: async () => "" }),
  source: "built-in",
  ...more,
});
const reasonIn = (decisions: readonly Decision[]) =>
  decisions.find(({ outcome }) => outcome === "excluded")?.words ?? "in";
const filterTool = (tool: string | KnownTool, layers: readonly FilterLayer[], optIn: readonly string[] = []) =>
  reasonIn(createFilter({ layers, optIn: written(optIn) })(typeof tool === "string" ? known(tool) : tool, undefined));

describe("one layer", () => {
  test("with empty lists lets everything through", () => {
    expect(filterTool("Bash", [layer("agent:coder", {})])).toBe("in");
  });

  test("with an enabled list lets only what matches through", () => {
    const layers = [layer("agent:coder", { enabled: ["Read", "Todo*"] })];
    expect(filterTool("Read", layers)).toBe("in");
    expect(filterTool("TodoList", layers)).toBe("in");
    expect(filterTool("Bash", layers)).toBe("not in agent:coder enabled list");
  });

  test("says no to what is disabled, even when it is enabled too", () => {
    const layers = [layer("mode:plan", { enabled: ["Bash"], disabled: ["Ba*"] })];
    expect(filterTool("Bash", layers)).toBe("disabled by mode:plan");
  });

  test("compares names case by case, as a whole, and knows no wildcard but *", () => {
    const verdicts = ["read", "Rea", "Rea?", "{Read}", "R*d"].map((pattern) =>
      filterTool("Read", [layer("x", { disabled: [pattern] })]),
    );
    expect(verdicts).toEqual(["in", "in", "in", "in", "disabled by x"]);
  });

  test("tells the entry that decided, and where it is written", () => {
    const at = (value: string, line: number) => ({ value, file: "/a.md", line });
    const lists = { enabled: [at("Read", 3), at("B*", 4)], disabled: [at("Write", 6)] };
    const filter = createFilter({ layers: [{ stage: "mode", name: "mode:m", ...lists }], optIn: [] });
    expect(["Bash", "Write", "Ls"].map((name) => filter(known(name), undefined))).toEqual([
      [{ stage: "mode", outcome: "passed", words: "enabled by mode:m", entry: "B*", file: "/a.md", line: 4 }],
      [{ stage: "mode", outcome: "excluded", words: "disabled by mode:m", entry: "Write", file: "/a.md", line: 6 }],
      [{ stage: "mode", outcome: "excluded", words: "not in mode:m enabled list", file: "/a.md", line: 3 }],
    ]);
  });
});

describe("several layers", () => {
  test("the first that excludes a tool gives the reason, and the others are told too", () => {
    const layers = [
      layer("global filter", { disabled: ["mcp__*"] }),
      layer("agent:coder", { enabled: ["Read"] }),
      layer("mode:plan", { disabled: ["*"] }),
    ];
    expect(filterTool("mcp__git__log", layers)).toBe("disabled by global filter");
    expect(filterTool("Bash", layers)).toBe("not in agent:coder enabled list");
    expect(filterTool("Read", layers)).toBe("disabled by mode:plan");
    const all = createFilter({ layers, optIn: [] })(known("mcp__git__log"), undefined);
    expect(all.map(({ words }) => words)).toEqual([
      "disabled by global filter",
      "not in agent:coder enabled list",
      "disabled by mode:plan",
    ]);
  });

  test("a later layer cannot bring back what an earlier one excluded", () => {
    const layers = [layer("agent:a", { disabled: ["Bash"] }), layer("mode:m", { enabled: ["Bash"] })];
    expect(filterTool("Bash", layers)).toBe("disabled by agent:a");
  });
});

describe("opt-in tools", () => {
  const optIn = ["TodoCreate"];
  const HIDDEN = "opt-in (not explicitly enabled)";

  test("are hidden until some layer names them", () => {
    expect(filterTool("TodoCreate", [], optIn)).toBe(HIDDEN);
    expect(filterTool("TodoCreate", [layer("agent:a", { enabled: ["TodoCreate"] })], optIn)).toBe("in");
  });

  test("count as named by a narrower pattern, but not by a bare *", () => {
    expect(filterTool("TodoCreate", [layer("agent:a", { enabled: ["*"] })], optIn)).toBe(HIDDEN);
    expect(filterTool("TodoCreate", [layer("agent:a", { enabled: ["Todo*"] })], optIn)).toBe("in");
    expect(filterTool("TodoCreate", [layer("agent:a", { enabled: ["*", "*Create"] })], optIn)).toBe("in");
  });

  test("may be named in any layer", () => {
    const layers = [
      layer("global filter", {}),
      layer("agent:a", { enabled: ["*"] }),
      layer("task filter", { enabled: ["Todo*"] }),
    ];
    expect(filterTool("TodoCreate", layers, optIn)).toBe("in");
  });

  test("are exact names: a pattern among them hides nothing", () => {
    expect(filterTool("TodoCreate", [], ["Todo*"])).toBe("in");
  });

  test("that are disabled say so, rather than that they are opt-in", () => {
    expect(filterTool("TodoCreate", [layer("agent:a", { disabled: ["TodoCreate"] })], optIn)).toBe(
      "disabled by agent:a",
    );
  });

  test("may be so because their source says it", () => {
    const tool = known("Gotify", { optIn: true });
    expect(filterTool(tool, [layer("agent:a", { enabled: ["*"] })])).toBe(HIDDEN);
    expect(filterTool(tool, [layer("agent:a", { enabled: ["Gotify"] })])).toBe("in");
  });
});

describe("conditions", () => {
  const decide = (state: ConditionState | undefined, enabled: readonly string[] = []) =>
    createFilter({
      layers: [layer("agent:a", { enabled })],
      optIn: [],
      ...(state && { conditionState: () => state }),
    })(known("Deploy"), { value: "todo_done", file: "/t.yaml", line: 9 }).at(-1);
  const at = { stage: "condition", file: "/t.yaml", line: 9 };

  test.each([
    ["holds", "passed", "condition holds: todo_done"],
    ["fails", "excluded", "condition failed: todo_done"],
    ["untrusted", "excluded", "condition of a project that is not trusted: todo_done"],
    ["undecided", "undecided", "condition, decided in a conversation: todo_done"],
    [undefined, "undecided", "condition, decided in a conversation: todo_done"],
  ] as const)("that %s: %s", (state, outcome, words) => {
    expect(decide(state)).toEqual({ ...at, outcome, words });
    expect(decide(state, ["*"])).toEqual({ ...at, outcome, words });
  });

  test("do not bind a tool that a list names", () => {
    expect(decide("fails", ["Dep*"])).toEqual({
      stage: "condition",
      outcome: "passed",
      words: "explicitly enabled",
      entry: "Dep*",
    });
  });
});

describe("names", () => {
  const log = known("mcp__git__log", { server: "git", aliases: ["git_history"] });
  const enabledBy = (pattern: string, tool: KnownTool, servers: readonly string[] = []) =>
    reasonIn(
      createFilter({ layers: [layer("a", { enabled: [pattern] })], optIn: [], servers: new Set(servers) })(
        tool,
        undefined,
      ),
    ) === "in";
  const disabledBy = (pattern: string, tool: KnownTool, servers: readonly string[] = []) =>
    reasonIn(
      createFilter({ layers: [layer("a", { disabled: [pattern] })], optIn: [], servers: new Set(servers) })(
        tool,
        undefined,
      ),
    ) !== "in";

  test.each(["mcp__git__log", "git__log", "git_history", "mcp__git__*", "git__*", "*__log", "mcp__*"])(
    "%s is a tool of a server",
    (pattern) => {
      expect([enabledBy(pattern, log), disabledBy(pattern, log)]).toEqual([true, true]);
    },
  );

  test.each(["log", "git", "Git__log", "mcp__github__*"])("%s is not", (pattern) => {
    expect([enabledBy(pattern, log), disabledBy(pattern, log)]).toEqual([false, false]);
  });

  test.each(["coding__read_file", "coding__*", "*__read_file"])("Read answers to %s of Aether", (pattern) => {
    const read = known("Read");
    expect([enabledBy(pattern, read), disabledBy(pattern, read)]).toEqual([true, true]);
    // With a server of that name an allow list means the server's tool; a deny list means both.
    expect([enabledBy(pattern, read, ["coding"]), disabledBy(pattern, read, ["coding"])]).toEqual([false, true]);
  });

  test("a server's tool that is called like a built-in does not take its alias", () => {
    expect(enabledBy("coding__read_file", known("Read", { server: "x" }))).toBe(false);
  });
});

describe("the way to held tools", () => {
  const load = known("LoadTools", { reaches: "deferred" });
  test("is implied by a list that allows others, and bound by one that keeps it out", () => {
    expect(filterTool(load, [layer("a", { enabled: ["mcp__*"] })])).toBe("in");
    expect(filterTool(load, [layer("a", { disabled: ["LoadTools"] })])).toBe("disabled by a");
    expect(filterTool(load, [], ["LoadTools"])).toBe("opt-in (not explicitly enabled)");
  });
});

describe("whatever the lists say", () => {
  const letter = fc.constantFrom("a", "b", "_");
  const name = fc.string({ unit: letter, minLength: 1, maxLength: 6 });
  const pattern = fc.oneof(name, fc.string({ unit: fc.constantFrom("a", "b", "_", "*"), minLength: 1, maxLength: 5 }));
  const lists = fc.record({
    enabled: fc.array(pattern, { maxLength: 3 }),
    disabled: fc.array(pattern, { maxLength: 2 }),
  });
  const stack = fc.array(lists, { maxLength: 4 });
  const layersOf = (given: readonly { enabled: string[]; disabled: string[] }[]) =>
    given.map((one, at) => layer(`layer ${at}`, one));
  const fits = (text: string, to: string) =>
    new RegExp(
      `^${text
        .split("*")
        .map((part) => part.replace(/\W/g, "\\$&"))
        .join("[^]*")}$`,
    ).test(to);

  test("a tool is in exactly when every layer lets it through and an opt-in is named", () => {
    fc.assert(
      fc.property(name, stack, fc.array(name, { maxLength: 2 }), (tool, given, optIn) => {
        const through = given.every(
          ({ enabled, disabled }) =>
            !disabled.some((entry) => fits(entry, tool)) &&
            (enabled.length === 0 || enabled.some((entry) => fits(entry, tool))),
        );
        const isNamed = given.some(({ enabled }) => enabled.some((entry) => entry !== "*" && fits(entry, tool)));
        const expected = through && (!optIn.includes(tool) || isNamed);
        expect(filterTool(tool, layersOf(given), optIn) === "in").toBe(expected);
      }),
    );
  });

  test("what is disabled anywhere is out", () => {
    fc.assert(
      fc.property(name, stack, fc.nat(4), (tool, given, at) => {
        const more = given.toSpliced(at, 0, { enabled: ["*", tool], disabled: [tool] });
        expect(filterTool(tool, layersOf(more))).not.toBe("in");
      }),
    );
  });

  test("another restriction never adds a tool that is not an opt-in", () => {
    fc.assert(
      fc.property(name, stack, lists, fc.nat(4), (tool, given, added, at) => {
        const before = filterTool(tool, layersOf(given)) === "in";
        const after = filterTool(tool, layersOf(given.toSpliced(at, 0, added))) === "in";
        expect(after && !before).toBe(false);
      }),
    );
  });

  test("the order within a list, and of the layers, does not change what is in", () => {
    fc.assert(
      fc.property(name, stack, (tool, given) => {
        const turned = given
          .map(({ enabled, disabled }) => ({ enabled: enabled.toReversed(), disabled: disabled.toReversed() }))
          .toReversed();
        expect(filterTool(tool, layersOf(turned)) === "in").toBe(filterTool(tool, layersOf(given)) === "in");
      }),
    );
  });
});
