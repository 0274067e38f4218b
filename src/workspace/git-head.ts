import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Where git's HEAD stands, as `main 1a2b3c4d`; undefined without a repository at `root` that can be read plainly. */
export async function gitHead(root: string): Promise<string | undefined> {
  const git = join(root, ".git");
  const read = (path: string) =>
    readFile(join(git, path), "utf8").then(
      (text) => text.trim(),
      () => undefined,
    );
  const head = await read("HEAD");
  const ref = /^ref: (refs\/[^\0]+)$/.exec(head ?? "")?.[1];
  if (head === undefined || ref === undefined || ref.includes("..")) return head?.slice(0, 8);
  const commit = (await read(ref)) ?? (await packed(await read("packed-refs"), ref));
  return `${ref.replace(/^refs\/heads\//, "")} ${commit?.slice(0, 8) ?? "without a commit"}`;
}

/** Another text whenever what is staged may have changed; undefined without a repository at `root`. */
export async function gitIndexMark(root: string): Promise<string | undefined> {
  const found = await stat(join(root, ".git", "index"), { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.size} ${found.mtimeNs}`;
}

const packed = (refs: string | undefined, ref: string) =>
  refs
    ?.split("\n")
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(" ")[0];
