import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunning, processOwner } from "../system/process-owner.ts";

/** The folder of one trial; its name says whose it is. */
export async function makeControlFolder(top: string): Promise<string> {
  await mkdir(top, { recursive: true, mode: 0o700 });
  const { pid, started = "" } = processOwner();
  return mkdtemp(join(top, `${pid}-${started}-`));
}

export async function removeControlFolder(folder: string): Promise<void> {
  // An overlay leaves a folder that nobody may enter, which only its owner may open again.
  await chmod(join(folder, "scratch", "work", "work"), 0o700).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}

/** Removes what dead processes left. Mounts and processes of theirs are gone already: they end with each other. */
export async function cleanControlFolders(top: string): Promise<void> {
  if (!existsSync(top)) return;
  for (const name of await readdir(top)) {
    const [pid, started] = name.split("-");
    if (!isRunning({ pid: Number(pid), ...(started !== "" && { started }) }))
      await removeControlFolder(join(top, name));
  }
}
