// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what this is about
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expandReferences, parseReferences, writeReferences } from "../../../../src/config/servers/env-references.ts";
import { expandServer } from "../../../../src/config/servers/expand-server.ts";
import { serverDef } from "../../../../src/config/servers/read-entry.ts";

const ENV = { A: "one", B: "$A", EMPTY: "", _x1: "under" };

describe("expansion", () => {
  test.each([
    ["$A", "one"],
    ["${A}", "one"],
    ["-$A-${A}-", "-one-one-"],
    ["$A_B", "", ["A_B"]],
    ["${A}_B", "one_B"],
    ["$_x1", "under"],
    ["$$A", "$A"],
    ["$$$A", "$one"],
    ["$$", "$"],
    ["cost 5$", "cost 5$"],
    ["$5", "$5"],
    ["${A", "${A"],
    ["${", "${"],
    ["${A-B}", "${A-B}"],
    ["${env:A}", "${env:A}"],
    ["$B", "$A"],
    ["${NONE}", "", ["NONE"]],
    ["$NONE $NADA $NONE", "  ", ["NONE", "NADA", "NONE"]],
    ["${NONE:-d}", "d"],
    ["${NONE:-}", ""],
    ["${NONE:-$A}", "$A"],
    ["${A:-d}", "one"],
    ["${EMPTY:-d}", "d"],
    ["$EMPTY", ""],
    ["$constructor", "", ["constructor"]],
  ])("%j becomes %j", (text, expected, missing: readonly string[] = []) => {
    expect(expandReferences(text, ENV)).toEqual({ text: expected, missing });
  });

  // The model: a text is a list of pieces, each of which has one meaning of its own.
  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,3}$/);
  const value = fc.string({ unit: fc.constantFrom("a", "$", "{", "}", "A", ":", "-"), maxLength: 8 });
  const piece = fc.oneof(
    fc.record({
      kind: fc.constant("text" as const),
      text: fc.string({ unit: fc.constantFrom("a", "$", "{", "}", " ") }),
    }),
    fc.record(
      { kind: fc.constant("variable" as const), name, fallback: fc.stringMatching(/^[a$ {]{0,4}$/) },
      { requiredKeys: ["kind", "name"] },
    ),
  );

  test("what is written from pieces reads as these pieces, and expands to what each means", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.dictionary(name, value), (pieces, env) => {
        const written = writeReferences(pieces);
        const missing: string[] = [];
        const meant = pieces.map((one) => {
          if (one.kind === "text") return one.text;
          const held = Object.hasOwn(env, one.name) ? env[one.name] : undefined;
          if (held === undefined && one.fallback === undefined) missing.push(one.name);
          return one.fallback === undefined ? (held ?? "") : held || one.fallback;
        });
        expect(expandReferences(written, env)).toEqual({ text: meant.join(""), missing });
        expect(writeReferences(parseReferences(written))).toBe(written);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a server's variables", () => {
  const server = serverDef(
    "Git",
    {
      command: "$HOME/bin/x",
      args: ["--t=${T:-none}", "$$5"],
      env: { KEY: "$KEY" },
      url: "http://$HOST",
      headers: { Authorization: "Bearer ${KEY}" },
      cwd: "$HOME",
    },
    { file: "/p/mcp.yaml", line: 7 },
  );

  test("are filled in in command, args, env, url and headers", () => {
    expect(expandServer(server, { HOME: "/h", KEY: "$HOME", HOST: "x" })).toEqual({
      ok: true,
      server: {
        ...server,
        command: "/h/bin/x",
        args: ["--t=none", "$5"],
        env: { KEY: "$HOME" },
        url: "http://x",
        headers: { Authorization: "Bearer $HOME" },
      },
    });
  });

  test("are named with the server and the file where they are not set, each once", () => {
    expect(expandServer(server, { HOME: "/h", HOST: "x" })).toEqual({
      ok: false,
      errors: [
        {
          code: "env-missing",
          server: "git",
          message:
            'server "git", env.KEY: the environment variable KEY is not set (/p/mcp.yaml:7); set it, or write ${KEY:-} to do without',
        },
      ],
    });
  });
});
