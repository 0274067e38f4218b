import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCommands } from "../../../src/commands/registry.ts";
import { fakeControls, fakeWorld } from "../../helpers/fake-controls.ts";

const commands = createCommands();
const run = (line: string) => commands.run(line, fakeControls(fakeWorld()));

describe("finding a command", () => {
  test("by name or alias, in any case, with or without the slash", () => {
    expect(["verbose", "V", "/Verbose", "VERBOSE"].map((name) => commands.find(name)?.name)).toEqual(
      Array(4).fill("verbose"),
    );
  });

  test("no two commands share a name or alias", () => {
    const names = commands.commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(names).toEqual([...new Set(names)]);
  });

  test("an unknown one is answered with the nearest known", async () => {
    expect(await run("/vrebose on")).toEqual({
      text: "unknown command: /vrebose (did you mean /verbose? try /help)",
      failed: true,
    });
  });

  test.each([
    ["/frobnicate", "unknown command: /frobnicate (try /help)"],
    ["/x", "unknown command: /x (try /help)"],
    ["/", "unknown command: / (try /help)"],
    ["/constructor", "unknown command: /constructor (try /help)"],
  ])("%s resembles nothing and gets no guess", async (line, text) => {
    expect(await run(line)).toEqual({ text, failed: true });
  });
});

describe("help", () => {
  test("lists every command under its group", async () => {
    const { text = "" } = await run("/help");
    expect(text.match(/^\S.*:$/gm)).toEqual(["Agent:", "Session:", "Context:", "Tools:", "Settings:", "Information:"]);
    const listed = [...text.matchAll(/^ {2}\/(\w+)/gm)].map((match) => match[1]);
    expect(listed.sort()).toEqual(commands.commands.map(({ name }) => name).sort());
  });

  test.each(["readbefore", "/readbefore", "RB"])("explains %s with usage and aliases", async (name) => {
    expect(await run(`/help ${name}`)).toEqual({
      text: [
        "Tools: Show or set whether files must be read before they are changed",
        "usage: /readbefore [write|delete|all] [on|off]",
        "aliases: /rb",
      ].join("\n"),
    });
  });

  test("of an unknown command fails", async () => {
    expect(await run("/help nope")).toEqual({ text: "no command /nope (try /help)", failed: true });
  });
});

describe("a command that goes wrong", () => {
  test("is a failed result with the message", async () => {
    expect(await run("/agent nobody")).toEqual({ text: 'no agent "nobody"', failed: true });
  });

  test("never throws, whatever is typed", async () => {
    const names = commands.commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const word = fc.oneof(fc.constantFrom("on", "off", "all", "1", "a=b", "think=", "json", "__proto__"), fc.string());
    const line = fc
      .tuple(fc.oneof(fc.constantFrom(...names), fc.string()), fc.array(word, { maxLength: 4 }))
      .map(([name, words]) => `/${[name, ...words].join(" ")}`);
    await fc.assert(
      fc.asyncProperty(line, async (typed) => {
        const result = await run(typed);
        expect(result.failed === true ? typeof result.text : "string").toBe("string");
      }),
    );
  });

  test("never throws, even when every control fails in an odd way", async () => {
    const broken = new Proxy(
      {},
      {
        get() {
          throw "no Error at all";
        },
      },
    ) as never;
    const results = await Promise.all(commands.commands.map(({ name }) => commands.run(`/${name} on`, broken)));
    expect(results.filter((result) => result.failed).length).toBeGreaterThan(10);
  });
});
