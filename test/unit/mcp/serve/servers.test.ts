import { expect, test } from "vitest";
import type { ShelvedSkill } from "../../../../src/mcp/serve/served-server.ts";
import { findServer, IN_PROCESS_SERVERS } from "../../../../src/mcp/serve/servers.ts";
import { defineTool } from "../../../../src/toolkit/tool.ts";
import type { ToolAccess } from "../../../../src/toolkit/tool-access.ts";
import { memoryProject } from "../../../helpers/memory-project.ts";
import { fakeHost, serve } from "../../../helpers/serve-host.ts";

test.each(IN_PROCESS_SERVERS.map(({ name }) => name))("%s refuses an argument it does not know", (name) => {
  expect(() => findServer(name).create(["--nonsense"], undefined, fakeHost())).toThrow(
    `${name}: unknown argument "--nonsense"`,
  );
});

/** What a person answers, in order. */
function answering(...answers: unknown[]): { asked: unknown[]; access: ToolAccess } {
  const asked: unknown[] = [];
  const { access } = memoryProject(
    { "plan.md": "# Plan\n", "empty.md": " \n" },
    {
      ask: async (kind, ask) => {
        asked.push({ kind, ...ask });
        return answers.shift() as never;
      },
    },
  );
  return { asked, access };
}

test("submit_plan shows the file and brings back what the person says", async () => {
  const { asked, access } = answering({ approved: false, feedback: "Test it too." }, { approved: true }, null);
  const { call, json } = await serve("plan", [], { access });
  const planPath = "/project/plan.md";
  expect(await json("submit_plan", { planPath })).toEqual({ approved: false, feedback: "Test it too." });
  expect(await json("submit_plan", { plan_path: planPath })).toEqual({ approved: true });
  expect(await json("submit_plan", { planPath })).toEqual({
    approved: false,
    feedback: "not approved: no person present",
  });
  expect(asked).toEqual(Array(3).fill({ kind: "review", title: planPath, text: "# Plan\n" }));
  expect(await call("submit_plan", { planPath: "plan.md" })).toBe('ERROR planPath must be absolute, not "plan.md"');
  expect(await call("submit_plan", { planPath: "/project/no.md" })).toContain("there is no file");
  expect(await call("submit_plan", { planPath: "/project/empty.md" })).toContain("is empty");
});

test("a review command answers in the person's place: its output is feedback, a failure is an error", async () => {
  const scripts: string[] = [];
  let code = 0;
  const { access } = memoryProject(
    { "plan's.md": "# Plan\n" },
    {
      shell: {
        exec: async (script) => {
          scripts.push(script);
          return { kind: "exited", code, stdout: "Too long.\n", stderr: "broken\n", capped: false };
        },
      },
    },
  );
  const { call, json } = await serve("plan", ["review-it", "--strict"], { access });
  const planPath = "/project/plan's.md";
  expect(await json("submit_plan", { planPath })).toEqual({ approved: false, feedback: "Too long." });
  expect(scripts).toEqual(["'review-it' '--strict' '/project/plan'\\''s.md'"]);
  code = 3;
  expect(await call("submit_plan", { planPath })).toBe(
    "ERROR the review command review-it failed: ended with code 3: broken",
  );
});

test("the plan prompt is the given file with what the person typed in it", async () => {
  const host = fakeHost({ readText: async (path) => `${path}: plan $ARGUMENTS now` });
  const { client } = await serve("plan", ["--prompt-file", "p.md"], { host });
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["plan"]);
  const { messages } = await client.getPrompt({ name: "plan", arguments: { ARGUMENTS: "a $& b" } });
  expect(messages).toEqual([{ role: "user", content: { type: "text", text: "/project/p.md: plan a $& b now" } }]);
});

test("ask_user makes a form of a schema, also of one written as text, and says whether it was filled in", async () => {
  const { asked, access } = answering([["blue"], ["3"]], null, null);
  const { json, call } = await serve("survey", [], { access });
  const schema = {
    type: "object",
    properties: { colour: { type: "string", enum: ["red", "blue"] }, count: { type: "integer" } },
    required: ["colour"],
  };
  expect(await json("ask_user", { message: "Which?", schema: JSON.stringify(schema) })).toEqual({
    accepted: true,
    data: { colour: "blue", count: 3 },
  });
  expect(await json("ask_user", { message: "Which?", schema })).toEqual({ accepted: false, data: null });
  expect(asked[0]).toMatchObject({
    kind: "question",
    from: "survey",
    questions: [
      { text: "Which?\n\ncolour", options: [{ label: "red" }, { label: "blue" }] },
      { text: "count (optional)" },
    ],
  });
  expect(await call("ask_user", { schema })).toContain('missing required parameter "message"');
});

