import { realpath } from "node:fs/promises";
import { personalFolders } from "../system/paths.ts";
import type { OpenOptions } from "./open-options.ts";
import { loadTrusted, real } from "./resolve-config.ts";
import { trustsProject } from "./server-trust.ts";
import { openTrust } from "./trust.ts";
import { type ReviewedEntry, reviewTrust } from "./trust-review.ts";

/** `aura trust`: what the project would run that nobody has accepted as it is now, and how to accept it. */
export interface ProjectTrust {
  readonly waiting: readonly ReviewedEntry[];
  /** @param dir the folder a person named: it is trusted as well. Returns what was trusted. */
  accept(dir: string): Promise<readonly string[]>;
}

export async function projectTrust(options: OpenOptions): Promise<ProjectTrust> {
  const folders = personalFolders(options.env);
  const trusted = await loadTrusted(options, folders);
  const review = await reviewTrust({ options, folders, trusted });
  return {
    waiting: review.waiting,
    async accept(dir) {
      const home = await real(dir);
      await trusted.trust.trustHome(home);
      return [...new Set([dir, ...(await review.accept())])];
    },
  };
}

/** Whether a person trusts the project in this folder. */
export async function trustsFolder(options: Pick<OpenOptions, "cwd" | "env">): Promise<boolean> {
  return trustsProject(options, await openTrust(personalFolders(options.env).state));
}

/** Every folder and file somebody trusted, with the entries that were accepted in it. */
export async function listTrust(options: OpenOptions): Promise<readonly string[]> {
  const { book } = await openTrust(personalFolders(options.env).state);
  return [
    ...book.homes,
    ...Object.keys(book.files).map((file) => `${file}  (until it changes)`),
    ...Object.keys(book.entries).map((file) => `${file}  (what was imported into it, until it changes)`),
    ...Object.entries(book.accepted).flatMap(([project, ids]) =>
      Object.keys(ids).map((id) => `${project}  ${id}  (until it changes)`),
    ),
  ];
}

/** Takes back all trust in a folder and what lies in it; it may be gone from the disk. */
export async function revokeTrust(options: OpenOptions, dir: string): Promise<readonly string[]> {
  const trust = await openTrust(personalFolders(options.env).state);
  return trust.revoke(await realpath(dir).catch(() => dir));
}
