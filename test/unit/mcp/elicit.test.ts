import { expect, test } from "vitest";
import { createElicit } from "../../../src/mcp/elicit.ts";
import type { Question } from "../../../src/protocol/request.ts";

type Params = Parameters<ReturnType<typeof createElicit>>[1];
type Answers = readonly (readonly string[])[] | null;

/** A person who gives these answers, one after the other. */
function person(...answers: Answers[]) {
  const asked: { from?: string; questions: readonly Question[] }[] = [];
  const notices: string[] = [];
  const elicit = createElicit({
    async ask(ask) {
      asked.push(ask);
      return answers.shift() ?? null;
    },
    notice: (text) => notices.push(text),
  });
  const put = (params: unknown) => elicit("shop", params as Params, new AbortController().signal);
  return { put, asked, notices };
}

const form = (properties: object, required: readonly string[] = []) => ({
  message: "Tell me more",
  requestedSchema: { type: "object", properties, required },
});

test("a form becomes one question a field, under the name of the server, and the answers are typed", async () => {
  const { put, asked } = person([["Ada"], ["41"], ["Yes"], ["Blue"], ["a", "c"], []]);
  const answer = await put(
    form(
      {
        name: { type: "string", title: "Name", description: "yours" },
        age: { type: "integer" },
        member: { type: "boolean" },
        colour: {
          type: "string",
          oneOf: [
            { const: "b", title: "Blue" },
            { const: "r", title: "Red" },
          ],
        },
        sizes: { type: "array", items: { type: "string", enum: ["a", "b", "c"] } },
        note: { type: "string" },
      },
      ["name"],
    ),
  );
  expect(answer).toEqual({
    action: "accept",
    content: { name: "Ada", age: 41, member: true, colour: "b", sizes: ["a", "c"] },
  });
  expect(asked).toEqual([
    {
      from: "shop",
      questions: [
        { text: "Tell me more\n\nName: yours", options: [], multiSelect: false },
        { text: "age (optional)", options: [], multiSelect: false },
        { text: "member (optional)", options: [{ label: "Yes" }, { label: "No" }], multiSelect: false },
        { text: "colour (optional)", options: [{ label: "Blue" }, { label: "Red" }], multiSelect: false },
        {
          text: "sizes (optional)",
          options: [{ label: "a" }, { label: "b" }, { label: "c" }],
          multiSelect: true,
        },
        { text: "note (optional)", options: [], multiSelect: false },
      ],
    },
  ]);
});

test("an answer of the wrong form is asked for again, alone and with the reason", async () => {
  const { put, asked } = person([["x"], ["me@example.org"]], [["7"]]);
  const fields = { count: { type: "integer", maximum: 9 }, mail: { type: "string", format: "email" } };
  expect(await put(form(fields, ["count", "mail"]))).toEqual({
    action: "accept",
    content: { count: 7, mail: "me@example.org" },
  });
  expect(asked[1]?.questions).toEqual([{ text: '"x" is no number.\n\ncount', options: [], multiSelect: false }]);
});

test("after three answers of the wrong form it is declined", async () => {
  const { put, asked } = person([["x"]], [["y"]], [["z"]], [["1"]]);
  expect(await put(form({ count: { type: "integer" } }, ["count"]))).toEqual({ action: "decline" });
  expect(asked).toHaveLength(3);
});

test("a dismissed dialog, or nobody there, declines", async () => {
  const { put } = person(null);
  expect(await put(form({ name: { type: "string" } }))).toEqual({ action: "decline" });
});

test("a default stands for an empty answer", async () => {
  const { put, asked } = person([[""]]);
  const answer = await put(form({ n: { type: "number", default: 3 } }, ["n"]));
  expect(answer).toEqual({ action: "accept", content: { n: 3 } });
  expect(asked[0]?.questions[0]?.text).toBe("Tell me more\n\nn (default: 3)");
});

test.each([
  ["password", { type: "string" }],
  ["login", { type: "string", title: "Your API key" }],
  ["code", { type: "string", description: "the OTP from your phone" }],
  ["github_token", { type: "string" }],
])("what looks like a secret is refused without asking: %s", async (name, field) => {
  const { put, asked, notices } = person([["hunter2"]]);
  expect(await put(form({ city: { type: "string" }, [name]: field }))).toEqual({ action: "decline" });
  expect(asked).toEqual([]);
  expect(notices).toEqual([`The server "shop" asked for "${name}", which looks like a secret. It was refused.`]);
});

test("a warning about secrets is no wish for one", async () => {
  const { put } = person([["7"]]);
  const field = {
    type: "integer",
    description: "Your favourite number (do not give us your phone number, PIN or password)",
  };
  expect(await put(form({ favourite: field }))).toEqual({ action: "accept", content: { favourite: 7 } });
});

test("a page is opened by the person alone, who sees its whole address", async () => {
  const page = { mode: "url", message: "Pay", url: "https://shop.example/pay?x=1", elicitationId: "1" };
  const yes = person([["Yes"]]);
  expect(await yes.put(page)).toEqual({ action: "accept" });
  expect(yes.asked[0]?.questions[0]?.text).toContain("https://shop.example/pay?x=1");
  expect(await person(null).put(page)).toEqual({ action: "decline" });
  const script = person([["Yes"]]);
  expect(await script.put({ ...page, url: "javascript:alert(1)" })).toEqual({ action: "decline" });
  expect(script.asked).toEqual([]);
});

test("a form without fields is a plain question", async () => {
  expect(await person([["Yes"]]).put(form({}))).toEqual({ action: "accept", content: {} });
  expect(await person([["No"]]).put(form({}))).toEqual({ action: "decline" });
});
