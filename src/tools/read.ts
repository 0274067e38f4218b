import { defineTool } from "../toolkit/tool.ts";
import { binaryKind } from "../workspace/file-kind.ts";
import { linesShown, numberLines } from "../workspace/numbered-lines.ts";
import { FileProblem } from "../workspace/project-files.ts";

const MOST_LINES = 2000;
const MOST_BYTES = 50_000;
/** Larger files are not even opened. */
const LARGEST_FILE = 100_000_000;

export const read = defineTool({
  name: "Read",
  description: "Shows a text file as numbered lines (`n: text`), whole or a range.",
  usage:
    "A file must be read before it is changed. Small files are shown whole. Use Rg to find a place in a large one.",
  input: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1 },
      line_start: { type: "integer", minimum: 1 },
      line_end: { type: "integer", minimum: 1 },
      count: { type: "boolean", description: "Only the number of lines" },
    },
    required: ["path"],
  },
  changes: "nothing",

  async run({ path, line_start: start = 1, line_end: end, count }, { cwd, files, reads, estimate, settings }) {
    if (end !== undefined && end < start) throw new Error(`line_end (${end}) must not be before line_start (${start})`);
    const file = await files.realPath(await files.resolve(path, cwd));
    const bytes = await readText(file, files);
    const lines = linesShown(bytes);
    if (count) return String(bytes.length === 0 ? 0 : lines.length);
    if (start > lines.length) {
      return `${file} has ${nameCount(editorLines(lines))}; line_start ${start} is past its end.`;
    }

    const asked = start > 1 || (end !== undefined && end < lines.length);
    const isSmall = bytes.length < MOST_BYTES && estimate(lines.join("\n")) < settings.readSmallFileTokens;
    const from = isSmall ? 1 : start;
    const to = isSmall ? lines.length : Math.min(end ?? lines.length, lines.length);
    const shown = numberLines(lines, from, Math.min(to, from + MOST_LINES - 1), MOST_BYTES);

    if (from === 1 && shown.to === lines.length) reads.sawFile(file, bytes);
    else reads.sawLines(file, bytes, from, shown.to);
    const notices = [
      asked && isSmall ? "the file is small: the range was ignored and all of it is shown" : undefined,
      shown.to < to
        ? `lines ${from} to ${shown.to} of ${editorLines(lines)} shown; continue with line_start ${shown.to + 1}`
        : undefined,
      shown.clipped ? "long lines were clipped; use Rg or Bash (cut -c) for their rest" : undefined,
    ].filter((notice) => notice !== undefined);
    return shown.text + notices.map((notice) => `[${notice}]\n`).join("");
  },

  paths: ({ path }) => ({ read: [path] }),
});

async function readText(file: string, files: { stat: Stat; read(path: string): Promise<Uint8Array> }) {
  const size = (await files.stat(file))?.size ?? 0;
  if (size > LARGEST_FILE) {
    throw new FileProblem("reading", file, `is too large (${size} bytes): use Rg, or Bash with head, tail or sed -n`);
  }
  const bytes = await files.read(file);
  const kind = binaryKind(bytes);
  if (kind) throw new FileProblem("reading", file, `is not text: ${kind}, ${bytes.length} bytes`);
  return bytes;
}

type Stat = (path: string) => Promise<{ readonly size: number } | undefined>;

/** A line end closes a line for a person; Read's numbering shows one empty element more. */
const editorLines = (lines: readonly string[]) => (lines.at(-1) === "" ? lines.length - 1 : lines.length);
const nameCount = (count: number) => (count === 1 ? "1 line" : `${count} lines`);
