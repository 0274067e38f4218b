/**
 * Splits a command line as a shell would (single and double quotes, backslash); with unbalanced quotes it falls back
 * to white space, so that an apostrophe in plain words does no harm.
 */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (quote) {
      if (char === quote) quote = undefined;
      else if (char === "\\" && quote === '"' && /["\\]/.test(line[i + 1] ?? "")) word = (word ?? "") + line[++i];
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (char === "\\" && i + 1 < line.length) word = (word ?? "") + line[++i];
    else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (quote) return line.split(/\s+/).filter(Boolean);
  if (word !== undefined) words.push(word);
  return words;
}
