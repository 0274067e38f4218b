/**
 * What was typed before, one entry a line (aura 19.7). A newline is written as `\n` and a backslash as `\\`, so every
 * entry comes back as it was; lines of the original format without escaped backslashes still read sensibly.
 */
import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export const MAX_ENTRIES = 1_000;

export function encodeEntry(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

export function decodeEntry(line: string): string {
  return line.replace(/\\([\\nr])/g, (_, code: string) => (code === "n" ? "\n" : code === "r" ? "\r" : "\\"));
}

/** The newest entries, oldest first. A file that is missing or cannot be read is an empty history. */
export async function loadHistory(file: string): Promise<string[]> {
  let content: string;
  try {
    content = await readFile(file, "utf8");
  } catch {
    return [];
  }
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const kept = lines.slice(-MAX_ENTRIES);
  // Rewritten only now and then: another running Aura may be appending.
  if (lines.length > 2 * MAX_ENTRIES) await rewrite(file, kept);
  return kept.map(decodeEntry);
}

/** Appends in one write, so that two running instances never mix their lines. Failures are the caller's to word. */
export async function appendHistory(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${encodeEntry(text)}\n`, { mode: 0o600 });
}

async function rewrite(file: string, lines: readonly string[]): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, `${lines.join("\n")}\n`, { mode: 0o600 });
    await rename(temporary, file);
  } catch {
    // A history that cannot be trimmed is still a history.
  }
}