const skill = (changes: Partial<ShelvedSkill>): ShelvedSkill => ({
  name: "review",
  description: "Reviews code.",
  tags: ["code"],
  userInvocable: true,
  agentInvocable: true,
  readGlobs: [],
  mayRun: true,
  read: async (path) => {
    if (path === "gone.md") throw new Error("gone.md: no such file");
    return path === undefined ? "Look at $ARGUMENTS on !`git branch` with care." : `text of ${path}`;
  },
  files: async () => ["checklist.md"],
  ...changes,
});

test("skills are listed and given, and what cannot be given says what there is", async () => {
  const shelved = [skill({}), skill({ name: "hidden", agentInvocable: false })];
  const { json } = await serve("skills", [], { host: fakeHost({ shelved }) });
  expect(await json("list_skills")).toEqual({
    skills: [{ name: "review", description: "Reviews code.", tags: ["code"] }],
    count: 1,
  });
  const requests = [
    { name: "Review" },
    { name: "review", path: "checklist.md" },
    { name: "review", path: "gone.md" },
    { name: "hidden" },
  ];
  expect(await json("get_skills", { requests })).toEqual({
    skills: [
      { name: "Review", content: "Look at $ARGUMENTS on !`git branch` with care." },
      { name: "review", path: "checklist.md", content: "text of checklist.md" },
      { name: "review", path: "gone.md", error: "gone.md: no such file", availableFiles: ["checklist.md"] },
      { name: "hidden", error: 'there is no skill "hidden"', availableFiles: [] },
    ],
  });
});

test("a slash command is a prompt: commands in its text are run, typed ones are not, and none of an untrusted project", async () => {
  const shelved = [
    skill({ argumentHint: "<file>" }),
    skill({ name: "foreign", mayRun: false }),
    skill({ name: "unlisted", userInvocable: false }),
  ];
  const { client } = await serve("skills", [], { host: fakeHost({ shelved }) });
  expect((await client.listPrompts()).prompts).toEqual([
    {
      name: "review",
      description: "Reviews code.",
      arguments: [{ name: "ARGUMENTS", description: "<file>", required: false }],
    },
    {
      name: "foreign",
      description: "Reviews code.",
      arguments: [{ name: "ARGUMENTS", description: "what comes after the name", required: false }],
    },
  ]);
  const textOf = async (name: string) =>
    (await client.getPrompt({ name, arguments: { ARGUMENTS: "!`rm x`" } })).messages[0]!.content;
  expect(await textOf("review")).toEqual({
    type: "text",
    text: "Look at !`rm x` on <output of git branch> with care.",
  });
  expect(await textOf("foreign")).toEqual({ type: "text", text: "Look at !`rm x` on  with care." });
});

test("notes are saved by topic, added to, and found by topic and tag", async () => {
  const project = memoryProject();
  const { json, client } = await serve("skills", ["--notes-dir", "notes"], { access: project.access });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    ...["list_skills", "get_skills", "save_note", "search_notes"],
  ]);
  const path = "/project/notes/build-times.md";
  expect(await json("save_note", { topic: "Build Times", content: "Slow.", tags: ["ci"] })).toEqual({
    path,
    outcome: "created",
  });
  expect(await json("save_note", { topic: "build times", content: "Faster now.", tags: ["ci", "node: 24"] })).toEqual({
    path,
    outcome: "appended",
  });
  expect(project.files).toEqual({
    "notes/build-times.md": '---\ntopic: "Build Times"\ntags: ["ci","node: 24"]\n---\nSlow.\n\nFaster now.\n',
  });
  const note = { topic: "Build Times", tags: ["ci", "node: 24"], content: "Slow.\n\nFaster now." };
  expect(await json("search_notes", { query: "TIMES" })).toEqual({ notes: [note], count: 1 });
  expect(await json("search_notes", { query: "CI" })).toEqual({ notes: [note], count: 1 });
  expect(await json("search_notes", { query: "c" })).toEqual({ notes: [], count: 0 });
});

