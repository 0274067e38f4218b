import { expect, test } from "vitest";
import { promptLine } from "../../../../ui/simple/prompt-line.ts";
import { idleStatus } from "../../../helpers/fake-conversation.ts";

test("the prompt says where we are, as far as there is room", () => {
  expect(
    promptLine({ ...idleStatus, mode: "plan", auto: true, tokens: { used: 13_100, window: 131_000 } }, "simple"),
  ).toBe("high • plan • scripted • 10% • auto > ");
  expect(promptLine({ ...idleStatus, model: "a-model-with-a-name-that-takes-far-too-much-room" }, "simple")).toBe(
    "high • 0% > ",
  );
  expect(promptLine(idleStatus, "accessible")).toBe("> ");
});
