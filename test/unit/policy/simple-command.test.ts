import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSimpleCommand } from "../../../src/policy/simple-command.ts";

describe("one plain command is read into its words", () => {
  test.each([
    ["git commit", ["git", "commit"]],
    ["  git \t commit  ", ["git", "commit"]],
    ["git commit -m 'a; b'", ["git", "commit", "-m", "a; b"]],
    ['echo "a \\"b\\" \\\\ \\n"', ["echo", 'a "b" \\ \\n']],
    ["echo a'b'\"c\"d", ["echo", "abcd"]],
    ["echo ''", ["echo", ""]],
    ["git show HEAD~1 HEAD^ a#b", ["git", "show", "HEAD~1", "HEAD^", "a#b"]],
    ["echo 'two\nlines'", ["echo", "two\nlines"]],
    ["'if' x", ["if", "x"]],
    ["npm i @scope/name@^1.2 --foo=bar", ["npm", "i", "@scope/name@^1.2", "--foo=bar"]],
    ["cat größe.txt", ["cat", "größe.txt"]],
  ])("%j", (text, words) => {
    expect(readSimpleCommand(text)).toMatchObject({ kind: "simple", words });
  });

  test("its words are also given as they were typed", () => {
    expect(readSimpleCommand(" echo 'a b'  \"c\"d ")).toEqual({
      kind: "simple",
      words: ["echo", "a b", "cd"],
      spelled: ["echo", "'a b'", '"c"d'],
    });
  });
});

describe("everything else is compound, with its reason", () => {
  test.each([
    ["", "there is no command in it"],
    [" \t ", "there is no command in it"],
    ["a; b", "it chains several commands"],
    ["a & b", "it chains commands or runs one in the background"],
    ["a | b", "it pipes one command into another"],
    ["a\nb", "it has several lines"],
    ["a > b", "it redirects output"],
    ["a < b", "it redirects input"],
    ["a $b", "it holds a substitution or a variable"],
    ['a "$b"', "it holds a substitution or a variable"],
    ["a `b`", "it holds a substitution"],
    ["a \\b", "it escapes characters"],
    ['a "\\$b"', "it escapes characters"],
    ["a *.ts", "it holds a file name pattern"],
    ["a {b,c}", "it holds braces"],
    ["a ~/b", "it names a home directory"],
    ["a --x=~", "it names a home directory"],
    ["a # b", "it holds a comment"],
    ["a !b", "it holds a history reference or a negation"],
    ["A=1 b", "it sets a variable for the command"],
    ["%1", "it names a job"],
    ["while a", '"while" is a word of the shell\'s own grammar'],
    ["a 'b", "a quote is left open"],
    ['a "b\\', "it escapes characters"],
    ["a '\u0000'", "it holds a control character"],
    ["a\u00a0b", "it holds a character that may mean something to the shell"],
    ["a 😀", "it holds a character that may mean something to the shell"],
  ])("%j", (text, reason) => {
    expect(readSimpleCommand(text)).toEqual({ kind: "compound", reason });
  });
});

test("words quoted one by one are read back as they were", () => {
  const word = fc.string({ unit: "grapheme" }).map((text) => text.replace(/['\0-\x08\x0b-\x1f\x7f-\x9f]/g, ""));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      const text = ["run", ...words.map((value) => `'${value}'`)].join(" ");
      expect(readSimpleCommand(text)).toMatchObject({ kind: "simple", words: ["run", ...words] });
    }),
  );
});