test("a topic without a letter is refused, and so cannot name another file", async () => {
  const { call } = await serve("skills", ["--notes-dir", "notes"]);
  expect(await call("save_note", { topic: "../..", content: "x" })).toBe(
    'ERROR "../.." is no topic: it needs letters or digits',
  );
});

test("without a folder for notes there are no note tools, and it is said why", () => {
  expect(findServer("skills").create([], undefined, fakeHost()).tools().absent).toEqual([
    { name: "save_note", reason: "the server was given no --notes-dir" },
    { name: "search_notes", reason: "the server was given no --notes-dir" },
  ]);
});

test("subagents says who can be spawned and passes the tasks on", async () => {
  const spawn = () =>
    defineTool({
      name: "spawn_subagent",
      description: "Spawns.",
      input: {
        type: "object",
        properties: {
          tasks: {
            type: "array",
            items: { type: "object", properties: { agentName: { type: "string" } }, required: ["agentName"] },
          },
        },
        required: ["tasks"],
      },
      run: async ({ tasks }) => JSON.stringify({ results: tasks, successCount: tasks.length, errorCount: 0 }),
    });
  const host = fakeHost({ delegate: { instructions: () => "- Explorer", spawn } });
  const { client, json } = await serve("subagents", ["--dir", "."], { host });
  expect(client.getInstructions()).toBe("- Explorer");
  expect(await json("spawn_subagent", { tasks: [{ agent_name: "Explorer" }] })).toEqual({
    results: [{ agentName: "Explorer" }],
    successCount: 1,
    errorCount: 0,
  });
  expect(() => findServer("subagents").create(["--project-root", "/other"], undefined, host)).toThrow(
    "subagents: --project-root is /other, but only agents of /project can be spawned here",
  );
});

test("results that are objects come as structured content too, and images as images", async () => {
  const { client } = await serve("tasks");
  const created = await client.callTool({ name: "task_create", arguments: { title: "One" } });
  expect(created.structuredContent).toMatchObject({ task: { title: "One", status: "pending" } });
  const picture = defineTool({
    name: "WebFetch",
    description: "Shows.",
    input: { type: "object", properties: {} },
    run: async () => ({ text: "here", images: [{ type: "image", mediaType: "image/png", data: "AAAA" }] }),
  });
  const { client: coding } = await serve("coding", [], { host: fakeHost({ brought: [picture] }) });
  expect((await coding.callTool({ name: "web_fetch", arguments: {} })).content).toEqual([
    { type: "text", text: "here" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
  ]);
});

test("tasks are created below one another, changed, and say what became ready", async () => {
  const { json, call } = await serve("tasks");
  const { task: root } = (await json("task_create", { title: "Root", assignee: "me" })) as { task: { id: string } };
  const { task: part } = (await json("task_create", { title: "Part", parent_id: root.id })) as { task: { id: string } };
  expect(root.id).toMatch(/^at-[0-9a-f]{8}$/);
  expect(part.id).toBe(`${root.id}.1`);
  expect(await json("task_list", { readyOnly: true })).toMatchObject({
    count: 1,
    tasks: [{ id: part.id, ready: true }],
  });
  expect(await json("task_update", { id: part.id, status: "completed", next_steps: ["rest"] })).toMatchObject({
    task: { status: "completed", nextSteps: ["rest"] },
    changed: ["status", "nextSteps"],
    nowReady: [root.id],
  });
  expect(await json("task_get", { id: root.id })).toMatchObject({
    task: { title: "Root" },
    children: [{ id: part.id }],
    ready: true,
  });
  expect(await call("task_update", { id: root.id })).toBe("ERROR nothing to change was given");
  expect(await call("task_get", { id: "at-00000000" })).toBe(
    'ERROR there is no task "at-00000000"; task_list shows the tasks there are',
  );
  expect(await call("task_update", { id: root.id, status: "done" })).toContain('"done" is not one of pending');
  expect(await call("task_update", { id: root.id, deps: [root.id] })).toContain("cannot depend on");
});
