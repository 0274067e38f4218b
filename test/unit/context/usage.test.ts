import { expect, test } from "vitest";
import { PRUNE_DEFAULTS, prune } from "../../../src/context/prune.ts";
import { createUsageMeter } from "../../../src/context/usage.ts";
import type { Message } from "../../../src/protocol/message.ts";
import { prompt, reply, result, withUsage } from "../../helpers/messages.ts";

const letters = (text: string) => text.length;
const FRAME = 4;

test("What the last request took is known; only what came since is estimated", () => {
  const meter = createUsageMeter(letters);
  const messages = [
    prompt("u1", "x".repeat(500)),
    withUsage(reply("a1", "hello"), { input: 1000, output: 7 }),
    prompt("u2", "more"),
  ];
  expect(meter.measure(messages, 300, 2000)).toEqual({ used: 1017, window: 2000, percent: 50.849999999999994 });
});

test("Before any reply everything is estimated, with what every request carries", () => {
  const meter = createUsageMeter(letters);
  expect(meter.measure([prompt("u1", "hello")], 300, undefined)).toEqual({ used: 305 + FRAME });
  expect(meter.measure([], 0, 0)).toEqual({ used: 0 });
});

test("Calls, results and pictures count, and each message is estimated once", () => {
  let asked = 0;
  const meter = createUsageMeter((text) => {
    asked++;
    return text.length;
  });
  const call = reply("a1", "", ["c1"]);
  expect(meter.message(call)).toBe(FRAME + "Read".length + '{"path":"c1.txt"}'.length);
  const image: Message = {
    ...prompt("u1", ""),
    parts: [{ type: "image", mediaType: "image/png", data: "A".repeat(1e6) }],
  };
  expect(meter.message(image)).toBe(FRAME + 1200);
  expect(meter.message(result("r1", "c1", "12345"))).toBe(FRAME + 5);
  asked = 0;
  meter.measure([call, call], 0, undefined);
  expect(asked).toBe(0);
});

const settings = { ...PRUNE_DEFAULTS, protectPercent: 30, argThreshold: 200 };

test("Pruning is off unless it is configured", () => {
  expect(PRUNE_DEFAULTS.mode).toBe("off");
});

test("Old results and old big inputs are shortened, the newest messages are not", () => {
  const big: Message = {
    ...reply("a1", ""),
    parts: [
      { type: "text", text: "words stay" },
      { type: "tool-call", callId: "c1", tool: "Write", input: { path: "a.txt", content: "y".repeat(400), n: 3 } },
    ],
  };
  const messages = [
    prompt("u1", "x".repeat(900)),
    big,
    result("r1", "c1", "z".repeat(500)),
    result("r2", "c2", "z".repeat(500)),
  ];
  const changed = prune(messages, settings, 2000, letters);
  expect(changed).toEqual([
    {
      ...big,
      parts: [
        { type: "text", text: "words stay" },
        {
          type: "tool-call",
          callId: "c1",
          tool: "Write",
          input: { path: "a.txt", content: `[truncated — was ~400 tokens] ${"y".repeat(100)}`, n: 3 },
        },
      ],
    },
    result("r1", "c1", `[tool output pruned — was ~500 tokens]\n${"z".repeat(100)}`),
  ]);
  const after = messages.map((message) => changed.find(({ id }) => id === message.id) ?? message);
  expect(prune(after, settings, 2000, letters)).toEqual([]);
});

test("What would not get shorter stays, and previews hold whole characters", () => {
  const filler = prompt("u2", "f".repeat(1000));
  expect(prune([result("r1", "c1", "short"), filler], settings, 100, letters)).toEqual([]);
  const [pruned] = prune([result("r1", "c1", `${"a".repeat(99)}é${"b".repeat(200)}`), filler], settings, 100, letters);
  expect(pruned?.parts[0]).toMatchObject({ text: `[tool output pruned — was ~300 tokens]\n${"a".repeat(99)}` });
});
