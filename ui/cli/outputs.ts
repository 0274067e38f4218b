import { appendFileSync, writeFileSync } from "node:fs";
import type { Outputs } from "../headless/writers.ts";

/**
 * Standard output and error as the front ends use them. A reader that goes away (`aura run … | head`) is no error:
 * `closed` is called and what follows is dropped.
 */
export function processOutputs(closed: () => void, mirror?: string): Outputs {
  if (mirror !== undefined) writeFileSync(mirror, "");
  let open = true;
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (stream !== process.stdout) return;
      open = false;
      closed();
    });
  const copy = (text: string) => {
    if (mirror !== undefined) appendFileSync(mirror, text.replace(ANSI, ""));
  };
  return {
    data(text) {
      copy(text);
      if (open) process.stdout.write(text);
    },
    talk(text) {
      copy(text);
      process.stderr.write(text);
    },
  };
}

const ANSI = /\x1b\[[0-9;?]*[A-Za-z]/g;

/** Resolves when everything written so far has left the process. */
export function flushed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write("", () => process.stderr.write("", () => resolve()));
  });
}
