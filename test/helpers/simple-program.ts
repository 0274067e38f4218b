/** A program for screen tests: the face of lines over a conversation that plays what the prompt names. */
import type { Event } from "../../src/protocol/event.ts";
import type { Request } from "../../src/protocol/request.ts";
import { createReadlineLines } from "../../ui/simple/readline-lines.ts";
import { createSimple } from "../../ui/simple/simple.ts";
import { createTypewriterLines } from "../../ui/simple/typewriter-lines.ts";
import { type FakeConversation, fakeConversation, idleStatus, opened } from "./fake-conversation.ts";

const accessible = process.env["FACE"] === "accessible";
const busy = { ...idleStatus, busy: true, step: 1 };

const REQUESTS: Record<string, Request> = {
  approve: {
    id: "r1",
    kind: "approval",
    callId: "c1",
    tool: "Patch",
    about: "Changes files by a patch",
    detail: "src/list.ts",
    pattern: "Patch:/project/src/*",
    because: { rule: "Patch", from: "project", file: "config/rules/ask.yaml", line: 3 },
    preview: {
      title: "src/list.ts",
      diff: "--- a/src/list.ts\n+++ b/src/list.ts\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n",
    },
  },
  secret: {
    id: "r2",
    kind: "question",
    questions: [{ text: "Paste the key", options: [], multiSelect: false, secret: true }],
  },
  pick: {
    id: "r3",
    kind: "pick",
    title: "Models",
    items: ["small", "large"].map((label) => ({ id: label, label })),
  },
};

const end: Event[] = [
  { type: "turn-finished", turn: 1, reason: "answered", usage: { input: 1, output: 1 } },
  { type: "status-changed", status: idleStatus },
];

function say(play: FakeConversation["play"], text: string): void {
  play({ type: "reply-started", messageId: "m" });
  for (const delta of text.match(/[\s\S]{1,7}/g) ?? [])
    play({ type: "reply-grew", messageId: "m", kind: "text", delta });
}

/** `later` goes on with the turn when the next prompt comes. */
const STORIES: Record<string, (play: FakeConversation["play"]) => void> = {
  hello: (play) => {
    say(play, "Hello **there**. Nice to see you.\n\nAll `good`.");
    play(...end);
  },
  nasty: (play) => {
    say(play, "before \x1b[2J\x1b]0;owned\x07after \x1b[31mred\x1b[0m \x9b5n end");
    play({ type: "notice", level: "warn", text: "careful \x1b[31mred" });
    play(...end);
  },
  wait: () => undefined,
};

const conversation = fakeConversation(
  (intent, { play }) => {
    switch (intent.type) {
      case "prompt": {
        const request = REQUESTS[intent.text];
        if (intent.text === "more") {
          say(play, "One more sentence. And the end.");
          play(...end);
          return;
        }
        play({ type: "turn-started", turn: 1 }, { type: "status-changed", status: busy });
        if (request !== undefined) play({ type: "request-opened", request });
        else if (STORIES[intent.text] === undefined)
          play({ type: "notice", level: "info", text: `got ${JSON.stringify(intent.text)}` }, ...end);
        else STORIES[intent.text]?.(play);
        return;
      }
      case "answer":
        play({ type: "request-closed", requestId: intent.requestId, how: "answered" });
        play({ type: "notice", level: "info", text: `answer ${JSON.stringify(intent.answer.value)}` }, ...end);
        return;
      case "command":
        play({ type: "command-finished", line: intent.line, text: `ran ${intent.line}`, failed: false });
        return;
      default:
        play({ type: "notice", level: "info", text: `intent ${intent.type}` });
        if (intent.type === "cancel") play(...end);
    }
  },
  [
    { text: "/think", from: 0 },
    { text: "/tools", from: 0 },
  ],
);
conversation.play(opened());

const write = (text: string) => void process.stdout.write(text);
const historyFile = process.env["HISTORY_FILE"];
const { exitCode } = await createSimple({
  manner: accessible ? "accessible" : "simple",
  input: accessible
    ? createTypewriterLines(process.stdin, write)
    : createReadlineLines(process.stdin, process.stdout, write),
  coloured: !accessible && (process.env["NO_COLOR"] ?? "") === "",
  welcome: ["aura, a test"],
  farewell: () => "resume with: aura --resume s1",
  stop: new AbortController().signal,
  ...(historyFile !== undefined && { historyFile }),
}).run(conversation);
process.exitCode = exitCode;
