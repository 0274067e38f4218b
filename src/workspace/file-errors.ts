import { FileProblem } from "./project-files.ts";

/** A Node file error as the one line the model reads (aura 1); what is not one is returned as it is. */
export function asFileProblem(error: unknown, op: string, path: string): unknown {
  if (error instanceof FileProblem || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new FileProblem(op, path, REASONS[code] ?? error.message, { cause: error });
}

/** The error code of a Node file error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** Runs `work`; a Node file error it ends with becomes a FileProblem. */
export async function worded<T>(op: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFileProblem(error, op, path);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "is a directory, not a file",
  ENOTDIR: "a part of the path is a file, not a directory",
  ENOSPC: "disk full",
  EDQUOT: "disk full",
  EROFS: "read-only filesystem",
  ENAMETOOLONG: "name too long",
  ELOOP: "too many symbolic links",
  EMFILE: "too many open files",
  EFBIG: "file too large",
  EBUSY: "file is busy",
};
