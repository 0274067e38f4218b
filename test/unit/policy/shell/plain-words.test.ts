import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { findingsOfScript } from "../../../../src/policy/shell/ast-findings.ts";
import { loadParsers, type Parsers } from "../../../../src/policy/shell/parsers.ts";
import { plainScript } from "../../../../src/policy/shell/plain-words.ts";
import { findingsOfTree } from "../../../../src/policy/shell/tree-findings.ts";

let parsers: Parsers;
beforeAll(async () => {
  parsers = await loadParsers();
});

const NAMES = "echo git export declare local let test eval sh trap alias set unset read cd ls then do if time".split(
  " ",
);
const word = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.stringMatching(/^[A-Za-z0-9_./:+,-]{1,8}$/),
  fc.constantFrom("-", "--", "-n", "1", "2", "+x", "a,b", "x:", "-c", "1+1", ".", "..", "1.5"),
);
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));

test("what is taken for plain words is what both parsers read", () => {
  fc.assert(
    fc.property(text, (command) => {
      const plain = plainScript(command);
      fc.pre(plain !== undefined);
      expect(plain).toEqual(parsers.parse(command));
      const other = parsers.withTree(command, (root) => findingsOfTree(root, command));
      expect(findingsOfScript(plain!)).toEqual(other);
    }),
    { numRuns: 2000 },
  );
});

test("a sign that means something to a shell is never plain", () => {
  fc.assert(
    fc.property(text, fc.constantFrom(..."\"'`$\\~*?[]{}()<>|&;#!=^@%\n\t\r\0é"), fc.nat(40), (command, sign, at) => {
      const place = Math.min(at, command.length);
      expect(plainScript(command.slice(0, place) + sign + command.slice(place))).toBeUndefined();
    }),
  );
  for (const command of ["", " ls", "ls ", "ls  -l", "if", "time ls", "while true", "function f", "in", "export a"])
    expect(plainScript(command)).toBeUndefined();
});
