import { expect, test } from "vitest";
import { createEstimate, estimateRoughly } from "../../../src/context/estimate.ts";

const letters = async () => (text: string) => text.length;
const settings = { divisor: 4, encoding: "cl100k_base" };

test("nothing is no tokens and anything is at least one", () => {
  expect(["", "a", "abcd", "abcde", "ääää"].map((text) => estimateRoughly(text, 4))).toEqual([0, 1, 1, 2, 2]);
});

test("rough asks for no tokenizer", async () => {
  const forbidden = { tiktoken: () => Promise.reject(new Error("loaded")) };
  const estimate = await createEstimate({ ...settings, method: "rough" }, forbidden);
  expect(estimate("abcdefgh")).toBe(2);
});

test("tiktoken is asked for the encoding of the settings, native for the model's own", async () => {
  const asked: string[] = [];
  const tokenizers = {
    tiktoken: async (encoding: string) => {
      asked.push(encoding);
      return () => 11;
    },
    native: async () => () => 22,
  };
  expect((await createEstimate({ ...settings, method: "tiktoken" }, tokenizers))("abc")).toBe(11);
  expect((await createEstimate({ ...settings, method: "native" }, tokenizers))("abc")).toBe(22);
  expect(asked).toEqual(["cl100k_base"]);
});

test("rough+tiktoken is the larger of both", async () => {
  const estimate = await createEstimate({ ...settings, divisor: 1, method: "rough+tiktoken" }, { tiktoken: letters });
  expect([estimate("abc"), estimate("äöü")]).toEqual([3, 6]);
});

test("a tokenizer that is missing or fails to load is replaced by the rough estimate", async () => {
  const failing = { tiktoken: () => Promise.reject(new Error("no such file")) };
  const estimates = await Promise.all([
    createEstimate({ ...settings, method: "tiktoken" }, failing),
    createEstimate({ ...settings, method: "rough+tiktoken" }, {}),
    createEstimate({ ...settings, method: "native" }, { native: async () => undefined }),
  ]);
  expect(estimates.map((estimate) => estimate("abcdefgh"))).toEqual([2, 2, 2]);
});
