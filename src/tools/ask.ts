import { defineTool, type Tool } from "../toolkit/tool.ts";

export interface AskOptions {
  /** Nobody is to be asked: the first option is taken, or work goes on. */
  isAuto(): boolean;
  /** Who asks, when it is not the agent a person talks to. */
  readonly from?: string;
}

/** Asks a person, where there is a screen to do it on (aura 2.2). */
export function createAsk({ isAuto, from }: AskOptions): Tool {
  return defineTool({
    name: "Ask",
    description: "Asks the user one question and waits for the answer.",
    usage:
      "Only for what you cannot find out yourself and what changes what you do. Give options where there are some.",
    input: {
      type: "object",
      properties: {
        question: { type: "string" },
        options: {
          type: "array",
          items: {
            type: "object",
            properties: { label: { type: "string", minLength: 1 }, description: { type: "string" } },
            required: ["label"],
          },
        },
        multi_select: { type: "boolean", description: "Several options may be chosen; the answer is a JSON list" },
      },
      required: ["question"],
    },
    parallel: false,
    sandboxable: false,
    changes: "nothing",

    async run({ question, options = [], multi_select: multiSelect = false }, access) {
      if (question.trim() === "") throw new Error("question is required");
      if (isAuto()) {
        const first = options[0]?.label;
        if (first === undefined) return "proceed";
        return multiSelect ? JSON.stringify([first]) : first;
      }
      const answers = await access.ask("question", {
        questions: [{ text: question, options: options.map(plainOption), multiSelect }],
        ...(from !== undefined && { from }),
      });
      const words = (answers?.[0] ?? []).map((word) => word.trim()).filter((word) => word !== "");
      if (words.length === 0) throw new Error("user dismissed the question");
      const labels = options.map(({ label }) => label);
      if (!multiSelect) return byNumber(words.join(", "), labels);
      // A screen without boxes sends what was typed: numbers and words with commas between them.
      const chosen = words.flatMap((word) => (labels.includes(word) ? [word] : word.split(",")));
      return JSON.stringify([...new Set(chosen.map((word) => byNumber(word.trim(), labels)).filter(Boolean))]);
    },
  });
}

/** `2` means the second option; anything else means itself. */
function byNumber(word: string, labels: readonly string[]): string {
  if (labels.includes(word) || !/^\d+$/.test(word)) return word;
  return labels[Number(word) - 1] ?? word;
}

function plainOption({ label, description }: { readonly label: string; readonly description?: string | undefined }) {
  return { label, ...(description !== undefined && { description }) };
}
