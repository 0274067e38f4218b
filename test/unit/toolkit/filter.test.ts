import { describe, expect, test } from "vitest";
import { type FilterLayer, filterTool } from "../../../src/toolkit/filter.ts";

const layer = (name: string, lists: { enabled?: string[]; disabled?: string[] }): FilterLayer => ({
  name,
  enabled: lists.enabled ?? [],
  disabled: lists.disabled ?? [],
});
const IN = { included: true };
const out = (reason: string) => ({ included: false, reason });

describe("one layer", () => {
  test("with empty lists lets everything through", () => {
    expect(filterTool("Bash", [layer("agent:coder", {})], [])).toEqual(IN);
  });

  test("with an enabled list lets only what matches through", () => {
    const layers = [layer("agent:coder", { enabled: ["Read", "Todo*"] })];
    expect(filterTool("Read", layers, [])).toEqual(IN);
    expect(filterTool("TodoList", layers, [])).toEqual(IN);
    expect(filterTool("Bash", layers, [])).toEqual(out("not in agent:coder enabled list"));
  });

  test("says no to what is disabled, even when it is enabled too", () => {
    const layers = [layer("mode:plan", { enabled: ["Bash"], disabled: ["Ba*"] })];
    expect(filterTool("Bash", layers, [])).toEqual(out("disabled by mode:plan"));
  });

  test("compares names case by case, as a whole, and knows no wildcard but *", () => {
    const disabled = (pattern: string) => filterTool("Read", [layer("x", { disabled: [pattern] })], []).included;
    expect([disabled("read"), disabled("Rea"), disabled("Rea?"), disabled("{Read}"), disabled("R*d")]).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("several layers", () => {
  test("the first that excludes a tool gives the reason", () => {
    const layers = [
      layer("global filter", { disabled: ["mcp__*"] }),
      layer("agent:coder", { enabled: ["Read"] }),
      layer("mode:plan", { disabled: ["*"] }),
    ];
    expect(filterTool("mcp__git__log", layers, [])).toEqual(out("disabled by global filter"));
    expect(filterTool("Bash", layers, [])).toEqual(out("not in agent:coder enabled list"));
    expect(filterTool("Read", layers, [])).toEqual(out("disabled by mode:plan"));
  });

  test("a later layer cannot bring back what an earlier one excluded", () => {
    const layers = [layer("agent:a", { disabled: ["Bash"] }), layer("mode:m", { enabled: ["Bash"] })];
    expect(filterTool("Bash", layers, [])).toEqual(out("disabled by agent:a"));
  });
});

describe("opt-in tools", () => {
  const optIn = ["TodoCreate"];
  const HIDDEN = out("opt-in (not explicitly enabled)");

  test("are hidden until some layer names them", () => {
    expect(filterTool("TodoCreate", [], optIn)).toEqual(HIDDEN);
    expect(filterTool("TodoCreate", [layer("agent:a", { enabled: ["TodoCreate"] })], optIn)).toEqual(IN);
  });

  test("count as named by a narrower pattern, but not by a bare *", () => {
    expect(filterTool("TodoCreate", [layer("agent:a", { enabled: ["*"] })], optIn)).toEqual(HIDDEN);
    expect(filterTool("TodoCreate", [layer("agent:a", { enabled: ["Todo*"] })], optIn)).toEqual(IN);
    expect(filterTool("TodoCreate", [layer("agent:a", { enabled: ["*", "*Create"] })], optIn)).toEqual(IN);
  });

  test("may be named in any layer", () => {
    const layers = [
      layer("global filter", {}),
      layer("agent:a", { enabled: ["*"] }),
      layer("task filter", { enabled: ["Todo*"] }),
    ];
    expect(filterTool("TodoCreate", layers, optIn)).toEqual(IN);
  });

  test("are exact names: a pattern among them hides nothing", () => {
    expect(filterTool("TodoCreate", [], ["Todo*"])).toEqual(IN);
  });

  test("that are disabled say so, rather than that they are opt-in", () => {
    expect(filterTool("TodoCreate", [layer("agent:a", { disabled: ["TodoCreate"] })], optIn)).toEqual(
      out("disabled by agent:a"),
    );
  });
});
