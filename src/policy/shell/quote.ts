/** A word as a shell would take it, quoted only where it must be. */
export const quote = (text: string): string =>
  /^[\p{L}\p{M}\p{N}_@%+=:,./~^#{}-]+$/u.test(text) && !/^[~#]/.test(text)
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
