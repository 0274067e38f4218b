import { expect, test } from "vitest";
import { shortenPrompt } from "../../../../ui/view/long-prompt.ts";

test("what a person writes is shown whole", () => {
  const text = Array.from({ length: 200 }, (_, line) => `line ${line}`).join("\n");
  expect(shortenPrompt(text)).toBe(text);
  expect(shortenPrompt("")).toBe("");
});

test("of a pasted log the beginning is shown, and how much was sent beyond it", () => {
  const lines = Array.from({ length: 5_000 }, (_, line) => `line ${line}`);
  expect(shortenPrompt(lines.join("\n"))).toBe(`${lines.slice(0, 20).join("\n")}\n… 4980 more lines were sent`);
});

test("one endless line is cut between characters", () => {
  expect(shortenPrompt(`x${"👍".repeat(20_000)}`)).toMatch(/^x👍{999}\ufffd\n… 38001 more characters were sent$/u);
});
