import { describe, expect, test } from "vitest";
import { createCommands } from "../../../src/commands/registry.ts";
import { type FakeWorld, fakeControls, fakeWorld } from "../../helpers/fake-controls.ts";

/** Types lines one after the other; gives back what each said, and the world they left. */
async function typing(lines: string | readonly string[], changes: Partial<FakeWorld> = {}) {
  const world = fakeWorld(changes);
  const commands = createCommands();
  const controls = fakeControls(world);
  const said: (string | undefined)[] = [];
  const failed: boolean[] = [];
  for (const line of [lines].flat()) {
    const result = await commands.run(line, controls);
    said.push(result.text);
    failed.push(result.failed === true);
  }
  return { world, said, failed };
}
const fails = async (line: string, changes?: Partial<FakeWorld>) => {
  const { said, failed } = await typing(line, changes);
  return failed[0] ? said[0] : `did not fail: ${said[0]}`;
};

describe("/readbefore", () => {
  const USAGE = "usage: /readbefore [write|delete|all] [on|off]";

  test("shows and sets both sides", async () => {
    const { said, failed } = await typing([
      "/readbefore",
      "/rb write off",
      "/rb DELETE Enabled",
      "/rb all 0",
      "/rb all yes",
    ]);
    expect(said).toEqual([
      "Read-before: write=on, delete=off",
      "Read-before: write=off, delete=off",
      "Read-before: write=off, delete=on",
      "Read-before: write=off, delete=off",
      "Read-before: write=on, delete=on",
    ]);
    expect(failed).toEqual(Array(5).fill(false));
  });

  test("takes nothing or two words", async () => {
    expect(await fails("/rb write")).toBe(USAGE);
    expect(await fails("/rb write on now")).toBe(USAGE);
  });

  test("reads the value first, then the operation, and changes nothing when either is wrong", async () => {
    const { world, said } = await typing(["/rb everything maybe", "/rb everything off"]);
    expect(said).toEqual([
      'invalid boolean value "maybe": use on or off',
      'unknown operation "everything": use write, delete, or all',
    ]);
    expect(world.readBefore).toEqual({ write: true, delete: false });
  });
});

describe("/set", () => {
  test("sets several things and echoes them line by line", async () => {
    const { world, said } = await typing("/set think=high mode=plan auto=on verbose=yes window=32k agent=reader");
    expect(said).toEqual(["think=high\nmode=plan\nauto=on\nverbose=yes\nwindow=32k\nagent=reader"]);
    expect(world).toMatchObject({
      think: "high",
      mode: "plan",
      auto: true,
      verbose: true,
      window: 32_000,
      agent: "reader",
    });
  });

  test("knows the read-before switches by long and short name, and echoes the long one", async () => {
    const { world, said } = await typing("/set readbefore.write=false rb.delete=true");
    expect(said).toEqual(["readbefore.write=false\nreadbefore.delete=true"]);
    expect(world.readBefore).toEqual({ write: false, delete: true });
  });

  test("knows thinking and context as other names", async () => {
    const { world, said } = await typing("/set thinking=low context=1m");
    expect(said).toEqual(["think=low\nwindow=1m"]);
    expect(world).toMatchObject({ think: "low", window: 1_000_000 });
  });

  test("leaves a mode with none", async () => {
    const { world } = await typing("/set mode=none", { mode: "plan" });
    expect(world.mode).toBeUndefined();
  });

  test.each(["colour=red", "constructor=1", "__proto__=1"])("refuses %s before it sets anything", async (pair) => {
    const { world, said, failed } = await typing(`/set think=high ${pair}`);
    expect(said[0]).toMatch(/^unknown setting "\w+": use think, /);
    expect(failed).toEqual([true]);
    expect(world.think).toBe("off");
  });

  test("wants key=value", async () => {
    expect(await fails("/set")).toBe("usage: /set key=value …");
    expect(await fails("/set think")).toBe('"think" is not key=value\nusage: /set key=value …');
    expect(await fails("/set =high")).toBe('"=high" is not key=value\nusage: /set key=value …');
  });
});

