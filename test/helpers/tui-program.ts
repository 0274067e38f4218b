/** A program for screen tests: the real front end over a conversation that plays what the prompt names. */
import type { Event } from "../../src/protocol/event.ts";
import type { Request, RequestOf } from "../../src/protocol/request.ts";
import type { ToolCall } from "../../src/protocol/tool-call.ts";
import { createTui } from "../../ui/tui/tui.tsx";
import { type FakeConversation, fakeConversation, idleStatus, opened } from "./fake-conversation.ts";

const usage = { input: 10, output: 20 };
const busy = { ...idleStatus, busy: true, step: 1, tokens: { used: 12_400, window: 131_000 } };

/** Lines of a diff long enough to scroll. */
const longDiff = [
  "--- a/src/list.ts",
  "+++ b/src/list.ts",
  "@@ -1,3 +1,42 @@",
  " first",
  "-old second",
  ...Array.from({ length: 40 }, (_, index) => `+new line ${index + 1}`),
  " third",
].join("\n");

const approval: Request = {
  id: "r1",
  kind: "approval",
  callId: "c1",
  tool: "Patch",
  about: "Changes files by a patch",
  detail: "src/list.ts",
  pattern: "Patch:/project/src/*",
  because: { rule: "Patch", from: "project", file: "config/rules/ask.yaml", line: 3 },
  preview: { title: "src/list.ts", diff: longDiff },
};

/** One word of one line changes. */
const changed: RequestOf<"approval"> = {
  id: "r3",
  kind: "approval",
  callId: "c3",
  tool: "Write",
  about: "Writes a file",
  detail: "src/price.ts",
  pattern: "Write:/project/src/*",
  because: { rule: "Write", from: "project", file: "config/rules/ask.yaml", line: 3 },
  preview: {
    title: "src/price.ts",
    diff: "--- a/src/price.ts\n+++ b/src/price.ts\n@@ -8,3 +8,3 @@\n before\n-const total = price * 2;\n+const total = cost * 2;\n after\n",
  },
};

const chained: Request = {
  id: "r2",
  kind: "approval",
  callId: "c2",
  tool: "Bash",
  about: "Runs a command",
  detail: "cd build\nrm -rf out && echo done\nls \x1b[31mred",
  noPattern: "the command is more than one simple command",
  because: { rule: "Bash", from: "default" },
};

/** Tried on a copy, read, and with a choice of patterns. */
const tried: RequestOf<"approval"> = {
  id: "r4",
  kind: "approval",
  callId: "c4",
  tool: "Bash",
  about: "Run a bash script.",
  detail: "npm run fix -v",
  pattern: "Bash:npm run*",
  patterns: [
    { pattern: "Bash:npm run fix -v", sessionOnly: true, allows: [] },
    { pattern: "Bash:npm run fix*", allows: ["npm run fix"] },
    { pattern: "Bash:npm run*", allows: ["npm run fix", "npm run build", "npm run test", "npm run deploy"] },
  ],
  because: { rule: "Bash", from: "project", file: "config/rules/ask.yaml", line: 3 },
  explained: ["npm run fix -v", "  - it runs what the project says"],
  preview: {
    title: "Tried on a copy: it changes 2 paths",
    kind: "run",
    changes: [
      { path: "src/a.ts", what: "modified", added: 1, removed: 1 },
      { path: "old.ts", what: "deleted", added: 0, removed: 1 },
    ],
    diff: "--- src/a.ts\n+++ src/a.ts\n@@ -1 +1 @@\n-one\n+two\n",
    output: "fixed 1 file\n",
    notes: ["what it left outside this folder is not kept: /tmp/x"],
  },
};

function call(id: string, state: Partial<ToolCall>, input: unknown = { command: "npm test" }): Event {
  return { type: "call-changed", call: { id, tool: "Bash", input, ...state } as ToolCall };
}

const PARAGRAPH =
  "The quick brown fox jumps over the lazy dog while the rain keeps falling on the old slate roof. Every word is plain. ";

