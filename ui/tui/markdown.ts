/** Markdown as styled lines: marked's tokens (marked.js.org), our own layout. */
import type { Token, Tokens } from "marked";
import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, expandTabs } from "../../src/text/width.ts";
import { wrapText } from "../../src/text/wrap.ts";
import type { Highlighter } from "./highlight.ts";
import { clipLine, type Line, lineWidth, padLine, type Span, span, wrapLine } from "./spans.ts";

/** Cuts Markdown into block tokens. */
export type Lexer = (source: string) => Token[];

/** marked takes tens of milliseconds to load, so it comes after the first paint. */
export async function loadLexer(): Promise<Lexer> {
  const { lexer } = await import("marked");
  return (source) => lexer(source);
}

export interface MarkdownTools {
  /** Until it is there, Markdown is shown as its source. */
  readonly lexer: Lexer | undefined;
  readonly highlighter: Highlighter | undefined;
}

/** Lays out Markdown in `width` cells, without blank lines around it. */
export function markdownLines(source: string, width: number, tools: MarkdownTools): Line[] {
  const text = expandTabs(neutralise(source));
  if (tools.lexer === undefined) return wrapText(text.trim(), width).map((line) => [span(line)]);
  return blocks(tools.lexer(text), width, tools);
}

function blocks(tokens: readonly Token[], width: number, tools: MarkdownTools): Line[] {
  const out: Line[] = [];
  for (const token of tokens) {
    if (token.type === "space" || token.type === "def") continue;
    const lines = block(token, width, tools);
    if (out.length > 0 && lines.length > 0) out.push([]);
    out.push(...lines);
  }
  return out;
}

function block(token: Token, width: number, tools: MarkdownTools): Line[] {
  switch (token.type) {
    case "heading": {
      const heading = token as Tokens.Heading;
      return wrapSpans(inline(heading.tokens, { tone: "heading" }), width);
    }
    case "paragraph":
      return wrapSpans(inline((token as Tokens.Paragraph).tokens, {}), width);
    case "code":
      return code(token as Tokens.Code, width, tools);
    case "blockquote":
      return prefixed(blocks((token as Tokens.Blockquote).tokens, width - 2, tools), span("│ ", "faint"));
    case "list":
      return list(token as Tokens.List, width, tools);
    case "table":
      return table(token as Tokens.Table, width);
    case "hr":
      return [[span("─".repeat(Math.min(width, 40)), "faint")]];
    case "text": {
      const text = token as Tokens.Text;
      return wrapSpans(text.tokens === undefined ? [span(text.text)] : inline(text.tokens, {}), width);
    }
    default:
      return wrapText(token.raw.trimEnd(), width).map((line) => [span(line)]);
  }
}

function code(token: Tokens.Code, width: number, tools: MarkdownTools): Line[] {
  const language = token.lang?.split(/\s/)[0] ?? "";
  const coloured = tools.highlighter?.highlight(token.text, language);
  const lines =
    coloured ?? token.text.split("\n").map((line): Line => [span(line, language === "" ? "code" : undefined)]);
  return prefixed(
    lines.flatMap((line) => wrapLine(line, width - 2)),
    span("  "),
  );
}

function list(token: Tokens.List, width: number, tools: MarkdownTools): Line[] {
  const start = typeof token.start === "number" ? token.start : 1;
  return token.items.flatMap((item, index) => {
    const box = item.task ? (item.checked === true ? "☑ " : "☐ ") : "";
    const bullet = token.ordered ? `${start + index}. ` : `• `;
    const indent = displayWidth(bullet);
    const lines = itemLines(item, width - indent, tools, box);
    return lines.map((line, row): Line => [span(row === 0 ? bullet : " ".repeat(indent), "accent"), ...line]);
  });
}

function itemLines(item: Tokens.ListItem, width: number, tools: MarkdownTools, box: string): Line[] {
  const parts = item.tokens.filter((token) => token.type !== "checkbox" && token.type !== "space");
  const lines = parts.flatMap((token, index) => {
    const inner = block(token, width, tools);
    return item.loose && index > 0 && token.type === "paragraph" ? [[], ...inner] : inner;
  });
  const [first = [], ...rest] = lines;
  return [box === "" ? first : [span(box), ...first], ...rest];
}

/** Columns shrink to fit; what does not fit into its cell is cut. */
function table(token: Tokens.Table, width: number): Line[] {
  const rows = [token.header, ...token.rows].map((row, index) =>
    row.map((cell) => inline(cell.tokens, index === 0 ? { bold: true } : {})),
  );
  const columns = token.header.length;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => lineWidth(row[column] ?? []))),
  );
  const room = width - 3 * (columns - 1);
  while (widths.reduce((sum, cells) => sum + cells, 0) > room && Math.max(...widths) > 3) {
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
  }
  const lines = rows.map((row) =>
    clipLine(join(widths.map((cells, column) => padLine(clipLine(row[column] ?? [], cells), cells))), width),
  );
  const rule = clipLine([span(widths.map((cells) => "─".repeat(cells)).join("─┼─"), "faint")], width);
  return [lines[0] ?? [], rule, ...lines.slice(1)];
}

function join(cells: readonly Line[]): Line {
  return cells.flatMap((cell, index) => (index === 0 ? cell : [span(" │ ", "faint"), ...cell]));
}

function inline(tokens: readonly Token[] | undefined, style: Partial<Span>): Span[] {
  return (tokens ?? []).flatMap((token): Span[] => {
    switch (token.type) {
      case "strong":
        return inline((token as Tokens.Strong).tokens, { ...style, bold: true });
      case "em":
        return inline((token as Tokens.Em).tokens, { ...style, italic: true });
      case "del":
        return inline((token as Tokens.Del).tokens, { ...style, strike: true });
      case "codespan":
        return [{ ...style, text: (token as Tokens.Codespan).text, tone: "code" }];
      case "br":
        return [{ ...style, text: "\n" }];
      case "link":
        return link(token as Tokens.Link, style);
      case "image":
        return [
          { ...style, text: `[image: ${(token as Tokens.Image).text || (token as Tokens.Image).href}]`, tone: "link" },
        ];
      case "text":
      case "escape": {
        const text = token as Tokens.Text;
        return text.tokens === undefined ? [{ ...style, text: text.text }] : inline(text.tokens, style);
      }
      default:
        return [{ ...style, text: token.raw }];
    }
  });
}

/** The address is shown when the words hide it: a reader must see where a link leads. */
function link(token: Tokens.Link, style: Partial<Span>): Span[] {
  const web = /^(https?|file|mailto):/.test(token.href);
  const text = inline(token.tokens, { ...style, tone: "link", ...(web ? { link: token.href } : {}) });
  const shown = token.text.replace(/^mailto:/, "") === token.href.replace(/^mailto:/, "");
  return shown ? text : [...text, { ...style, text: ` (${token.href})`, tone: "faint" }];
}

/** Wraps spans that may hold line breaks. */
function wrapSpans(spans: readonly Span[], width: number): Line[] {
  const lines: Span[][] = [[]];
  for (const part of spans) {
    part.text.split("\n").forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ ...part, text });
    });
  }
  return lines.flatMap((line) => wrapLine(line, width));
}

function prefixed(lines: readonly Line[], prefix: Span): Line[] {
  return lines.map((line) => [prefix, ...line]);
}