describe("/tools", () => {
  const tools: FakeWorld["tools"] = [
    {
      name: "Read",
      source: "built-in",
      inclusion: { included: true },
      visibility: "eager",
      decisions: [
        { stage: "agent", outcome: "passed", words: "enabled by agent:coder", entry: "R*", file: "/a.md", line: 3 },
        { stage: "condition", outcome: "undecided", words: "condition, decided in a conversation: auto" },
        { stage: "visibility", outcome: "passed", words: "eager" },
      ],
    },
    {
      name: "Bash",
      source: "built-in",
      inclusion: { included: false, reason: "disabled by agent:coder" },
      visibility: "excluded",
      decisions: [
        {
          stage: "agent",
          outcome: "excluded",
          words: "disabled by agent:coder",
          entry: "Bash",
          file: "/a.md",
          line: 4,
        },
        { stage: "mode", outcome: "excluded", words: "not in mode:plan enabled list", file: "/m.md" },
      ],
    },
    {
      name: "mcp__git__log",
      source: "mcp:git",
      aliases: ["git_history"],
      inclusion: { included: true },
      visibility: "deferred",
      decisions: [{ stage: "visibility", outcome: "passed", words: "deferred: its server says so" }],
    },
  ];

  test("lists what may be called", async () => {
    expect((await typing("/tools", { tools })).said).toEqual(["Enabled tools:\n- Read\n- mcp__git__log (deferred)"]);
    expect((await typing("/tools")).said).toEqual(["No tools enabled"]);
  });

  test("debug says of every tool why it is in or out", async () => {
    const { said } = await typing("/tools debug", { tools });
    expect(said[0]?.split("\n")).toEqual([
      "Included (2):",
      "  Read (built-in) — eager; condition, decided in a conversation: auto",
      "  mcp__git__log = git_history (mcp:git) — deferred: its server says so",
      "",
      "Excluded (1):",
      "  Bash (built-in) — disabled by agent:coder: Bash (/a.md:4)",
    ]);
  });

  test("debug with nothing excluded has no second part", async () => {
    expect((await typing("/tools debug", { tools: tools.slice(2) })).said).toEqual([
      "Included (1):\n  mcp__git__log = git_history (mcp:git) — deferred: its server says so",
    ]);
  });

  test("knows nothing else", async () => {
    expect(await fails("/tools all")).toBe("usage: /tools [debug [tool]]");
    expect(await fails("/why")).toBe("usage: /why <tool>");
  });

  test.each(["/why Bash", "/why bash", "/tools debug Bash"])("%s tells every stage of one", async (line) => {
    expect((await typing(line, { tools })).said).toEqual([
      [
        "Bash (built-in): excluded",
        "  excluded   disabled by agent:coder: Bash (/a.md:4)",
        "  excluded   not in mode:plan enabled list (/m.md)",
      ].join("\n"),
    ]);
  });

  test("a tool is found by its other names and by a pattern", async () => {
    const text = "mcp__git__log = git_history (mcp:git): deferred\n  passed     deferred: its server says so";
    for (const name of ["git__log", "git_history", "mcp__git__*"])
      expect((await typing(`/why ${name}`, { tools })).said).toEqual([text]);
  });

  test("a tool nobody knows is told with the nearest name", async () => {
    expect((await typing("/why Raed", { tools })).said).toEqual(['there is no tool "Raed" (did you mean "Read"?)']);
  });
});

describe("/think", () => {
  test("shows and sets the level, in any case", async () => {
    const { said, world } = await typing(["/think", "/think HIGH", "/effort low"]);
    expect(said).toEqual(["Think: off", "Think: high", "Think: low"]);
    expect(world.think).toBe("low");
  });

  test("refuses an unknown level", async () => {
    expect(await fails("/think harder")).toBe(
      'unknown thinking level "harder"\nusage: /think [off|on|low|medium|high]',
    );
  });
});

describe.each([
  ["/verbose", "Verbose"],
  ["/auto", "Auto"],
])("%s", (name, label) => {
  test("without an argument shows and does not toggle", async () => {
    expect((await typing([name, name])).said).toEqual([`${label}: disabled`, `${label}: disabled`]);
  });

  test("sets what it is told", async () => {
    expect((await typing([`${name} on`, name, `${name} off`])).said).toEqual([
      `${label}: enabled`,
      `${label}: enabled`,
      `${label}: disabled`,
    ]);
  });

  test("refuses other words", async () => {
    expect(await fails(`${name} loud`)).toBe('invalid boolean value "loud": use on or off');
    expect(await fails(`${name} on on`)).toBe(`usage: ${name} [on|off]`);
  });
});

