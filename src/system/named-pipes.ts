/**
 * Node connects a child's output by sockets, and Linux opens no socket by its name: `echo oops >/dev/stderr` and
 * `tee /dev/stdout` fail with ENXIO. Pipes of the file system open. Node cannot make one, so `mkfifo` does, two at a
 * time, and a pipe that has seen its end is used again: a session rarely needs a second time. The names go at once;
 * `/proc/self/fd` opens what has none (https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html).
 */
import { execFile } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A pipe for one output stream of one process. */
export interface OutputPipe {
  readonly reader: Socket;
  /** What the process writes to. Whoever starts the process closes it here, so that the pipe can end. */
  readonly writeFd: number;
}

export interface PipePool {
  /** For standard output and standard error; undefined where there are no such pipes, and Node's own have to do. */
  take(): Promise<readonly [OutputPipe, OutputPipe] | undefined>;
  close(): void;
}

export function createPipePool(): PipePool {
  /** Descriptors that keep a pipe without a name; nobody reads or writes it. */
  const idle: number[] = [];
  let closed = false;

  function open(): OutputPipe {
    const kept = idle.pop()!; // `take` sees to it that there are enough
    const path = `/proc/self/fd/${kept}`;
    const reader = new Socket({
      fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
      readable: true,
      writable: false,
    });
    // Only a pipe that no process holds any more is clean.
    let ended = false;
    reader.once("end", () => {
      ended = true;
    });
    reader.once("close", () => {
      if (ended && !closed) idle.push(kept);
      else closeSync(kept);
    });
    return { reader, writeFd: openSync(path, constants.O_WRONLY) };
  }

  return {
    async take() {
      if (process.platform !== "linux" || closed) return undefined;
      try {
        // Others may take theirs while these are made.
        while (idle.length < 2) idle.push(...(await makePipes()));
        return [open(), open()];
      } catch {
        return undefined;
      }
    },
    close() {
      closed = true;
      for (const kept of idle.splice(0)) closeSync(kept);
    },
  };
}

/** For a pipe that no process gets. */
export function discardPipe({ reader, writeFd }: OutputPipe): void {
  closeSync(writeFd);
  reader.destroy();
}

async function makePipes(): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "aura-pipes-"));
  try {
    const names = ["1", "2"].map((name) => join(folder, name));
    await promisify(execFile)("mkfifo", ["-m", "600", ...names]);
    return names.map((name) => openSync(name, constants.O_RDONLY | constants.O_NONBLOCK));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
