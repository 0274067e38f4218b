import { type Command, UsageError } from "./command.ts";

const FORMATS = {
  text: "text",
  txt: "text",
  markdown: "markdown",
  md: "markdown",
  json: "json",
  jsonl: "jsonl",
} as const;

export const sessionCommands: readonly Command[] = [
  {
    name: "save",
    group: "session",
    about: "Give the session a title; everything is on disk already",
    hints: "[title]",
    async run(args, { session }) {
      return { text: `Saved session: ${await session.save(args.join(" ") || undefined)}` };
    },
  },
  {
    name: "resume",
    aliases: ["load"],
    group: "session",
    about: "Go on with an earlier session",
    hints: "[id or name]",
    async run([prefix], { session, pick, isAttended }) {
      const items = prefix === undefined ? await session.list() : [];
      if (prefix === undefined && items.length === 0) return { text: "No saved sessions." };
      const chosen = prefix ?? (await pick("Resume", items));
      if (chosen === null && isAttended) return { text: "Nothing chosen." };
      if (chosen === null)
        return { text: items.map((item) => `${item.label}  ${item.description ?? ""}`.trimEnd()).join("\n") };
      const { title, warnings } = await session.resume(chosen);
      return { text: [`Resumed session: ${title}`, ...warnings].join("\n") };
    },
  },
  {
    name: "name",
    group: "session",
    about: "Show or set the session's name",
    hints: "[name]",
    async run(args, { session }) {
      if (args.length === 0) return { text: `Session: ${session.name ?? session.id}` };
      return { text: `Session named: ${await session.rename(args.join(" "))}` };
    },
  },
  {
    name: "fork",
    group: "session",
    about: "Go on in a copy; the original stays as it is",
    hints: "[title]",
    async run(args, { session }) {
      return { text: `Forked session: ${await session.fork(args.join(" ") || undefined)}` };
    },
  },
  {
    name: "export",
    group: "session",
    about: "Write the conversation as text, Markdown, JSON or JSON lines",
    hints: "[text|markdown|json|jsonl] [path|clipboard]",
    async run(args, { session }) {
      const [format, path] = readTarget(args);
      if (path !== "clipboard") return { text: await session.export(format, path) };
      const text = await session.export(format, undefined);
      return { text, data: { copy: text } };
    },
  },
  {
    name: "copy",
    group: "session",
    about: "Send the last answer to the terminal's clipboard",
    run(_args, { session }) {
      const answer = session.lastAnswer();
      if (answer === undefined) return { text: "there is no answer to copy yet", failed: true };
      // Who has a clipboard takes the data; the others show the text.
      return { text: answer, data: { copy: answer } };
    },
  },
  {
    name: "clear",
    aliases: ["new"],
    group: "session",
    about: "Start over with an empty conversation",
    async run(_args, { session }) {
      await session.clear();
      return { text: "Conversation cleared." };
    },
  },
  {
    name: "exit",
    aliases: ["quit"],
    group: "session",
    about: "Leave",
    run(_args, { session }) {
      session.exit();
      return { text: "Exiting..." };
    },
  },
];

function readTarget(args: readonly string[]): [(typeof FORMATS)[keyof typeof FORMATS], string | undefined] {
  if (args.length > 2) throw new UsageError();
  const [first, second] = args;
  const named = formatOf(first);
  if (first === undefined) return ["text", undefined];
  if (named) return [named, second];
  if (second !== undefined) throw new UsageError(`unknown format "${first}"`);
  return [formatOf(first.split(".").at(-1)) ?? "text", first];
}

function formatOf(word: string | undefined) {
  const known = word?.toLowerCase() ?? "";
  return Object.hasOwn(FORMATS, known) ? FORMATS[known as keyof typeof FORMATS] : undefined;
}
