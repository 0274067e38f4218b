/** The screen over a conversation that plays what `FEED` names, and writes to `REPORT` what it cost. */
import { setTimeout as pause } from "node:timers/promises";
import type { Event } from "../../src/protocol/event.ts";
import type { ToolCall } from "../../src/protocol/tool-call.ts";
import { createTui } from "../../ui/tui/tui.tsx";
import { fakeConversation, idleStatus, opened } from "../helpers/fake-conversation.ts";
import { CHUNKS, chunkAt, reportCost } from "./stream-text.ts";

/** Longer than the screen waits between two frames. */
const FRAME_MS = 40;
const FRAMES = 100;
const OUTPUT_CHARS = 64 * 1024;

const usage = { input: 10, output: 20 };
const [feed = "", count = "0"] = (process.env["FEED"] ?? "").split(":");

const conversation = fakeConversation((intent) => {
  if (intent.type === "prompt") void FEEDS[feed]?.(Number(count));
});

const FEEDS: Record<string, (count: number) => Promise<void>> = {
  async stream() {
    const cost = reportCost();
    conversation.play({ type: "turn-started", turn: 1 }, { type: "reply-started", messageId: "m" });
    for (let at = 0; at < CHUNKS; at++) {
      conversation.play({ type: "reply-grew", messageId: "m", kind: "text", delta: chunkAt(at) });
      await pause(2);
    }
    conversation.play({ type: "turn-finished", turn: 1, reason: "answered", usage });
    await pause(300);
    cost();
  },

  /** What a frame costs behind `count` items: a key that is typed and one that takes it back, over and over. */
  async items(count) {
    for (let at = 0; at < count; at++) conversation.play(...turn(at, 400));
    await pause(1_000 + count / 5);
    const cost = reportCost();
    for (let at = 0; at < FRAMES; at++) {
      process.stdin.emit("data", Buffer.from(at % 2 === 0 ? "x" : "\x7f"));
      await pause(FRAME_MS);
    }
    cost();
    conversation.play({ type: "notice", level: "info", text: "FED" });
  },

  /** Turns with a large output each; memory is taken when half of them are over, and at the end. */
  async turns(count) {
    let half = 0;
    const cost = reportCost(() => ({ half }));
    for (let at = 0; at < count; at++) {
      conversation.play(...turn(at, OUTPUT_CHARS));
      await pause(at % 4 === 0 ? 1 : 0);
      if (at === Math.floor(count / 2)) half = process.memoryUsage.rss();
    }
    await pause(500);
    cost();
    conversation.play({ type: "notice", level: "info", text: "FED" });
  },
};

/** A prompt, a call with `chars` of output and a reply, as events. */
function turn(at: number, chars: number): Event[] {
  const call = { id: `c${at}`, tool: at % 2 === 0 ? "Bash" : "Read", input: { command: `run ${at}` } };
  const output = {
    text: `line ${at} of an output that goes on\n`.repeat(Math.ceil(chars / 36)).slice(0, chars),
    tokens: 9,
  };
  const prompt = {
    id: `u${at}`,
    role: "user",
    kind: "normal",
    parts: [{ type: "text", text: `prompt ${at}` }],
    at: "",
  };
  return [
    { type: "message-added", message: prompt as never },
    { type: "call-changed", call: { ...call, status: "running", startedAt: Date.now() } as ToolCall },
    { type: "call-printed", callId: call.id, line: `printing ${at}` },
    { type: "call-changed", call: { ...call, status: "done", ms: 1_200, output } as ToolCall },
    { type: "reply-started", messageId: `m${at}` },
    { type: "reply-grew", messageId: `m${at}`, kind: "text", delta: `Done with **${at}**, as \`asked\`.` },
    { type: "turn-finished", turn: at, reason: "answered", usage },
  ];
}

conversation.play(opened(idleStatus));
const fullscreen = process.env["FULLSCREEN"] === undefined ? {} : { fullscreen: { mouse: true } };
const tui = createTui({ stdin: process.stdin, stdout: process.stdout, env: process.env, ...fullscreen });
const { exitCode } = await tui.run(conversation);
process.exitCode = exitCode;
