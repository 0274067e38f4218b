import { describe, expect, test } from "vitest";
import type { Answer, Request, RequestOf } from "../../../../src/protocol/request.ts";
import { type Asking, ask, dismissal, hear } from "../../../../ui/simple/asking.ts";

const text = (lines: readonly { text: string }[]) => lines.map((line) => line.text);

/** Types line after line; the answer, or what was said to the last line. */
function type(request: Request, ...typed: readonly string[]): Answer["value"] | string[] {
  let { asking } = ask(request, "accessible", 1) as { asking: Asking };
  let said: readonly string[] = [];
  for (const line of typed) {
    const heard = hear(asking, line);
    said = text(heard.lines);
    if (heard.answer !== undefined) return heard.answer.value;
    asking = heard.asking ?? asking;
  }
  return [...said];
}

const approval: RequestOf<"approval"> = {
  id: "r1",
  kind: "approval",
  callId: "c1",
  tool: "Bash",
  about: "Runs a command",
  detail: "git push",
  pattern: "Bash:git push*",
  because: { rule: "Bash", from: "project", file: "rules/ask.yaml", line: 3 },
};
const { pattern: _pattern, ...once } = approval;
const chained: RequestOf<"approval"> = { ...once, detail: "cd x\nls \x1b[31mred", noPattern: "it chains commands" };

describe("an approval", () => {
  test("shows what asks, why, and the exact pattern of each scope", () => {
    expect(text(ask(approval, "accessible", 2).lines)).toEqual([
      "Approval needed for Bash: git push (1 of 2)",
      "Runs a command",
      "Asked because of rule Bash (project, rules/ask.yaml:3).",
      "1 allow this call",
      "2 allow Bash:git push* until this session ends",
      "3 always allow Bash:git push* in this project",
      "4 always allow Bash:git push* everywhere",
      "5 deny; words behind it are told to the model",
      "? why this is asked, and what each answer covers",
    ]);
    expect(text(ask(approval, "simple", 1).lines)[0]).toBe("? Confirm Bash: git push");
  });

  test("leaves out what is not possible, keeps the numbers, and shows control characters", () => {
    expect(text(ask(chained, "accessible", 1).lines)).toEqual([
      "Approval needed for Bash:",
      "  cd x",
      "  ls ␛[31mred",
      "Runs a command",
      "Asked because of rule Bash (project, rules/ask.yaml:3).",
      "1 allow this call",
      "Not more than that: it chains commands.",
      "5 deny; words behind it are told to the model",
      "? why this is asked, and what each answer covers",
    ]);
    expect(text(ask({ ...approval, sessionOnly: true }, "simple", 1).lines).slice(3)).toEqual([
      "1 allow this call",
      "2 allow Bash:git push* until this session ends",
      "Not more than that: no reusable pattern is safe for this call.",
      "5 deny; words behind it are told to the model",
      "? why this is asked, and what each answer covers",
    ]);
  });

  test.each([
    ["1", { allow: true, scope: "once" }],
    [" Y ", { allow: true, scope: "once" }],
    ["yes", { allow: true, scope: "once" }],
    ["allow", { allow: true, scope: "once" }],
    ["2", { allow: true, scope: "session" }],
    ["project", { allow: true, scope: "project" }],
    ["4", { allow: true, scope: "global" }],
    ["5", { allow: false }],
    ["no", { allow: false }],
    ["d use npm ci", { allow: false, feedback: "use npm ci" }],
    ["No, not now", { allow: false, feedback: "not now" }],
  ])("hears %j", (typed, answer) => {
    expect(type(approval, typed)).toEqual(answer);
  });

  test.each(["sure", "yes please", "0", "6", "1.0", "+1", "0x1", "11", "1 2", "constructor", "ye", "1\n1"])(
    "takes the unknown %j for a denial",
    (typed) => {
      expect(type(approval, typed)).toEqual({ allow: false });
    },
  );

  test.each(["2", "s", "3", "4", "global"])("denies %j where only once is possible", (typed) => {
    expect(type(chained, typed)).toEqual({ allow: false });
  });

  test("of several patterns remembers the narrowest, or the one that was chosen by its number", () => {
    const patterns = [
      { pattern: "Bash:git push -v", sessionOnly: true as const, allows: [] },
      { pattern: "Bash:git push*", allows: ["git push --force"] },
    ];
    const request = { ...approval, patterns };
    expect(text(ask(request, "accessible", 1).lines).slice(3)).toEqual([
      "1 allow this call",
      "2 allow Bash:git push -v until this session ends",
      "Not more than that: a rule for one exact command is not saved, but a broader one may be.",
      "5 deny; words behind it are told to the model",
      "? why this is asked, and what each answer covers",
      "7 remember Bash:git push* instead; it also allows git push --force",
    ]);
    expect(type(request, "7")).toEqual([
      "1 allow this call",
      "2 allow Bash:git push* until this session ends",
      "3 always allow Bash:git push* in this project",
      "4 always allow Bash:git push* everywhere",
      "5 deny; words behind it are told to the model",
      "? why this is asked, and what each answer covers",
      "6 remember Bash:git push -v instead; it allows nothing else",
    ]);
    expect([
      type(request, "2"),
      type(request, "7", "3"),
      type(request, "7", "6", "s"),
      type(request, "7", "1"),
    ]).toEqual([
      { allow: true, scope: "session", pattern: "Bash:git push -v" },
      { allow: true, scope: "project", pattern: "Bash:git push*" },
      { allow: true, scope: "session", pattern: "Bash:git push -v" },
      { allow: true, scope: "once" },
    ]);
    expect([type(request, "3"), type(request, "8")]).toEqual([{ allow: false }, { allow: false }]);
  });

  test("? tells why it asks, how the command was read and what each answer covers, and decides nothing", () => {
    const explained = ["git push", "  - it talks to another machine"];
    expect(type({ ...once, explained, noPattern: "it chains commands" }, "?")).toEqual([
      "why: rule Bash (project, rules/ask.yaml:3): a rule of this project asks before Bash may do this",
      "read as: git push",
      "    - it talks to another machine",
      "1: allow this call; nothing is remembered",
      "note: nothing broader is offered: it chains commands",
      "5: deny this call; the model is told and goes on without it",
    ]);
    expect(type(approval, "?", "2")).toEqual({ allow: true, scope: "session" });
  });

  test("Enter alone decides nothing", () => {
    expect(type(approval, "", " ")).toEqual(["Type a number, 1 to allow once or 5 to deny."]);
  });

  test("tells a change in words or as a diff, the rest of a long one when asked", () => {
    const added = Array.from({ length: 100 }, (_, index) => `+line ${index + 1}`);
    const diff = ["--- /dev/null", "+++ b.ts", "@@ -0,0 +1,100 @@", ...added, ""].join("\n");
    const request = { ...approval, preview: { title: "b.ts", diff } };
    expect(text(ask(request, "accessible", 1).lines).slice(2, 4)).toEqual([
      "New file b.ts: 100 lines.",
      "Line 1 added: line 1",
    ]);
    expect(text(ask(request, "accessible", 1).lines)).toContain("The change has 21 more lines: answer m to read on.");
    expect(type(request, "m")).toEqual(
      Array.from({ length: 21 }, (_, index) => `Line ${index + 80} added: line ${index + 80}`),
    );
    expect(type(request, "m", "m")).toEqual({ allow: false });
    expect(text(ask(request, "simple", 1).lines).slice(0, 4)).toEqual([
      "--- /dev/null",
      "+++ b.ts",
      "@@ -0,0 +1,100 @@",
      "+line 1",
    ]);
  });
});

