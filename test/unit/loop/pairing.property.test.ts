import fc from "fast-check";
import { expect, test } from "vitest";
import { batch } from "../../../src/tools/batch.ts";
import { ASK, AUTO, brokenRules, DENY, type FakeReply, fakeTool, fakeTurn } from "../../helpers/fake-turn.ts";

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
const TOOLS = [
  batch,
  fakeTool("Quick"),
  fakeTool("Slow", {
    run: async () => {
      await pause();
      return "slow";
    },
  }),
  fakeTool("Alone", { parallel: false }),
  fakeTool("Fails", { run: () => Promise.reject(new Error("no")) }),
  fakeTool("Panics", {
    run: () => {
      throw "odd";
    },
  }),
  fakeTool("Objects", { pre: async () => "read it first" }),
  fakeTool("Asked"),
  fakeTool("Denied"),
  fakeTool("Needs", { input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } }),
];

const names = fc.constantFrom(...TOOLS.map(({ name }) => name).filter((name) => name !== "Batch"), "Missing");
const call = fc.oneof(
  { weight: 6, arbitrary: names.map((tool) => ({ tool })) },
  { weight: 1, arbitrary: names.map((tool) => ({ tool, input: "{", malformed: "not JSON" })) },
  { weight: 1, arbitrary: names.map((tool) => ({ tool, id: "same" })) },
  {
    weight: 1,
    arbitrary: fc.array(names, { minLength: 1, maxLength: 3 }).map((tools) => ({
      tool: "Batch",
      input: { calls: tools.map((name) => ({ name, arguments: {} })) },
    })),
  },
);
const reply: fc.Arbitrary<FakeReply> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ text: fc.constant("one two "), calls: fc.array(call, { minLength: 1, maxLength: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ text: fc.constant("that is all") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.constant("and then "),
      fails: fc.constantFrom({ kind: "network" } as const, { kind: "context_exhausted" } as const),
    }),
  },
);

test("whatever the model calls, whatever tools do and whenever a cancel comes, calls and results stay paired", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        replies: fc.array(reply, { maxLength: 5 }),
        cancelAt: fc.option(fc.nat(60), { nil: undefined }),
        allow: fc.boolean(),
        parallel: fc.boolean(),
        maxSteps: fc.integer({ min: 1, max: 4 }),
        typed: fc.boolean(),
      }),
      async ({ replies, cancelAt, allow, parallel, maxSteps, typed }) => {
        let seen = 0;
        const fake = fakeTurn({
          tools: TOOLS,
          replies: [...replies, ...Array<FakeReply>(10).fill({ text: "the end" })],
          limits: { parallel, maxSteps },
          queued: typed ? ["by the way"] : [],
          compacts: (reason) => reason === "exhausted",
          judge: ({ tool }) => (tool === "Asked" ? ASK : tool === "Denied" ? DENY : AUTO),
          answers: () => (allow ? { allow, scope: "once" } : { allow }),
          onEvent: () => {
            if (seen++ === cancelAt) fake.cancel();
          },
        });
        const { reason } = await fake.run();
        expect(brokenRules(fake)).toEqual([]);
        expect(fake.turn.requests.pending).toEqual([]);
        expect(["answered", "cancelled", "limit", "failed"]).toContain(reason);
        if (reason === "cancelled") expect(fake.turn.signal.aborted).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
