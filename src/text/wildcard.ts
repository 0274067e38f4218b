/**
 * True when the whole of `text` fits `pattern`. Only `*` is special: any run of characters, newlines and slashes
 * included. Case-sensitive. At most `pattern` times `text` steps, never exponential: on a mismatch only the newest `*`
 * is asked to take one character more, which is enough because an earlier one could only leave less to match.
 */
export function matches(pattern: string, text: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[next] === "*") {
      star = next++;
      resume = at;
    } else if (next < pattern.length && pattern[next] === text[at]) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[next] === "*") next++;
  return next === pattern.length;
}

/**
 * The same question for one pattern and many texts, several times as fast: what stands before the first `*` begins the
 * text, what stands after the last ends it, and the parts between are found one behind the other, each as early as it
 * is there, since a later place could only leave less for the rest.
 */
export function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return (text) => text === pattern;
  const head = parts[0]!;
  const tail = parts.at(-1)!;
  const between = parts.slice(1, -1).filter((part) => part !== "");
  return (text) => {
    const end = text.length - tail.length;
    if (end < head.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
    let at = head.length;
    for (const part of between) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
