import { afterAll, beforeAll, expect, test } from "vitest";
import { type Conversation, openConversation } from "../../../src/index.ts";
import { createStage, type Stage } from "../../helpers/scenario-project.ts";

let stage: Stage;
let conversation: Conversation;

beforeAll(async () => {
  stage = createStage("aura-suggest-");
  stage.put({
    ".git/HEAD": "ref: refs/heads/main\n",
    ".gitignore": "dist/\n",
    ".github/flow.yml": "",
    "src/file.ts": "",
    "src/deep/other-file.ts": "",
    "pictures/cat.png": "",
    "dist/file.js": "",
    "with space.md": "",
  });
  stage.put({ "notes/plan.md": "" }, stage.root);
  const opened = await openConversation({
    cwd: stage.project,
    env: { HOME: stage.home, PATH: process.env["PATH"] },
    noop: true,
    shipped: stage.root,
  });
  if (opened.kind === "refused") throw new Error(opened.problem);
  conversation = opened.conversation;
});
afterAll(async () => {
  await conversation.close();
  stage.remove();
});

/** What the input would be with each suggestion taken; `|` is the cursor. */
async function taken(input: string): Promise<string[]> {
  const cursor = input.indexOf("|") < 0 ? input.length : input.indexOf("|");
  const line = input.replace("|", "");
  const found = await conversation.suggest(line, cursor);
  return found.map(({ text, from }) => line.slice(0, from) + text + line.slice(cursor));
}

test("commands by their beginning, then by an alias, then by their letters; each with what it does", async () => {
  expect(await taken("/mod")).toEqual(["/mode", "/model"]);
  expect(await taken("/qui")).toEqual(["/quit"]);
  expect(await taken("/vrb")).toEqual(["/verbose"]);
  const [help] = await conversation.suggest("/hel", 4);
  expect(help).toEqual({
    text: "/help",
    from: 0,
    hint: "[command|keys]",
    about: "List the commands, or explain one; keys: what the keys do",
  });
});

test.each([
  ["/think ", ["/think off", "/think on", "/think low", "/think medium", "/think high"]],
  ["/effort hi", ["/effort high"]],
  ["/mode n", ["/mode none"]],
  ["/readbefore w", ["/readbefore write"]],
  ["/readbefore write o", ["/readbefore write on", "/readbefore write off"]],
  ["/tools d", ["/tools debug"]],
  ["/set au", ["/set auto="]],
  ["/set auto=o", ["/set auto=on", "/set auto=off"]],
  ["/set auto=on think=m", ["/set auto=on think=medium"]],
  ["/help key", ["/help keys"]],
  ["/export js", ["/export json", "/export jsonl"]],
  ["/export text pic", ["/export text pictures/"]],
  ["/export pic", ["/export pictures/"]],
  ["/clear x", []],
  ["/nothing x", []],
])("%j may go on as %j", async (input, lines) => {
  expect(await taken(input)).toEqual(lines);
});

test.each([
  ["@src/fi", ["@File[src/file.ts]", "@File[src/deep/other-file.ts]"]],
  ["see @otherf now", []],
  ["see @otherf| now", ["see @File[src/deep/other-file.ts] now"]],
  ["@cat", ["@Image[pictures/cat.png]"]],
  ["@fil", ["@File[", "@File[src/file.ts]", "@File[src/deep/other-file.ts]"]],
  ["@File[src/deep/", ["@File[src/deep/", "@File[src/deep/other-file.ts]"]],
  ["@Image[c", ["@Image[pictures/cat.png]"]],
  ["@Path[with", ["@Path[with space.md]"]],
  ["@flow", []],
  ["@.github/f", ["@File[.github/flow.yml]"]],
  ["@dist/", ["@File[dist/file.js]"]],
  ["@../notes/", ["@File[../notes/plan.md]"]],
  ["@Bash[fil", []],
  ["mail me@src", []],
  ["no at all", []],
])("%j may go on as %j", async (input, lines) => {
  expect(await taken(input)).toEqual(lines);
});

test("a lone @ offers the directives and the project's paths", async () => {
  const all = await taken("@");
  expect(all.slice(0, 4)).toEqual(["@File[", "@Path[", "@Image[", "@Bash["]);
  expect(all).toContain("@File[src/file.ts]");
  expect(all.join()).not.toContain("dist");
});
