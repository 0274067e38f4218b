/** Writing in an editor of the person's own choice. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type OutsideEdit =
  | { readonly kind: "edited"; readonly text: string }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly problem: string };

/**
 * Opens `text` in `$VISUAL`, else `$EDITOR`, else vi, and waits for it to end. The terminal is the editor's meanwhile.
 * The command may have arguments of its own. What a failed editor wrote does not count. Never throws.
 */
export async function editOutside(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OutsideEdit> {
  const command = [env["VISUAL"], env["EDITOR"]].find((one) => one !== undefined && one.trim() !== "") ?? "vi";
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), "aura-input-"));
    const file = join(folder, "message.md");
    await writeFile(file, text, { mode: 0o600 });
    const code = await runOnTerminal(command, file, env);
    if (code !== 0) return { kind: "failed", problem: `${command} ended with ${code}; nothing was taken over` };
    // Editors end the last line; a message does not.
    const written = (await readFile(file, "utf8")).replace(/\r\n?/g, "\n").replace(/\n$/, "");
    return written === text.replace(/\n$/, "") ? { kind: "unchanged" } : { kind: "edited", text: written };
  } catch (error) {
    return { kind: "failed", problem: `${command}: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Through the shell, as git does it: `code --wait` and quoted paths work. */
function runOnTerminal(
  command: string,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number | string> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", `${command} "$@"`, command, file], { stdio: "inherit", env: { ...env } });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? 1));
  });
}