describe("/drop", () => {
  test("takes away the last message, several, or all", async () => {
    expect((await typing(["/drop", "/remove 2", "/drop"])).said).toEqual([
      "Dropped last message",
      "Dropped 2 message(s)",
      "No messages to drop",
    ]);
    const { said, world } = await typing("/drop all");
    expect(said).toEqual(["Dropped all messages"]);
    expect(world.messages).toEqual([]);
  });

  test("counts what was there to drop", async () => {
    expect((await typing("/drop 9")).said).toEqual(["Dropped 3 message(s)"]);
    expect((await typing("/drop all", { messages: [] })).said).toEqual(["No messages to drop"]);
  });

  test.each(["0", "-1", "1.5", "some"])("refuses %s", async (count) => {
    expect(await fails(`/drop ${count}`)).toBe(`"${count}" is no number\nusage: /drop [n|all]`);
  });
});

describe("/export", () => {
  test.each([
    ["/export", { format: "text", path: undefined }],
    ["/export md", { format: "markdown", path: undefined }],
    ["/export Markdown", { format: "markdown", path: undefined }],
    ["/export json out.txt", { format: "json", path: "out.txt" }],
    ["/export talk.md", { format: "markdown", path: "talk.md" }],
    ["/export talk.jsonl", { format: "jsonl", path: "talk.jsonl" }],
    ["/export talk.txt", { format: "text", path: "talk.txt" }],
    ["/export talk", { format: "text", path: "talk" }],
    ['/export "my talk.json"', { format: "json", path: "my talk.json" }],
    ["/export constructor", { format: "text", path: "constructor" }],
  ])("%s", async (line, target) => {
    expect((await typing(line)).world.exported).toEqual([target]);
  });

  test("gives the text to the clipboard instead of a file", async () => {
    const world = fakeWorld({});
    const result = await createCommands().run("/export jsonl clipboard", fakeControls(world));
    const text = "Exported to standard place";
    expect([world.exported, result]).toEqual([[{ format: "jsonl", path: undefined }], { text, data: { copy: text } }]);
  });

  test("says where it went", async () => {
    expect((await typing("/export md a.md")).said).toEqual(["Exported to a.md"]);
  });

  test("refuses a format it does not know, and too many words", async () => {
    const usage = "usage: /export [text|markdown|json|jsonl] [path|clipboard]";
    expect(await fails("/export pdf a.pdf")).toBe(`unknown format "pdf"\n${usage}`);
    expect(await fails("/export md a b")).toBe(usage);
  });
});

describe("/resume", () => {
  const saved = [
    { id: "abc-1", label: "Older", description: "yesterday" },
    { id: "abd-2", label: "Newer", group: "agent gone, using coder" },
  ];

  test("goes on by id prefix, and passes warnings on", async () => {
    expect((await typing(["/resume abc", "/load abd"], { saved })).said).toEqual([
      "Resumed session: Older",
      "Resumed session: Newer\nagent gone, using coder",
    ]);
  });

  test("without one lets a person pick", async () => {
    expect((await typing("/resume", { saved, picks: "abd-2" })).world.title).toBe("Newer");
  });

  test("says so when a person picks none", async () => {
    expect((await typing("/resume", { saved, isAttended: true })).said).toEqual(["Nothing chosen."]);
  });

  test("with nobody to pick lists the sessions", async () => {
    expect((await typing("/resume", { saved })).said).toEqual(["Older  yesterday\nNewer"]);
    expect((await typing("/resume")).said).toEqual(["No saved sessions."]);
  });

  test("of an unknown session fails", async () => {
    expect(await fails("/resume zzz", { saved })).toBe('no session "zzz"');
  });
});

