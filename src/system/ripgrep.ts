/** The ripgrep binary that came with us, else the one on the machine. */
export async function findRipgrep(): Promise<string> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return "rg";
  }
}
