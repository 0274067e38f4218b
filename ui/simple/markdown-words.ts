/** One line of Markdown as it is read aloud: without the marks that only an eye needs. Code keeps every character. */
export function inWords(text: string, atLineStart: boolean): string {
  if (atLineStart && /^ {0,3}(?:[-*_] *){3,}$/.test(text)) return "";
  // The line between a table's head and its rows.
  if (atLineStart && /^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/.test(text)) return "";
  const heading = atLineStart ? /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?$/.exec(text) : null;
  if (heading !== null) return `Heading: ${withoutMarks(heading[1] ?? "")}`;
  const quote = atLineStart ? /^ {0,3}>\s?(.*)$/.exec(text) : null;
  if (quote !== null) return quote[1]?.trim() ? `Quote: ${withoutMarks(quote[1])}` : "";
  return withoutMarks(text);
}

function withoutMarks(text: string): string {
  return text
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part.replace(/^`+|`+$/g, "") : withoutEmphasis(part)))
    .join("");
}

/** Marks count only where a word begins or ends: `2**3` and `snake__case` are left alone. */
function withoutEmphasis(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\(([^)\s]*)[^)]*\)/g, (_, label: string, url: string) =>
      label === "" || label === url ? url : `${label} (${url})`,
    )
    .replace(/(^|[\s(“"'])(\*\*|__)(?=\S)/g, "$1")
    .replace(/(?<=\S)(\*\*|__)(?=$|[\s).,;:!?”"'])/g, "");
}
