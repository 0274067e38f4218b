import { expect, test } from "vitest";
import { FrontMatterError, splitFrontMatter } from "../../../src/text/frontmatter.ts";

test("splits the head from the body", async () => {
  expect(await splitFrontMatter("---\nname: A\ntools:\n  enabled: ['*']\n---\nBody\n---\nrest\n")).toEqual({
    data: { name: "A", tools: { enabled: ["*"] } },
    body: "Body\n---\nrest\n",
  });
});

test("accepts a byte order mark, CRLF and ---yaml", async () => {
  expect(await splitFrontMatter("\uFEFF---yaml\r\nname: A\r\n---\r\nBody\r\n")).toEqual({
    data: { name: "A" },
    body: "Body\n",
  });
});

test("a text without a head is all body", async () => {
  expect(await splitFrontMatter("# Title\n---\nx: 1\n---\n")).toEqual({ data: {}, body: "# Title\n---\nx: 1\n---\n" });
});

test("a line of four dashes opens nothing", async () => {
  expect(await splitFrontMatter("----\na: 1\n----\n")).toEqual({ data: {}, body: "----\na: 1\n----\n" });
});

test("YAML 1.2 words stay words", async () => {
  const { data } = await splitFrontMatter("---\na: on\nb: 014\nc: 2020-01-01\n---\n");
  expect(data).toEqual({ a: "on", b: 14, c: "2020-01-01" });
});

test.each(["js", "JS", "javascript", " js ", "coffee", "json", "toml"])(
  "a head in %j is refused and never run",
  async (language) => {
    const flag = "auraFrontMatterRan";
    const text = `---${language}\n{ x: globalThis.${flag} = true }\n---\nbody`;
    await expect(splitFrontMatter(text)).rejects.toThrow(
      new FrontMatterError(`front matter must be YAML; "---${language.trim()}" is refused and was not run`, 1),
    );
    expect(flag in globalThis).toBe(false);
  },
);

test("a head that never ends is an error, not an empty body", async () => {
  await expect(splitFrontMatter("---\nname: A\n")).rejects.toThrow("never ends");
});

test("the reader of the head sees the line numbers of the file", async () => {
  const { data } = await splitFrontMatter("---\nname: A\n---\n", (head) => ({ head }));
  expect(data).toEqual({ head: "\nname: A" });
});

test("two readers of one text do not share its data", async () => {
  const text = "---\na: {b: 1}\n---\n";
  const first = (await splitFrontMatter(text)).data as { a: { b: number } };
  first.a.b = 99;
  expect((await splitFrontMatter(text)).data).toEqual({ a: { b: 1 } });
});
