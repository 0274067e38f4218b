import { join } from "node:path";
import { splitFrontMatter } from "../text/frontmatter.ts";
import type { ProjectFiles } from "./project-files.ts";

export interface Note {
  readonly topic: string;
  readonly tags: readonly string[];
  readonly content: string;
}

/** Notes, one Markdown file a topic, its name the topic in kebab case (other-systems 1.8). */
export interface NoteShelf {
  /** A topic that is there already is appended to, its tags joined with the new ones. */
  save(note: Note): Promise<{ readonly path: string; readonly outcome: "created" | "appended" }>;
  /** Those whose topic has the words in it, or that have exactly this tag; case does not count. */
  search(query: string): Promise<readonly Note[]>;
}

/** @param dir absolute; made when the first note is saved */
export function notesIn(dir: string, files: ProjectFiles): NoteShelf {
  const read = async (path: string): Promise<Note> => {
    const { data, body } = await splitFrontMatter(new TextDecoder().decode(await files.read(path)));
    const { topic, tags } = Object(data) as { topic?: unknown; tags?: unknown };
    return {
      topic: typeof topic === "string" ? topic : path.slice(dir.length + 1, -3),
      tags: Array.isArray(tags) ? tags.map(String) : [],
      content: body.trim(),
    };
  };
  return {
    async save({ topic, tags, content }) {
      const path = join(dir, `${kebab(topic)}.md`);
      return files.exclusively(async () => {
        const before = (await files.stat(path))?.kind === "file" ? await read(path) : undefined;
        const note: Note = {
          topic: before?.topic ?? topic.trim(),
          tags: [...new Set([...(before?.tags ?? []), ...tags])],
          content: [before?.content, content.trim()].filter(Boolean).join("\n\n"),
        };
        await files.apply([{ kind: "write", path, bytes: Buffer.from(asMarkdown(note)) }]);
        return { path, outcome: before ? ("appended" as const) : ("created" as const) };
      });
    },
    async search(query) {
      const wanted = query.trim().toLowerCase();
      const found: Note[] = [];
      for (const path of await notePaths(dir, files)) {
        const note = await read(path);
        const fits = note.topic.toLowerCase().includes(wanted) || note.tags.some((tag) => tag.toLowerCase() === wanted);
        if (fits) found.push(note);
      }
      return found;
    },
  };
}

async function notePaths(dir: string, files: ProjectFiles): Promise<string[]> {
  if ((await files.stat(dir))?.kind !== "directory") return [];
  const entries = (await files.list(dir)).filter(({ name, kind }) => kind === "file" && name.endsWith(".md"));
  return entries.map(({ name }) => join(dir, name)).sort();
}

/** @throws Error for a topic without a letter or digit */
function kebab(topic: string): string {
  const name = topic
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 100);
  if (name === "") throw new Error(`"${topic}" is no topic: it needs letters or digits`);
  return name;
}

/** JSON texts are YAML too, whatever is in them. */
const asMarkdown = ({ topic, tags, content }: Note): string =>
  `---\ntopic: ${JSON.stringify(topic)}\ntags: ${JSON.stringify(tags)}\n---\n${content}\n`;
