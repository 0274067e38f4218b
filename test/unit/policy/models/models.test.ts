import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { modelsByName } from "../../../../src/policy/models/all-models.ts";
import type { Model, Subcommand } from "../../../../src/policy/models/model.ts";
import { createModelShelf } from "../../../../src/policy/models/model-shelf.ts";
import { optionsOf } from "../../../../src/policy/models/options.ts";
import { whyAwk, whyJq, whySed } from "../../../../src/policy/models/programs.ts";
import { readModels } from "../../../../src/policy/models/read-models.ts";
import { isHarmless } from "../../../../src/policy/shell/reading.ts";
import { createShellReader } from "../../../../src/policy/shell/shell-reader.ts";
import { diskSurroundings } from "../../../../src/policy/shell/surroundings.ts";

const root = mkdtempSync(join(tmpdir(), "aura-models-"));
afterAll(() => rmSync(root, { recursive: true }));

test("every model lists an option once, and there are many", () => {
  const models = modelsByName([]);
  const check = (model: Model | Subcommand): void => {
    optionsOf(model);
    for (const subcommand of Object.values(model.subcommands ?? {})) check(subcommand);
  };
  for (const [name, model] of models) expect(() => check(model), name).not.toThrow();
  expect(models.size).toBeGreaterThan(300);
  expect(() => optionsOf({ flags: "-ab", values: { text: "-b" } })).toThrow("a model lists -b twice");
});

const YAML = `commands:
  - name: [mytool, yours]
    flags: -v --verbose
    values: { read: -f --file, text: -n }
    operands: [list]
    otherwise: .
    subcommands:
      show: { operands: [read] }
  - name: sender
    operands: [text]
    effects: { network: it sends mail }
`;

test("a person's models are read as they are written", async () => {
  expect(await readModels(YAML, "m.yaml")).toEqual({
    problems: [],
    models: [
      {
        names: "mytool yours",
        flags: "-v --verbose",
        values: { read: "-f --file", text: "-n" },
        operands: ["list"],
        otherwise: ".",
        subcommands: { show: { operands: ["read"] } },
      },
      { names: "sender", operands: ["text"], effects: [{ kind: "network", concern: "it sends mail" }] },
    ],
  });
  expect(await readModels("", "m.yaml")).toEqual({ models: [], problems: [] });
});

test.each([
  ["commands: [", /^m\.yaml:1: /],
  ["other: 1", "m.yaml:1: must be a mapping with the key commands, a list"],
  ["commands:\n  - flags: -v\n", "m.yaml:2: a command needs a name"],
  ["commands:\n  - name: x\n    flag: -v\n", 'm.yaml:3: unknown key "flag"'],
  ["commands:\n  - name: x\n    operands: [reads]\n", /^m\.yaml:3: operands must be a list of text, read, /],
  ["commands:\n  - name: a b\n", "m.yaml:2: name must be the name of a program, or a list of names"],
  ["commands:\n  - name: x\n    effects: { magic: y }\n", /^m\.yaml:3: must be one of write, /],
  ["commands:\n  - name: x\n    deep: 3\n", "m.yaml:3: deep must be true or false"],
  ["commands:\n  - name: x\n    flags: -a\n    values: { text: -a }\n", "m.yaml:2: a model lists -a twice"],
])("a mistake adds nothing and is told with its line: %j", async (text, problem) => {
  const reading = await readModels(text, "m.yaml");
  expect(reading.models).toEqual([]);
  expect(reading.problems[0]).toMatch(problem);
});

test("models of all homes count, the nearest last, and are read once", async () => {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put("near/config/policy/a.yaml", "commands: [{ name: x, literal: true }]");
  put("far/config/policy/a.yml", "commands: [{ name: y, literal: true }]");
  put("far/config/policy/b.yaml", "oops");
  const told: string[] = [];
  const shelf = createModelShelf((problem) => told.push(problem));
  const homes = [join(root, "near"), join(root, "far"), join(root, "none")];
  const models = await shelf(homes);
  expect(models.map(({ names }) => names)).toEqual(["y", "x"]);
  expect(told).toEqual([
    `${join(root, "far/config/policy/b.yaml")}:1: must be a mapping with the key commands, a list`,
  ]);
  expect(await shelf(homes)).toBe(models);
});

test("an added model makes a command known", async () => {
  const { models } = await readModels(YAML, "m.yaml");
  const around = diskSurroundings({ cwd: root, home: root, ours: [], path: "" });
  const isKnown = async (command: string) => {
    const reading = await createShellReader().read(command, root, around, models);
    return reading.kind === "read" && reading.parts.every(isHarmless);
  };
  expect(await isKnown("mytool -v near")).toBe(true);
  expect(await isKnown("mytool -x near")).toBe(false);
  expect(await isKnown("mytool -f /etc/hosts")).toBe(false);
  expect(await isKnown("sender me")).toBe(false);
});

test("small programs in arguments are told from harmless ones", () => {
  const harmless = {
    sed: [
      "p",
      "1,5p",
      "/a/,/b/d",
      "s/a/b/g",
      "s|a|b|",
      "$!N;P;D",
      "/x/{s/a/b/;p}",
      "a\\\nwrite",
      "y/abc/xyz/",
      "1!G;h;$!d",
    ],
    awk: [
      "{print $1}",
      "$1 > 5",
      '{ print "a | b > c" }',
      "{ x = $1 / 2; y = $2 / 3 }",
      '{ if ($1 > 2) print "x" }',
      "/a|b/",
    ],
    jq: [".", ".a.env", "keys", "to_entries[] | .key"],
  };
  const harmful = {
    sed: ["w x", "s/a/b/w x", "s/a/b/e", "e ls", "1,5w x", "/a/{w x", "r x", "W x", "s/a/b/;w x", "}w x", "s[a[b[w x"],
    awk: ['BEGIN{system("x")}', '{print > "x"}', '{print | "sh"}', '{getline < "x"}', '@load "x"', "{ print $1 > 5 }"],
    jq: ["env", "$ENV", "input_filename", 'import "x" as x; .', "strenv"],
  };
  expect(harmless.sed.filter((text) => whySed(text) !== undefined)).toEqual([]);
  expect(harmless.awk.filter((text) => whyAwk(text) !== undefined)).toEqual([]);
  expect(harmless.jq.filter((text) => whyJq(text) !== undefined)).toEqual([]);
  expect(harmful.sed.filter((text) => whySed(text) === undefined)).toEqual([]);
  expect(harmful.awk.filter((text) => whyAwk(text) === undefined)).toEqual([]);
  expect(harmful.jq.filter((text) => whyJq(text) === undefined)).toEqual([]);
});
