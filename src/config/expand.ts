/**
 * Replaces `$NAME` and `${NAME}` by what `env` holds; an unset one becomes empty, as in Go's `os.Expand`. A `$` before
 * anything else stays.
 */
export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_whole, braced?: string, bare?: string) => {
    return env[(braced ?? bare)!] ?? "";
  });
}
