import { describe, expect, test } from "vitest";
import { compileTemplate, renderTemplate, shellQuote, TemplateProblem } from "../../../src/text/template.ts";

const render = (source: string, data: unknown = {}, options: object = {}) =>
  renderTemplate(source, data, { name: "prompt.md", ...options });

describe("rendering", () => {
  test("a text without an action comes back as it is", async () => {
    expect(await render("50% of } and { stay")).toBe("50% of } and { stay");
  });

  test.each([
    ["{{ .Model.Name }}", { Model: { Name: "m" } }, "m"],
    ["{{ if .Tools -}}\nhas\n{{- else }}none{{ end }}", { Tools: ["a"] }, "has"],
    ["{{ range .Tools }}- {{ . }}\n{{ end }}", { Tools: ["a", "b"] }, "- a\n- b\n"],
    ['{{ index .Vars "k" }}|{{ index .Vars "none" }}|', { Vars: { k: "v" } }, "v||"],
    [
      '{{ if contains "lint" .Command }}{{ .Command }}{{ else }}rtk {{ .Command }}{{ end }}',
      { Command: "ls" },
      "rtk ls",
    ],
    ["{{ range until 3 }}{{ . }}{{ end }}", {}, "012"],
    ['{{ "{{ .Raw }}" }}', {}, "{{ .Raw }}"],
    ['{{ base "/a/b.ts" }} {{ dir "/a/b.ts" }} {{ ext "/a/b.ts" }} {{ dir "b" }}', {}, "b.ts /a .ts ."],
    ["{{ .Command | shellQuote }}", { Command: "echo 'hi'" }, "'echo '\\''hi'\\'''"],
    ["{{ .Name | upper | quote }}", { Name: "x" }, '"X"'],
  ])("%j", async (source, data, expected) => {
    expect(await render(source, data)).toBe(expected);
  });

  test("the date comes from the clock it is given", async () => {
    const now = () => new Date(2026, 0, 2, 3, 4);
    expect(await render('{{ now | date "2006-01-02" }}', {}, { now })).toBe("2026-01-02");
  });

  test("a compiled template renders many times", async () => {
    const rewrite = await compileTemplate("time {{ .Command }}", { name: "bash.rewrite" });
    expect([rewrite({ Command: "a" }), rewrite({ Command: "b" })]).toEqual(["time a", "time b"]);
  });

  test("other delimiters leave {{ }} alone", async () => {
    const delimiters = { left: "$[[", right: "]]" };
    expect(await render("$[[ .Item ]] {{ .X }}", { Item: "i" }, { delimiters })).toBe("i {{ .X }}");
  });
});

describe("named templates", () => {
  test("are reached by template and by include, with data", async () => {
    const partials = { agent: "I am {{ .Name }}.", "files/a.md": 'A{{ template "agent" . }}' };
    const source = '{{ template "agent" . }} {{ range .Files }}{{ include . $ }}{{ end }}';
    expect(await render(source, { Name: "N", Files: ["files/a.md"] }, { partials })).toBe("I am N. AI am N.");
  });

  test("a cycle of static references is refused with the cycle", async () => {
    const partials = { a: '{{ template "b" . }}', b: '{{ template "a" . }}' };
    await expect(render('{{ template "a" . }}', {}, { partials })).rejects.toThrow("a -> b -> a");
  });

  test("a cycle through include is refused with the cycle", async () => {
    const partials = { a: '{{ include "b" . }}', b: '{{ include "a" . }}' };
    await expect(render('{{ include "a" . }}', {}, { partials })).rejects.toThrow("a -> b -> a");
  });

  test("a template that includes itself by its own definition stops", async () => {
    await expect(render('{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}')).rejects.toThrow(
      "templates nest too deeply",
    );
  });

  test("a missing one is an error that names those there are", async () => {
    await expect(render('{{ include "agnet" . }}', {}, { partials: { agent: "x" } })).rejects.toThrow(
      'there is no template "agnet" to include (known: agent)',
    );
  });
});

describe("errors", () => {
  test("a missing key names template and line, in one line", async () => {
    const failure = await render("one\ntwo {{ .Nope }}").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TemplateProblem);
    expect((failure as TemplateProblem).message).toBe('template prompt.md line 2: field "Nope" not found on receiver');
  });

  test("an error inside a named template names that template", async () => {
    const partials = { agent: "a\nb\n{{ .Nope }}" };
    const failure = render('{{ template "agent" . }}', {}, { partials });
    await expect(failure).rejects.toThrow('template agent line 3: field "Nope" not found on receiver');
  });

  test("a syntax error names its line", async () => {
    await expect(render("one\n{{ if }}")).rejects.toThrow(/^template prompt\.md line 2: /);
  });

  test("missing keys may be empty", async () => {
    expect(await render("[{{ .A }}{{ .b.c }}]", { b: {} }, { missingKey: "zero" })).toBe("[]");
  });
});

describe("what a template may not reach", () => {
  test("the environment, unless a name is answered", async () => {
    process.env["AURA_TEMPLATE_SECRET"] = "leak";
    try {
      const env = (name: string) => (name === "USER" ? "me" : undefined);
      expect(await render('{{ env "USER" }}[{{ env "AURA_TEMPLATE_SECRET" }}]', {}, { env })).toBe("me[]");
    } finally {
      delete process.env["AURA_TEMPLATE_SECRET"];
    }
  });

  test.each(["{{ .constructor }}", "{{ .toString }}", "{{ .List.constructor }}"])("%s", async (source) => {
    await expect(render(source, { List: ["x"] })).rejects.toThrow("not found on receiver");
  });

  test("functions", async () => {
    await expect(render('{{ call (dict "a" 1).constructor "x" }}')).rejects.toThrow();
    await expect(render("{{ call .x }}", { x: "y" })).rejects.toThrow("call is not available");
  });
});

test.each([
  ["plain-word_1.txt", "plain-word_1.txt"],
  ["", "''"],
  ["a b", "'a b'"],
  ["it's", "'it'\\''s'"],
  ["$(x)", "'$(x)'"],
])("shellQuote(%j) is %s", (text, quoted) => {
  expect(shellQuote(text)).toBe(quoted);
});