const STORIES: Record<string, (play: FakeConversation["play"]) => void | Promise<void>> = {
  hello: (play) => say(play, "m1", "Hello **there**, nice to see you."),
  wide: (play) =>
    say(
      play,
      "m1",
      "日本語のテキスト 👩‍👩‍👧‍👦 and é and 한국어, all in one paragraph that is long enough to wrap around. 日本語日本語日本語日本語日本語日本語日本語日本語",
    ),
  nasty: (play) => say(play, "m1", "before \x1b[2J\x1b]0;owned\x07after \x1b[31mred\x1b[0m \x9b5n end"),
  markdown: (play) =>
    say(
      play,
      "m1",
      "# Title\n\nSome `code` here.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 22 |\n\n```ts\nconst x = 1;\n```\n\nThe end.",
    ),
  calls: (play) => {
    start(play);
    play(
      call("a", { status: "pending" }),
      call("b", { status: "pending" }, { command: "sleep 9" }),
      call("c", { status: "pending" }, { command: "c" }),
    );
    play(
      call("a", {
        status: "done",
        ms: 1_234,
        output: { text: "line 1\nline 2\nline 3\nline 4\nline 5\nline 6", tokens: 34 },
      }),
    );
    play(call("b", { status: "running", startedAt: Date.now() }, { command: "sleep 9" }), {
      type: "call-printed",
      callId: "b",
      line: "compiling 7 of 9",
    });
  },
  many: (play) => {
    start(play);
    for (let index = 0; index < 400; index++) {
      play({ type: "reply-started", messageId: `many-${index}` });
      play({ type: "reply-grew", messageId: `many-${index}`, kind: "text", delta: `Paragraph ${index} of many.` });
    }
    end(play);
  },
  batch: (play) => {
    start(play);
    const under = (id: string, tool: string, state: Partial<ToolCall>): Event => ({
      type: "call-changed",
      call: { id, tool, input: { n: id }, parentId: "p", ...state } as ToolCall,
    });
    play(
      call("p", { status: "running", startedAt: Date.now(), tool: "Batch" }, { n: "p" }),
      call("q", { status: "pending" }, { n: "q" }),
      under("p/1", "Read", { status: "done", ms: 20, output: { text: "one" } }),
      under("p/2", "Rg", { status: "running", startedAt: Date.now() }),
    );
  },
  deep: (play) => {
    start(play);
    const under = (id: string, tool: string, parentId: string, state: Partial<ToolCall>): Event => ({
      type: "call-changed",
      call: { id, tool, input: { n: id }, parentId, ...state } as ToolCall,
    });
    play(
      call("t", { status: "running", startedAt: Date.now(), tool: "Task" }, { n: "t" }),
      under("t/b", "Batch", "t", { status: "running", startedAt: Date.now() }),
      ...Array.from({ length: 20 }, (_, at) =>
        under(`t/b/${at}`, "Read", "t/b", {
          status: at < 18 ? "done" : "running",
          ms: 1,
          output: { text: `text ${at}` },
        }),
      ),
      { type: "call-printed", callId: "t", line: "explorer: I look at the parser first." },
    );
  },
  thought: (play) => {
    start(play);
    play({ type: "reply-started", messageId: "t" });
    play({ type: "reply-grew", messageId: "t", kind: "thinking", delta: "First I look.\nThen I leap.\nThen I land." });
    play({ type: "reply-grew", messageId: "t", kind: "text", delta: "Landed." });
    end(play);
  },
  finish: (play) => {
    play(
      call(
        "b",
        { status: "failed", ms: 20, failure: { kind: "error", message: "exit code 2" } },
        { command: "sleep 9" },
      ),
    );
    play(call("c", { status: "denied", refusal: { by: "person", feedback: "not now" } }, { command: "c" }));
    end(play);
  },
  approve: (play) => {
    start(play);
    play(
      call("c1", { status: "waiting", requestId: "r1", tool: "Patch" }),
      { type: "request-opened", request: approval },
      { type: "request-opened", request: chained },
    );
  },
  chain: (play) => {
    start(play);
    play({ type: "request-opened", request: chained });
  },
  change: (play) => {
    start(play);
    play({ type: "request-opened", request: changed });
  },
  tried: (play) => {
    start(play);
    play({ type: "request-opened", request: tried });
  },
  withdrawn: (play) => {
    start(play);
    play({ type: "request-opened", request: changed }, { type: "request-opened", request: chained });
    setTimeout(() => play({ type: "request-closed", requestId: "r3", how: "answered" }), 300);
  },
  todos: (play) =>
    play({
      type: "todos-changed",
      todos: {
        summary: "",
        items: [
          { content: "read the parser", status: "completed" },
          { content: "write a test", status: "in_progress" },
          ...Array.from({ length: 7 }, (_, index) => ({ content: `step ${index + 3}`, status: "pending" as const })),
        ],
      },
    }),
  done: (play) =>
    play({ type: "todos-changed", todos: { summary: "", items: [{ content: "all", status: "completed" }] } }),
  read: (play) => {
    start(play);
    const text = Array.from({ length: 40 }, (_, index) => `${index + 1}: const value${index} = "text";`).join("\n");
    play(call("rd", { tool: "Read", status: "done", ms: 3, output: { text } }, { path: "src/a.ts" }));
    end(play);
  },
  resume: (play) =>
    play({
      type: "request-opened",
      request: {
        id: "p2",
        kind: "pick",
        title: "Resume",
        items: Array.from({ length: 12 }, (_, index) => ({
          id: `s${index}`,
          label: `session ${index}`,
          preview: `The first prompt of number ${index}\nin /work/project-${index}`,
        })),
      },
    }),
  long: (play) =>
    play({
      type: "request-opened",
      request: {
        id: "q2",
        kind: "question",
        questions: [
          { text: "First?", options: [{ label: "one" }, { label: "two" }], multiSelect: false },
          { text: "And in your own words?", options: [], multiSelect: false },
        ],
      },
    }),
  review: (play) => {
    start(play);
    const steps = Array.from({ length: 60 }, (_, index) => `${index + 1}. Step ${index + 1} of **the plan**`).join(
      "\n",
    );
    play({
      type: "request-opened",
      request: { id: "v1", kind: "review", title: "Plan: a better parser", text: `# Goal\n\n${steps}\n\n## The end` },
    });
  },
  server: (play) =>
    play({
      type: "request-opened",
      request: {
        id: "q3",
        kind: "question",
        from: "github",
        questions: [{ text: "Which repository?", options: [{ label: "one" }], multiSelect: false }],
      },
    }),
  child: (play) => {
    start(play);
    play({ type: "request-opened", request: { ...changed, who: "explorer" } });
  },
  edit: (play) =>
    play({ type: "request-opened", request: { id: "e1", kind: "edit", title: "Todo list", text: "1. [pending] a" } }),
  stream: async (play) => {
    start(play);
    play({ type: "reply-started", messageId: "m9" });
    const [chunks, delay, style] = (process.env["STREAM"] ?? "200,2,paragraphs").split(",");
    const text = streamText(Number(chunks) * 20, style === "paragraphs");
    for (let at = 0; at < text.length; at += 20) {
      play({ type: "reply-grew", messageId: "m9", kind: "text", delta: text.slice(at, at + 20) });
      await new Promise((resolve) => setTimeout(resolve, Number(delay)));
    }
    play({ type: "reply-grew", messageId: "m9", kind: "text", delta: "\n\nEND-OF-STREAM" });
    end(play);
    if (process.env["REPORT"] !== undefined) {
      const { user, system } = process.cpuUsage();
      await import("node:fs").then((fs) =>
        fs.writeFileSync(
          process.env["REPORT"] ?? "",
          JSON.stringify({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() }),
        ),
      );
    }
  },
  simple: (play) => {
    start(play);
    const { noPattern: _none, ...plain } = chained as RequestOf<"approval">;
    play({ type: "request-opened", request: { ...plain, detail: "git push", pattern: "Bash:git push*" } });
  },
  pick: (play) =>
    play({
      type: "request-opened",
      request: {
        id: "p1",
        kind: "pick",
        title: "Models",
        items: Array.from({ length: 60 }, (_, index) => ({
          id: `m${index}`,
          label: `model ${index}`,
          group: index < 30 ? "one" : "two",
        })),
      },
    }),
  ask: (play) =>
    play({
      type: "request-opened",
      request: {
        id: "q1",
        kind: "question",
        questions: [
          {
            text: "Which colour?",
            options: [{ label: "red" }, { label: "green", description: "like grass" }],
            multiSelect: true,
          },
        ],
      },
    }),
  crash: () => {
    setTimeout(() => {
      throw new Error("a surprise");
    });
  },
};