describe("a picker", () => {
  const models: RequestOf<"pick"> = {
    id: "p",
    kind: "pick",
    title: "Models",
    items: [
      { id: "a", label: "small", group: "local", current: true },
      { id: "b", label: "large", group: "local", description: "32k" },
      { id: "c", label: "larger", group: "cloud" },
    ],
  };

  test("is a numbered list with its groups", () => {
    expect(text(ask(models, "accessible", 1).lines)).toEqual([
      "Models",
      "local:",
      "1 small (current)",
      "2 large: 32k",
      "cloud:",
      "3 larger",
      "Type a number or a part of a name; Enter alone leaves it.",
    ]);
  });

  test.each([
    ["2", "b"],
    ["LARGE", "b"],
    ["cloud", "c"],
    ["32k lar", "b"],
    ["", null],
  ])("hears %j", (typed, id) => {
    expect(type(models, typed)).toBe(id);
  });

  test("lists what a part of a name leaves, with the same numbers", () => {
    expect(type(models, "lar")).toEqual([
      "local:",
      "2 large: 32k",
      "cloud:",
      "3 larger",
      "Type a number or a part of a name; Enter alone leaves it.",
    ]);
    expect(type(models, "7")).toContain('Nothing matches "7".');
  });
});

describe("questions", () => {
  const colours = {
    text: "Which?",
    options: [{ label: "red" }, { label: "green", description: "grass" }],
    multiSelect: false,
  };
  const asking = (...questions: RequestOf<"question">["questions"]): Request => ({
    id: "q",
    kind: "question",
    questions,
  });

  test("are asked one by one, with numbered options", () => {
    const request = asking(colours, { text: "Name?", options: [], multiSelect: false });
    expect(text(ask(request, "simple", 1).lines)).toEqual([
      "Question 1 of 2: Which?",
      "1 red",
      "2 green: grass",
      "Type a number or an answer of your own.",
    ]);
    expect(type(request, "2")).toEqual(["Question 2 of 2: Name?"]);
    expect(type(request, "2", "7")).toEqual([["green"], ["7"]]);
  });

  test.each([
    [false, "RED", [["red"]]],
    [false, "blue", [["blue"]]],
    [false, "3", ["There is no option 3."]],
    [false, "", ["Nothing was typed; Ctrl+C leaves the question."]],
    [true, "1, 2", [["red", "green"]]],
    [true, "2 2", [["green"]]],
    [true, "1 and 2", [["1 and 2"]]],
  ])("with several answers: %s, %j", (multiSelect, typed, answer) => {
    expect(type(asking({ ...colours, multiSelect }), typed)).toEqual(answer);
  });

  test("a secret says that it is not shown", () => {
    const { asking: first, lines } = ask(
      asking({ text: "Key?", options: [], multiSelect: false, secret: true }),
      "simple",
      1,
    );
    expect(first).toMatchObject({ secret: true });
    expect(text(lines)).toEqual(["Question: Key?", "What you type is not shown."]);
  });
});

