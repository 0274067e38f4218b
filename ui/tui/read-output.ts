import { open } from "node:fs/promises";

/** More than this is not read into a screen, in bytes. */
const MOST_BYTES = 8_000_000;

/** The text of a file that holds a call's whole output; undefined when it cannot be read. */
export async function readOutput(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(() => undefined);
  try {
    if (handle === undefined) return undefined;
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, MOST_BYTES)));
    const text = buffer.toString("utf8", 0, bytesRead);
    return size > MOST_BYTES ? `${text}\n\n(the rest is in ${file})` : text;
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}
