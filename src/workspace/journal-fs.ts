import { constants } from "node:fs";
import {
  access,
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from "node:fs/promises";
import { codeOf } from "./file-errors.ts";

/** The changing steps of `apply`, as a seam: tests make single ones fail, or kill the process between two. */
export interface JournalFs {
  /** A new file; fails when there is one. Without `mode` the process's default. `durable`: flushed before it returns. */
  writeFile(path: string, bytes: Uint8Array, mode: number | undefined, durable: boolean): Promise<void>;
  makeLink(target: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for the file, or a copy where the file system has no links. */
  keep(path: string, backup: string): Promise<void>;
  /** Nothing happens when it is not there. */
  remove(path: string): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  changeMode(path: string, mode: number): Promise<void>;
  /** Nothing happens when it is not there or not empty. */
  removeDirectory(path: string): Promise<void>;
  syncDirectory(path: string): Promise<void>;
  checkWritable(path: string): Promise<void>;
}

export const nodeJournalFs: JournalFs = {
  async writeFile(path, bytes, mode, durable) {
    const file = await open(path, "wx", 0o666);
    try {
      if (mode !== undefined) await file.chmod(mode);
      await file.writeFile(bytes);
      if (durable) await file.datasync();
    } finally {
      await file.close();
    }
  },
  makeLink: symlink,
  rename,
  async keep(path, backup) {
    // Where a second name of a link is made differs between systems; a link is made again everywhere.
    if ((await lstat(path)).isSymbolicLink()) return symlink(await readlink(path), backup);
    try {
      await link(path, backup);
    } catch (error) {
      if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"].includes(codeOf(error) ?? "")) throw error;
      await copyFile(path, backup, constants.COPYFILE_EXCL);
    }
  },
  async remove(path) {
    await unlink(path).catch(unless("ENOENT"));
  },
  async makeDirectory(path) {
    await mkdir(path).catch(unless("EEXIST"));
  },
  changeMode: chmod,
  async removeDirectory(path) {
    await rmdir(path).catch(unless("ENOENT", "ENOTEMPTY", "EEXIST"));
  },
  async syncDirectory(path) {
    // Some file systems cannot flush a directory; then there is nothing to flush.
    const directory = await open(path, "r").catch(() => undefined);
    await directory?.sync().catch(() => undefined);
    await directory?.close();
  },
  checkWritable: (path) => access(path, constants.W_OK),
};

function unless(...codes: string[]) {
  return (error: unknown) => {
    if (!codes.includes(codeOf(error) ?? "")) throw error;
  };
}
