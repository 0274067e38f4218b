import { type Command, UsageError } from "./command.ts";
import type { McpControls } from "./controls.ts";

export const contextCommands: readonly Command[] = [
  {
    name: "compact",
    group: "context",
    about: "Replace the older part of the conversation by a summary",
    async run(_args, { context }) {
      return { text: await context.compact() };
    },
  },
  {
    name: "context",
    aliases: ["ctx"],
    group: "context",
    about: "Show how full the context is",
    run(_args, { context: { usage }, mcp: { costs } }) {
      const percent = usage.window ? ` (${Math.round((usage.used / usage.window) * 100)}%)` : "";
      const window = usage.window ? ` / ${inThousands(usage.window)}` : "";
      return {
        text: [
          `Context: ${inThousands(usage.used)}${window} tokens${percent}, ${usage.messages} messages`,
          ...costs.map(costOfServer),
        ].join("\n"),
        data: { ...usage, ...(costs.length > 0 && { servers: costs }) },
      };
    },
  },
  {
    name: "drop",
    aliases: ["remove"],
    group: "context",
    about: "Remove the last messages",
    hints: "[n|all]",
    run([count], { context }) {
      const wanted = count === "all" ? "all" : Number(count ?? 1);
      if (wanted !== "all" && !(Number.isInteger(wanted) && wanted > 0))
        throw new UsageError(`"${count}" is no number`);
      const dropped = context.drop(wanted);
      if (dropped === 0) return { text: "No messages to drop" };
      if (wanted === "all") return { text: "Dropped all messages" };
      return { text: dropped === 1 ? "Dropped last message" : `Dropped ${dropped} message(s)` };
    },
  },
  {
    name: "insert",
    group: "context",
    about: "Add a message without asking the model",
    hints: "<system|user|assistant> text",
    run([role, ...words], { context }) {
      if ((role !== "system" && role !== "user" && role !== "assistant") || words.length === 0) throw new UsageError();
      context.insert(role, words.join(" "));
      return { text: `Inserted ${role} message` };
    },
  },
  {
    name: "window",
    group: "context",
    about: "Show or set the context window",
    hints: "[tokens]",
    run([size], { context }) {
      if (size === undefined)
        return {
          text: context.usage.window
            ? `Context window: ${inThousands(context.usage.window)} tokens`
            : "Context window: unknown",
        };
      const tokens = parseTokens(size);
      context.setWindow(tokens);
      return { text: `Context window set to ${tokens} tokens` };
    },
  },
];

/** `131072`, `131k`, `1m`. */
export function parseTokens(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text);
  const factor = { "": 1, k: 1_000, m: 1_000_000 }[match?.[2]?.toLowerCase() ?? ""] ?? 1;
  const tokens = match ? Math.round(Number(match[1]) * factor) : 0;
  if (tokens <= 0) throw new UsageError(`"${text}" is no number of tokens`);
  return tokens;
}

function costOfServer({ name, tools, tokens, visibility }: McpControls["costs"][number]): string {
  const count = tools === 1 ? "1 tool" : `${tools} tools`;
  const saved = visibility === "eager" ? "in every request" : `${visibility}: not in requests`;
  return `  MCP ${name}: ${count}, ${inThousands(tokens)} tokens, ${saved}`;
}

function inThousands(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const thousands = tokens / 1000;
  return `${thousands >= 100 ? Math.round(thousands) : Number(thousands.toFixed(1))}k`;
}
