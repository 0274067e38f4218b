import fc from "fast-check";
import { expect, test } from "vitest";
import * as plain from "../../../src/providers/plain-streams.ts";

// The real ones, under the types of ours: whatever both are asked, both must answer the same.
const real = { ReadableStream, TransformStream, TextDecoderStream } as unknown as typeof plain;
const KINDS = [
  ["ours", plain],
  ["Node's", real],
] as const;

async function read<T>(stream: AsyncIterable<T>): Promise<{ chunks: T[]; error?: unknown }> {
  const chunks: T[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
    return { chunks };
  } catch (error) {
    return { chunks, error };
  }
}

/** A source that counts upwards, and what was asked of it. */
function counter({ ReadableStream: Readable }: typeof plain, until = Number.POSITIVE_INFINITY) {
  const asked = { pulls: 0, cancelled: [] as unknown[] };
  const stream = new Readable<number>({
    pull(controller) {
      asked.pulls++;
      if (asked.pulls > until) controller.close();
      else controller.enqueue(asked.pulls);
    },
    cancel(reason) {
      asked.cancelled.push(reason);
    },
  });
  return { stream, asked };
}

function lines({ TransformStream: Transform }: typeof plain) {
  let rest = "";
  return new Transform<string, string>({
    async transform(text, controller) {
      const [first = "", ...more] = (rest + text).split("\n");
      const all = [first, ...more];
      rest = all.pop() ?? "";
      for (const line of all) controller.enqueue(line);
    },
    flush(controller) {
      controller.enqueue(`rest: ${rest}`);
    },
  });
}

test("bytes cut anywhere become the same lines as through Node's streams", async () => {
  const cutText = fc.tuple(fc.string({ unit: "binary" }), fc.array(fc.nat(40), { maxLength: 20 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(cutText, async ([text, cuts, isAsync]) => {
      const bytes = Buffer.from(`a\n${text}\nö\n€`);
      const pieces: Buffer[] = [];
      for (let at = 0, n = 0; at < bytes.length; at += pieces[n++]!.length)
        pieces.push(bytes.subarray(at, at + 1 + (cuts[n] ?? 50)));
      const [ours, theirs] = await Promise.all(
        [plain, real].map((kind) => {
          const waiting = [...pieces];
          const source = new kind.ReadableStream<Uint8Array>({
            async pull(controller) {
              if (isAsync) await null;
              const piece = waiting.shift();
              if (piece) controller.enqueue(piece);
              else controller.close();
            },
          });
          return read(source.pipeThrough(new kind.TextDecoderStream()).pipeThrough(lines(kind)));
        }),
      );
      expect(ours).toEqual(theirs);
    }),
  );
});

test.each(KINDS)("%s: chunks pushed without being asked come in order, and the end after them", async (_, kind) => {
  let push!: { enqueue(chunk: number): void; close(): void; readonly desiredSize: number };
  const stream = new kind.ReadableStream<number>({
    start(controller) {
      push = controller as typeof push;
    },
  });
  const room = [push.desiredSize];
  push.enqueue(1);
  push.enqueue(2);
  room.push(push.desiredSize);
  const reading = read(stream);
  await Promise.resolve();
  push.enqueue(3);
  push.close();
  expect(() => push.enqueue(4)).toThrow(TypeError);
  expect({ read: await reading, room }).toEqual({ read: { chunks: [1, 2, 3] }, room: [1, -1] });
});

test.each(KINDS)("%s: a source is asked for one chunk more than is read", async (_, kind) => {
  const { stream, asked } = counter(kind);
  const passed = stream.pipeThrough(
    new kind.TransformStream<number, number>({ transform: (chunk, controller) => controller.enqueue(chunk * 10) }),
  );
  const reader = passed.getReader();
  const chunks = [(await reader.read()).value, (await reader.read()).value];
  await new Promise((resolve) => setImmediate(resolve));
  expect(chunks).toEqual([10, 20]);
  expect(asked.pulls).toBeLessThanOrEqual(4); // Node's keeps one more between the two
});

test.each(KINDS)("%s: leaving a loop cancels the source through a transform, without its flush", async (_, kind) => {
  const { stream, asked } = counter(kind);
  let flushed = false;
  const passed = stream.pipeThrough(
    new kind.TransformStream<number, number>({
      transform: (chunk, controller) => controller.enqueue(chunk),
      flush() {
        flushed = true;
      },
    }),
  );
  for await (const chunk of passed) if (chunk === 3) break;
  expect({ cancelled: asked.cancelled.length, flushed }).toEqual({ cancelled: 1, flushed: false });
});

test.each(KINDS)("%s: an error of the source reaches the reader through a transform", async (_, kind) => {
  const broken = new Error("cut");
  const source = new kind.ReadableStream<number>({
    async pull() {
      throw broken;
    },
  });
  const outcome = await read(source.pipeThrough(new kind.TransformStream<number, number>()));
  expect(outcome).toEqual({ chunks: [], error: broken });
});

test.each(KINDS)("%s: an error of a transform reaches the reader and cancels the source", async (_, kind) => {
  const { stream, asked } = counter(kind);
  const broken = new Error("unreadable");
  const passed = stream.pipeThrough(
    new kind.TransformStream<number, number>({
      transform(chunk, controller) {
        if (chunk === 2) throw broken;
        controller.enqueue(chunk);
      },
    }),
  );
  const reader = passed.getReader();
  const first = await reader.read();
  const error = await reader.read().catch((problem: unknown) => problem);
  await new Promise((resolve) => setImmediate(resolve));
  expect({ first, error, cancelled: asked.cancelled }).toEqual({
    first: { done: false, value: 1 },
    error: broken,
    cancelled: [broken],
  });
});

test.each(KINDS)("%s: a transform that terminates ends the reader and cancels the source", async (_, kind) => {
  const { stream, asked } = counter(kind);
  const passed = stream.pipeThrough(
    new kind.TransformStream<number, number>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        if (chunk === 2) controller.terminate();
      },
    }),
  );
  const outcome = await read(passed);
  await new Promise((resolve) => setImmediate(resolve));
  expect({ outcome, cancelled: asked.cancelled.length }).toEqual({ outcome: { chunks: [1, 2] }, cancelled: 1 });
});

test.each(KINDS)(
  "%s: what a transform says at its start is read before the source has said anything",
  async (_, kind) => {
    const silent = new kind.ReadableStream<string>();
    const passed = silent.pipeThrough(
      new kind.TransformStream<string, string>({ start: (controller) => controller.enqueue("begin") }),
    );
    expect(await passed.getReader().read()).toEqual({ done: false, value: "begin" });
  },
);

test.each(KINDS)("%s: both halves of a split stream hold everything, also when one leaves early", async (_, kind) => {
  const { stream, asked } = counter(kind, 3);
  const [left, right] = stream.tee();
  const reader = left.getReader();
  const first = await reader.read();
  void reader.cancel();
  expect({ first, right: await read(right), cancelled: asked.cancelled }).toEqual({
    first: { done: false, value: 1 },
    right: { chunks: [1, 2, 3] },
    cancelled: [],
  });
});

test.each(KINDS)("%s: a split stream's source is cancelled when both halves have left", async (_, kind) => {
  const { stream, asked } = counter(kind);
  const [left, right] = stream.tee();
  const reader = left.getReader();
  await reader.read();
  await Promise.all([reader.cancel("enough"), right.cancel("enough")]);
  expect(asked.cancelled.length).toBe(1);
});
