import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BashAnswer,
  type DirectiveAccess,
  expandDirectives,
  findDirectives,
} from "../../../src/context/directives.ts";

type Files = Readonly<Record<string, string | readonly { name: string; kind: string }[]>>;

function project(files: Files, bash: Readonly<Record<string, BashAnswer>> = {}) {
  const seen: string[] = [];
  const ran: string[] = [];
  const at = (path: string) => files[path.replace("/project/", "")];
  const access: DirectiveAccess = {
    cwd: "/project",
    resolve: async (path, cwd) => `${cwd}/${path}`,
    stat: async (path) => {
      const file = at(path);
      return file === undefined ? undefined : { kind: typeof file === "string" ? "file" : "directory" };
    },
    read: async (path) => new TextEncoder().encode(at(path) as string),
    list: async (path) => at(path) as readonly { name: string; kind: string }[],
    runBash: async (command) => {
      ran.push(command);
      return bash[command] ?? { kind: "ran", output: `ran ${command}\n` };
    },
    readImages: async (path) => {
      if (!path.endsWith(".png") && !path.endsWith(".pdf")) throw new Error("is not an image");
      const image = { type: "image", mediaType: "image/png", data: "AA==", name: path } as const;
      return path.endsWith(".pdf") ? [image, image] : [image];
    },
    sawFile: (path) => seen.push(path),
    env: (name) => (name === "SRC" ? "lib" : undefined),
  };
  return { access, seen, ran };
}

test("A file and a command go before the message, commands first, and leave a token in their place", async () => {
  const { access, seen } = project({ "a.txt": "one\ntwo\n" });
  expect(await expandDirectives("Compare @File[a.txt] with @Bash[date] please", access)).toEqual({
    text: "### Command: date\nOutput:\nran date\n\n### File: a.txt\nContent:\none\ntwo\n\nCompare [File: a.txt] with [Command: date] please",
    images: [],
    warnings: [],
  });
  expect(seen).toEqual(["/project/a.txt"]);
});

test("A long file is cut at 500 lines, says so, and does not count as read", async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `${n + 1}\n`).join("");
  const { access, seen } = project({ "long.txt": lines(501), "fits.txt": lines(500) });
  const { text } = await expandDirectives("@File[long.txt]", access);
  expect(text).toMatch(/\n500\n\.\.\. truncated at 500 lines \(file has 501 total\)\n\n\[File: long\.txt\]$/);
  expect(text).not.toContain("501\n.");
  await expandDirectives("@File[fits.txt]", access);
  expect(seen).toEqual(["/project/fits.txt"]);
});

test.each([
  ["UTF-16", Buffer.from("\ufeffgrün\n", "utf16le")],
  ["UTF-8 with a byte order mark", Buffer.from("\ufeffgrün\n")],
  ["Latin-1", Buffer.from("grün\n", "latin1")],
])("A file in %s is shown as its text", async (_, bytes) => {
  const { access } = project({ "a.txt": "" });
  const { text } = await expandDirectives("@File[a.txt]", { ...access, read: async () => bytes });
  expect(text).toBe("### File: a.txt\nContent:\ngrün\n\n[File: a.txt]");
});

test("A directory is listed, folders first", async () => {
  const { access, seen } = project({
    src: [
      { name: "b.ts", kind: "file" },
      { name: "z", kind: "directory" },
      { name: "a.ts", kind: "symlink" },
      { name: "m", kind: "directory" },
    ],
    none: [],
  });
  const { text } = await expandDirectives("@File[src] @File[none]", access);
  expect(text).toBe(
    "### Directory: src\nListing:\nm/\nz/\na.ts\nb.ts\n\n### Directory: none\nListing:\n(empty)\n\n[File: src] [File: none]",
  );
  expect(seen).toEqual([]);
});

test("What does not work stays as written, with a warning", async () => {
  const { access } = project(
    { bin: "a\u0000b" },
    {
      "rm -rf /": { kind: "failed", reason: 'denied by policy (pattern "rm *")' },
      bad: { kind: "failed", reason: "syntax error", output: "partly\n" },
    },
  );
  const text = "@File[gone] @File[bin] @Image[x.txt] @Bash[rm -rf /] @Bash[bad]";
  expect(await expandDirectives(text, access)).toEqual({
    text: `### Command: bad\nOutput (error):\npartly\n\n${text}`,
    images: [],
    warnings: [
      "@Image[x.txt]: is not an image",
      '@Bash[rm -rf /]: denied by policy (pattern "rm *")',
      "@Bash[bad]: syntax error",
      "@File[gone]: no such file or directory",
      "@File[bin]: is not a text file",
    ],
  });
});

test("Images are numbered in order, a page each", async () => {
  const { access } = project({});
  const { text, images } = await expandDirectives("@Image[a.png] and @Image[b.pdf]", access);
  expect(text).toBe("[Image 1: a.png] and [Image 2: b.pdf] [Image 3: b.pdf]");
  expect(images.map(({ name }) => name)).toEqual(["/project/a.png", "/project/b.pdf", "/project/b.pdf"]);
});

test("@Path becomes the bare path; only variables that are set are filled in", async () => {
  const { access } = project({});
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell variable, as a person writes it
  const { text } = await expandDirectives("@Path[$SRC/x.ts] @Path[${SRC}/y] @Path[routes/$id.tsx]", access);
  expect(text).toBe("lib/x.ts lib/y routes/$id.tsx");
});

test("Nothing a command or a file says is a directive, nor what stands in another one's place", async () => {
  const { access, ran, seen } = project(
    { "a.txt": "@Bash[evil]" },
    { "echo @File[a.txt": { kind: "ran", output: "@File[a.txt]" } },
  );
  const { text } = await expandDirectives("@Bash[echo @File[a.txt]] @File[a.txt]", access);
  expect(ran).toEqual(["echo @File[a.txt"]);
  expect(seen).toHaveLength(1);
  expect(text.endsWith("[Command: echo @File[a.txt]] [File: a.txt]")).toBe(true);
});

test("Text without directives passes through, and an empty message stays empty", async () => {
  const { access } = project({});
  for (const text of ["", "  ", "mail me@File or @file[x] or @File[] or @File[ ]", "@File[open"])
    expect(await expandDirectives(text, access)).toEqual({ text, images: [], warnings: [] });
});

test("Directives are found in order, apart, and exactly as they stand in the text", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("@File[", "@Bash[", "@Path[", "@Image[", "]", "[", "@", "@File[a]", "@Bash[ls | wc]", "\n"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20, size: "max" }), (pieces) => {
      const text = pieces.join("");
      let from = 0;
      for (const { kind, body, start, end } of findDirectives(text)) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(text.slice(start, end)).toBe(`@${kind}[${body}]`);
        expect(body).not.toContain("]");
        from = end;
      }
    }),
  );
});

test("Whatever is written, expanding never throws and leaves the rest of the text alone", async () => {
  const { access } = project({ a: "x" });
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("@File[a]", "@File[b]", "@Bash[ls]", "@Path[$SRC]", "@Image[c]", "]"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12, size: "max" }), async (pieces) => {
      const text = pieces.join("");
      const rest: string[] = [];
      let from = 0;
      for (const { start, end } of findDirectives(text)) {
        rest.push(text.slice(from, start));
        from = end;
      }
      rest.push(text.slice(from));
      const { text: expanded } = await expandDirectives(text, access);
      let at = 0;
      for (const part of rest) {
        const found = expanded.indexOf(part, at);
        if (part.trim() !== "") expect(found).toBeGreaterThanOrEqual(0);
        at = Math.max(at, found);
      }
    }),
  );
});