test("a text is written anew until a line with a dot", () => {
  const edit: Request = { id: "e", kind: "edit", title: "Todos", text: "1. a\n2. b\n" };
  expect(text(ask(edit, "accessible", 1).lines).slice(0, 3)).toEqual(["Todos", "1. a", "2. b"]);
  expect(type(edit, "1. c", "", "2. d", ".")).toBe("1. c\n\n2. d");
  expect(type(edit, "")).toBe(null);
});

test("leaving an approval denies, leaving anything else chooses nothing", () => {
  expect(dismissal(ask(approval, "simple", 1).asking)).toEqual({ kind: "approval", value: { allow: false } });
  const pick: Request = { id: "p", kind: "pick", title: "", items: [] };
  expect(dismissal(ask(pick, "simple", 1).asking)).toEqual({ kind: "pick", value: null });
});

describe("a review", () => {
  const review: RequestOf<"review"> = { id: "v1", kind: "review", title: "The plan", text: "# Goal\n\nDo **it**." };

  test("is read out before its choices", () => {
    expect(text(ask(review, "accessible", 1).lines)).toEqual([
      "The plan",
      "Heading: Goal",
      "Do it.",
      "1 approve",
      "2 deny",
      "3 comment; words behind it are told to the model",
    ]);
  });

  test("is approved by a clear yes alone", () => {
    expect(["1", "a", "Approve", "yes"].map((typed) => type(review, typed))).toEqual(
      Array.from({ length: 4 }, () => ({ approved: true })),
    );
    expect(type(review, "")).toEqual(["Type a number, 1 to approve or 2 to deny."]);
    expect(["2", "no", "d"].map((typed) => type(review, typed))).toEqual(
      Array.from({ length: 3 }, () => ({ approved: false })),
    );
  });

  test("is sent back with words, in one line or two", () => {
    const back = { approved: false, feedback: "use Rust" };
    expect([type(review, "3 use Rust"), type(review, "3", "use Rust"), type(review, "use Rust")]).toEqual([
      back,
      back,
      back,
    ]);
    expect(type(review, "3", "")).toContain("No comment.");
  });

  test("approves nothing when it is left", () => {
    const { asking } = ask(review, "simple", 1);
    expect(dismissal(asking)).toEqual({ kind: "review", value: null });
  });
});

test("who asks is told when it is not the agent or the model", () => {
  const first = (request: Request, manner: "accessible" | "simple") => text(ask(request, manner, 1).lines)[0];
  const child = { ...approval, who: "explorer" };
  const question = { text: "Which?", options: [], multiSelect: false };
  const server: Request = { id: "q", kind: "question", from: "github", questions: [question] };
  expect([
    first(child, "accessible"),
    first(child, "simple"),
    first(server, "simple"),
    first({ ...server, questions: [question, question] }, "simple"),
  ]).toEqual([
    "Approval needed for Bash, asked for explorer: git push",
    "? Confirm Bash for explorer: git push",
    "github asks: Which?",
    "github asks (1 of 2): Which?",
  ]);
});
