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
