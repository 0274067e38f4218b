import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Conversation, type OpenOptions, openConversation } from "../../../src/index.ts";
import type { Event } from "../../../src/protocol/event.ts";
import type { Answer, Request } from "../../../src/protocol/request.ts";
import { until } from "../../helpers/processes.ts";
import { createStage, type Stage } from "../../helpers/scenario-project.ts";

let stage: Stage;
let conversation: Conversation | undefined;
beforeEach(() => {
  stage = createStage("aura-trust-");
  stage.put({ "script.json": '{ "model": { "name": "story" }, "turns": [{ "text": "Hello." }] }' }, stage.root);
});
afterEach(async () => {
  await conversation?.close();
  conversation = undefined;
  stage.remove();
});

const RULE = { ".aura/config/commands/look.md": "---\nname: look\n---\nIt is @Bash[touch pwned].\n" };
const book = () => join(stage.home, ".local/state/aura/trust.json");

interface Opening {
  readonly events: AsyncIterator<Event>;
  readonly notes: readonly string[];
}

async function open(more: Partial<OpenOptions> = {}): Promise<Opening> {
  await conversation?.close();
  const opened = await openConversation({
    cwd: stage.project,
    env: { PATH: process.env["PATH"], HOME: stage.home },
    shipped: stage.root,
    script: join(stage.root, "script.json"),
    setUp: true,
    ...more,
  });
  if (opened.kind === "refused") throw new Error(opened.problem);
  conversation = opened.conversation;
  return { events: conversation.events()[Symbol.asyncIterator](), notes: opened.notes };
}

async function nextRequest({ events }: Opening): Promise<Request> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error("the conversation closed");
    const event = value as Event;
    if (event.type === "opened" && event.pending[0]) return event.pending[0];
    if (event.type === "request-opened") return event.request;
  }
}

async function nextNotice({ events }: Opening): Promise<string> {
  for (;;) {
    const event = (await events.next()).value as Event;
    if (event.type === "notice") return event.text;
  }
}

/** Everything that is told until a command is over. */
async function requestsUntilCommand({ events }: Opening, line: string): Promise<readonly Request[]> {
  const asked: Request[] = [];
  conversation?.send({ type: "command", line });
  for (;;) {
    const event = (await events.next()).value as Event;
    if (event.type === "request-opened") asked.push(event.request);
    if (event.type === "command-finished") return asked;
  }
}

const answer = ({ id }: Request, value: Answer) => conversation?.send({ type: "answer", requestId: id, answer: value });

describe("the first look at a project that would run something", () => {
  test("a person is asked, sees what would run, and trusts it; the next time nobody asks", async () => {
    stage.put(RULE);
    const first = await open();
    const pick = await nextRequest(first);
    expect(pick).toMatchObject({
      kind: "pick",
      title: "This project comes with something it would run on this machine. Trust it?",
    });
    expect(pick.kind === "pick" && pick.items.map(({ id }) => id)).toEqual(["show", "later", "trust"]);
    answer(pick, { kind: "pick", value: "show" });
    const review = await nextRequest(first);
    expect(review).toMatchObject({ kind: "review", title: "Trust this project?" });
    expect(review.kind === "review" && review.text).toContain("It is @Bash[touch pwned].");
    expect(existsSync(book())).toBe(false);
    answer(review, { kind: "review", value: { approved: true } });
    expect(await nextNotice(first)).toBe(`Trusted: ${join(stage.project, ".aura")}`);

    const second = await open();
    expect(second.notes.join("\n")).not.toContain("trust");
    expect(await requestsUntilCommand(second, "/info")).toEqual([]);
    expect(existsSync(join(stage.project, "pwned"))).toBe(false);
  });

  test("not now is remembered until something changes, and trusts nothing", async () => {
    stage.put(RULE);
    const first = await open();
    answer(await nextRequest(first), { kind: "pick", value: "later" });
    await requestsUntilCommand(first, "/info");
    await until(() => existsSync(book()), "the answer is kept");
    expect(JSON.parse(readFileSync(book(), "utf8"))).toMatchObject({ homes: [], accepted: {} });

    const second = await open();
    expect(second.notes.join("\n")).toContain("is not trusted yet");
    expect(await requestsUntilCommand(second, "/info")).toEqual([]);

    stage.put({ ".aura/config/commands/look.md": "---\nname: look\n---\nIt is @Bash[touch more].\n" });
    expect(await nextRequest(await open())).toMatchObject({ kind: "pick" });
  });

  test("a question that is shown and then declined comes back", async () => {
    stage.put(RULE);
    const first = await open();
    answer(await nextRequest(first), { kind: "pick", value: "show" });
    answer(await nextRequest(first), { kind: "review", value: { approved: false } });
    expect(await nextRequest(first)).toMatchObject({ kind: "pick" });
    expect(existsSync(book())).toBe(false);
  });

  test("a project that only describes asks nothing", async () => {
    stage.put({ ".aura/config/agents/a.md": "---\nname: A\n---\nYou are kind.\n" });
    expect(await requestsUntilCommand(await open(), "/info")).toEqual([]);
  });
});

test("a home that only a relative name in the environment names is not trusted by that, one on the command line is", async () => {
  stage.put(RULE);
  const config = [join(stage.project, ".aura")];
  const named = await open({ config });
  expect(named.notes.join("\n")).not.toContain("trust");
  const anyClones = await open({ config, isConfigFromEnv: true });
  expect(anyClones.notes.join("\n")).toContain("is not trusted yet, so this of it is left out: command look.");
});

test("what was accepted before entries were kept is asked about again", async () => {
  stage.put(RULE);
  stage.put(
    { ".local/state/aura/trust.json": JSON.stringify({ homes: [join(stage.project, ".aura")], files: {} }) },
    stage.home,
  );
  const { notes } = await open();
  expect(notes.join("\n")).toContain("Not run until you accept it as it is now: command look.");
});