function streamText(length: number, paragraphs: boolean): string {
  let text = "";
  for (let index = 0; text.length < length; index++) {
    text += `${index} ${PARAGRAPH}`;
    if (paragraphs && index % 3 === 2) text += "\n\n";
  }
  return text.slice(0, length);
}

function start(play: FakeConversation["play"]): void {
  play({ type: "status-changed", status: busy }, { type: "turn-started", turn: 1 });
}

function end(play: FakeConversation["play"]): void {
  play({ type: "turn-finished", turn: 1, reason: "answered", usage }, { type: "status-changed", status: idleStatus });
}

function say(play: FakeConversation["play"], messageId: string, text: string): void {
  start(play);
  play({ type: "reply-started", messageId }, { type: "reply-grew", messageId, kind: "text", delta: text });
  end(play);
}

const conversation = fakeConversation(
  (intent, { play }) => {
    if (intent.type === "prompt") {
      play({
        type: "message-added",
        message: { id: "u", role: "user", kind: "normal", parts: [{ type: "text", text: intent.text }], at: "" },
      });
      void STORIES[intent.text]?.(play);
    } else if (intent.type === "answer") {
      play({ type: "request-closed", requestId: intent.requestId, how: "answered" });
      play({
        type: "notice",
        level: "info",
        text: `answer ${intent.requestId} ${JSON.stringify(intent.answer.value)}`,
      });
    } else if (intent.type === "composing") {
      if (process.env["COMPOSING"]) play({ type: "notice", level: "info", text: "composing" });
    } else if (intent.type === "command" && intent.line === "/tools debug") {
      const names = ["Bash", "Read", "Rg", "mcp__files__list"];
      play({
        type: "command-finished",
        line: intent.line,
        text: "Included (2): and so on",
        failed: false,
        data: names.map((name, index) => ({
          name,
          source: index === 3 ? "mcp" : "built-in",
          visibility: index % 2 === 0 ? "eager" : "excluded",
          decisions: [
            index % 2 === 0
              ? { stage: "visibility", outcome: "passed", words: "eager" }
              : { stage: "global", outcome: "excluded", words: "disabled by features/tools.yaml" },
          ],
        })),
      });
    } else if (intent.type === "command" && intent.line === "/diff") {
      const text = "M src/a.ts\n\n--- src/a.ts\n+++ src/a.ts\n@@ -1 +1 @@\n-one\n+two";
      play({ type: "command-finished", line: intent.line, text, failed: false });
    } else if (intent.type === "command" && intent.line === "/copy") {
      play({
        type: "command-finished",
        line: intent.line,
        text: "the answer",
        failed: false,
        data: { copy: "the answer" },
      });
    } else if (intent.type === "command" && intent.line === "/long") {
      play({
        type: "command-finished",
        line: intent.line,
        text: Array.from({ length: 50 }, (_, index) => `row ${index}`).join("\n"),
        failed: false,
      });
    } else {
      play({ type: "notice", level: "info", text: `intent ${JSON.stringify(intent)}` });
      if (intent.type === "cancel") end(play);
    }
  },
  [
    { text: "/think", from: 0, hint: "[off|on]", about: "Show or set how much the model thinks" },
    { text: "/model", from: 0, hint: "[name]", about: "Pick or switch the model" },
    { text: "/mode", from: 0, hint: "[name]", about: "Show, switch or leave the mode" },
  ],
);
conversation.play(opened());
const historyFile = process.env["HISTORY_FILE"];
const keysFile = process.env["KEYS_FILE"];
const tui = createTui({
  stdin: process.stdin,
  stdout: process.stdout,
  env: process.env,
  welcome: () => ["aura, a test"],
  farewell: () => "resume with: aura --resume s1",
  ...(historyFile === undefined ? {} : { historyFile }),
  ...(keysFile === undefined ? {} : { keysFile }),
  ...(process.env["FULLSCREEN"] === undefined ? {} : { fullscreen: { mouse: process.env["FULLSCREEN"] === "mouse" } }),
});
tui.open();
// The product opens its session in the meantime; TYPE_AHEAD is what a person types by then.
const ahead = process.env["TYPE_AHEAD"];
if (ahead !== undefined) process.stdin.emit("data", Buffer.from(ahead));
const { exitCode } = await tui.run(conversation);
process.exitCode = exitCode;
