/** Syntax colours from highlight.js, loaded language by language when first needed. */
import { type Line, type Span, span } from "./spans.ts";
import type { Tone } from "./theme.ts";

export interface Highlighter {
  /** One line of spans per line of code; undefined when the language is unknown or not loaded (yet). */
  highlight(code: string, language: string): Line[] | undefined;
}

interface HighlightJs {
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
  registerLanguage(name: string, language: never): void;
}

/** Longer code stays plain: colouring must never be what a frame waits for. */
const MAX_CODE = 40_000;

/** `onLoaded` is told when a language that was asked for has arrived. */
export function createHighlighter(onLoaded: () => void): Highlighter {
  const loaded = new Set<string>();
  const asked = new Set<string>();
  let core: HighlightJs | undefined;

  const load = async (name: string, grammar: () => Promise<{ default: unknown }>) => {
    const [{ default: library }, { default: language }] = await Promise.all([
      import("highlight.js/lib/core"),
      grammar(),
    ]);
    core = library as unknown as HighlightJs;
    core.registerLanguage(name, language as never);
    loaded.add(name);
    onLoaded();
  };

  return {
    highlight(code, language) {
      const name = ALIASES[language.toLowerCase()] ?? language.toLowerCase();
      const grammar = GRAMMARS[name];
      if (grammar === undefined || code.length > MAX_CODE) return undefined;
      if (!loaded.has(name)) {
        if (!asked.has(name)) {
          asked.add(name);
          // Without its grammar code is shown plain.
          load(name, grammar).catch(() => undefined);
        }
        return undefined;
      }
      return core === undefined
        ? undefined
        : fromHtml(core.highlight(code, { language: name, ignoreIllegals: true }).value);
    },
  };
}

/** Reads highlight.js's markup: nothing but `<span class="hljs-…">`, `</span>` and five entities. */
function fromHtml(html: string): Line[] {
  const lines: Span[][] = [[]];
  const scopes: (Tone | undefined)[] = [];
  for (const match of html.matchAll(/<span class="([^"]*)">|<\/span>|([^<]+)/g)) {
    if (match[1] !== undefined) scopes.push(toneOf(match[1]));
    else if (match[2] === undefined) scopes.pop();
    else {
      const tone = scopes.findLast((scope) => scope !== undefined);
      match[2].split("\n").forEach((part, index) => {
        if (index > 0) lines.push([]);
        if (part !== "") lines.at(-1)?.push(span(decodeEntities(part), tone));
      });
    }
  }
  return lines;
}

function decodeEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => ENTITIES[name] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };

function toneOf(classes: string): Tone | undefined {
  const scope = /hljs-([a-z-]+)/.exec(classes)?.[1] ?? "";
  return SCOPES[scope];
}

const SCOPES: Readonly<Record<string, Tone>> = {
  keyword: "keyword",
  built_in: "name",
  type: "name",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  comment: "comment",
  doctag: "comment",
  meta: "comment",
  title: "name",
  section: "heading",
  attr: "name",
  attribute: "name",
  tag: "keyword",
  name: "keyword",
  symbol: "number",
  bullet: "accent",
  addition: "added",
  deletion: "removed",
};

const ALIASES: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  py: "python",
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  yml: "yaml",
  rs: "rust",
  rb: "ruby",
  golang: "go",
  "c++": "cpp",
  cc: "cpp",
  h: "c",
  html: "xml",
  svg: "xml",
  md: "markdown",
  cs: "csharp",
  kt: "kotlin",
  jsonc: "json",
  patch: "diff",
  toml: "ini",
};

const GRAMMARS: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};
