/**
 * Both parsers' findings are written as one list of texts, commands in the order they stand, and compared as such.
 * In a word, what quotes took the meaning from is marked, so that `'*'` is not `*`.
 */
export type Finding = string;

export const quoted = (text: string): string => text.replace(/[*?[\]{}~,]/g, "\u0001$&");

export const command = (assignments: readonly string[], words: readonly string[]): Finding =>
  `command ${JSON.stringify([assignments, words])}`;
export const redirection = (descriptor: string, operator: string, target: string): Finding =>
  `redirection ${JSON.stringify([descriptor, operator, target])}`;
export const words = (what: string, list: readonly string[]): Finding => `${what} ${JSON.stringify(list)}`;

export const substitution = (findings: readonly Finding[]): string => `\u0002(${findings.join("\u0003")}\u0004`;
export const process = (direction: string, findings: readonly Finding[]): string =>
  `\u0002${direction}(${findings.join("\u0003")}\u0004`;
export const variable = (name: string, operator: string, inner: readonly string[]): string =>
  `\u0002{${name} ${operator} ${inner.join("\u0003")}\u0004`;
export const arithmetic = (text: string): string => `\u0002=${text.replace(/\s+/g, "")}\u0004`;

/**
 * What arithmetic may hold: numbers, plain variables and operators. A subscript is evaluated by the shell, a quote or a
 * substitution is read differently by every parser.
 */
export const isPlainArithmetic = (text: string): boolean =>
  /^[\w\s+\-*/%()<>=!&|^~?:,]*(?:\$\w+[\w\s+\-*/%()<>=!&|^~?:,]*)*$/.test(text);

/** Bash manual 3.1.2.4, "ANSI-C Quoting"; undefined for what parsers decode differently. */
export function decodeAnsi(text: string): string | undefined {
  let isOdd = false;
  const decoded = text.replace(
    /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|([0-7]{1,3})|(.)|$)/gs,
    (all, hex?: string, short?: string, octal?: string, plain?: string) => {
      const code = hex ?? short;
      const point =
        code !== undefined ? Number.parseInt(code, 16) : octal !== undefined ? Number.parseInt(octal, 8) : -1;
      // Above, bytes are not characters; and a NUL ends the string.
      if (point > 0x7f || point === 0) isOdd = true;
      if (point >= 0) return String.fromCharCode(point);
      const named = NAMED[plain ?? ""];
      if (named === undefined) isOdd = true;
      return named ?? all;
    },
  );
  return isOdd ? undefined : decoded;
}

const NAMED: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};