describe("the session", () => {
  test("/save, /name and /fork take all words", async () => {
    const { said } = await typing([
      "/save",
      "/save My first try",
      "/name",
      "/name My Try",
      "/name",
      "/fork",
      "/fork Two",
    ]);
    expect(said).toEqual([
      "Saved session: First steps",
      "Saved session: My first try",
      "Session: s-1",
      "Session named: my-try",
      "Session: my-try",
      "Forked session: Fork of My first try",
      "Forked session: Two",
    ]);
  });

  test("/clear empties the conversation, /exit leaves", async () => {
    const { said, world } = await typing(["/clear", "/quit"]);
    expect(said).toEqual(["Conversation cleared.", "Exiting..."]);
    expect(world).toMatchObject({ messages: [], exited: true });
  });

  test("/stats counts calls by tool, most used first", async () => {
    const { said } = await typing("/stats");
    expect(said[0]).toContain("Tool calls:  4 (1 failed): Bash x2, Ls x1, Read x1");
    expect(said[0]).not.toContain("Cost");
    const { stats } = fakeWorld();
    expect((await typing("/stats", { stats: { ...stats, cost: 0.01234 } })).said[0]).toContain("Cost:        $0.0123");
  });
});

describe("agent, mode and model", () => {
  test("/agent lists and switches", async () => {
    expect((await typing(["/agent", "/agent reader", "/agent"])).said).toEqual([
      "Available agents: coder*, reader",
      "Switched to agent: reader",
      "Available agents: coder, reader*",
    ]);
  });

  test("/mode lists, switches and leaves", async () => {
    expect((await typing(["/mode", "/mode plan", "/mode none"])).said).toEqual([
      "Available modes: plan",
      "Switched to mode: plan",
      "Mode cleared",
    ]);
    expect(await fails("/mode dream")).toBe('no mode "dream"');
  });

  test("/model switches by name or by pick, and shows what is used when nobody picks", async () => {
    expect((await typing("/model large")).said).toEqual(["Switched to local/large"]);
    expect((await typing("/model", { picks: "far/big" })).said).toEqual(["Switched to far/big"]);
    expect((await typing("/model")).said).toEqual(["Model: local/small"]);
  });
});

describe("the context", () => {
  test("/context says how full it is", async () => {
    expect((await typing("/ctx")).said).toEqual(["Context: 12.4k / 131k tokens (9%), 3 messages"]);
    expect((await typing("/context", { window: undefined, used: 900 })).said).toEqual([
      "Context: 900 tokens, 3 messages",
    ]);
  });

  test("/window shows and sets", async () => {
    const { said, world } = await typing(["/window", "/window 32k"]);
    expect(said).toEqual(["Context window: 131k tokens", "Context window set to 32000 tokens"]);
    expect(world.window).toBe(32_000);
    expect((await typing("/window", { window: undefined })).said).toEqual(["Context window: unknown"]);
  });

  test.each(["0", "k", "-5", "12x", "1e3"])("/window refuses %s", async (size) => {
    expect(await fails(`/window ${size}`)).toBe(`"${size}" is no number of tokens\nusage: /window [tokens]`);
  });

  test("/insert adds a message of a role", async () => {
    const { said, world } = await typing("/insert user please go on", { messages: [] });
    expect(said).toEqual(["Inserted user message"]);
    expect(world.messages).toEqual(["user: please go on"]);
  });

  test.each(["/insert", "/insert user", "/insert robot hi"])("%s is not enough", async (line) => {
    expect(await fails(line)).toBe("usage: /insert <system|user|assistant> text");
  });

  test("/compact says what it did", async () => {
    expect((await typing("/compact")).said).toEqual(["Compacted 3 messages."]);
  });
});

describe("/todo", () => {
  test("shows the list", async () => {
    expect((await typing("/todo")).said).toEqual(["No todos."]);
  });

  test("edit replaces it by what the person wrote", async () => {
    const { said, world } = await typing("/todo edit", { edits: "1. [pending] a" });
    expect(said).toEqual(["Todo list updated."]);
    expect(world.todos).toBe("1. [pending] a");
  });

  test("edit that is given up changes nothing", async () => {
    expect((await typing("/todo edit")).said).toEqual(["Todo list unchanged."]);
  });

  test("edit with an unknown status fails", async () => {
    expect(await fails("/todo edit", { edits: "1. [later] a" })).toBe('unknown status "later"');
  });

  test("knows nothing else", async () => {
    expect(await fails("/todo clear")).toBe("usage: /todo [edit]");
  });
});

test("/policy, /info and /reload", async () => {
  const { said, world } = await typing(["/policy", "/info", "/reload"]);
  expect(said).toEqual([
    "No tool policy configured (all tool calls auto-approved).",
    "agent: coder",
    "Config reloaded.",
  ]);
  expect(world.reloads).toBe(1);
});
