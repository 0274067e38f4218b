/** Asks whoever sits at the terminal; anything but yes is no. Undefined where nobody does. */
export async function askYesNo(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } catch {
    return false; // the end of input, or Ctrl+C
  } finally {
    lines.close();
  }
}
