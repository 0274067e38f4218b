/**
 * A session's title. Without `ask` no model is troubled: the first line a person wrote. With it (the title feature
 * names an agent or a prompt) the model's words, tidied; the first line again when it has none.
 */
export async function makeTitle(
  prompt: string,
  maxLength: number,
  ask?: (prompt: string) => Promise<string | undefined>,
): Promise<string> {
  const said = await ask?.(prompt);
  return (said && fitTitle(tidy(said), maxLength)) || firstLineTitle(prompt, maxLength);
}

/** The first line with words in it, at most `maxLength` characters. */
export function firstLineTitle(prompt: string, maxLength = 50): string {
  const line = prompt.split("\n").find((text) => text.trim() !== "") ?? "";
  return fitTitle(line.replaceAll(/\p{Cc}/gu, " ").trim(), maxLength);
}

/** Models like to quote titles, to announce them, and to explain them on further lines. */
function tidy(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  return line
    .trim()
    .replace(/^#+\s*|^title:\s*/i, "")
    .replace(/^["'“”`*]+|["'“”`*.]+$/g, "")
    .trim();
}

function fitTitle(text: string, maxLength: number): string {
  const letters = [...text];
  return letters.length <= maxLength
    ? text
    : `${letters
        .slice(0, maxLength - 1)
        .join("")
        .trimEnd()}…`;
}
