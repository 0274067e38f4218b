import { expect, test } from "vitest";
import type { NestedCalls } from "../../../src/toolkit/tool-access.ts";
import { ASK, AUTO, fakeTool, fakeTurn } from "../../helpers/fake-turn.ts";

const nesting = (options: NestedCalls) =>
  fakeTool("Outer", {
    run: async (_, access) => (await access.callTools([{ tool: "Inner", input: {} }], options))[0]!.status,
  });

test("Calls under a call end with their own signal, and the turn goes on", async () => {
  const controller = new AbortController();
  let seen: AbortSignal | undefined;
  const inner = fakeTool("Inner", {
    run: (_, access) => {
      seen = access.signal;
      controller.abort();
      return new Promise((_, reject) => setImmediate(() => reject(new Error("stopped"))));
    },
  });
  const turn = fakeTurn({ tools: [nesting({ signal: controller.signal }), inner] });
  expect((await turn.call({ tool: "Outer" }))[0]).toMatchObject({ status: "done", output: { text: "cancelled" } });
  expect(seen?.aborted).toBe(true);
  expect(turn.turn.signal.aborted).toBe(false);
});

test("A question about a nested call carries who wants it, is announced, and is withdrawn with its signal", async () => {
  const controller = new AbortController();
  const asked: Promise<unknown>[] = [];
  const turn = fakeTurn({
    tools: [
      nesting({ mayAsk: true, who: "find", signal: controller.signal, asked: (one) => asked.push(one) }),
      fakeTool("Inner"),
    ],
    judge: ({ tool }) => (tool === "Inner" ? ASK : AUTO),
    onEvent: (event) => {
      if (event.type === "request-opened") queueMicrotask(() => controller.abort());
    },
  });
  expect((await turn.call({ tool: "Outer" }))[0]).toMatchObject({ status: "done", output: { text: "cancelled" } });
  expect(turn.events.flatMap((event) => (event.type === "request-opened" ? [event.request] : []))).toMatchObject([
    { tool: "Inner", who: "find" },
  ]);
  expect(await Promise.all(asked)).toEqual(["withdrawn"]);
});
