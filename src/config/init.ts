import { constants } from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

export interface InitResult {
  /** Relative to the target. */
  readonly file: string;
  /** `skipped`: a file of that name was there and was left alone. */
  readonly status: "created" | "skipped";
}

/** Copies the sample home into `target`, below its `config`; never overwrites. Results are sorted by file. */
export async function initHome(sample: string, target: string): Promise<readonly InitResult[]> {
  const entries = await readdir(sample, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(sample, join(entry.parentPath, entry.name)))
    .sort();
  const results: InitResult[] = [];
  for (const name of files) {
    const file = join("config", name);
    await mkdir(dirname(join(target, file)), { recursive: true });
    results.push({ file, status: await copyNew(join(sample, name), join(target, file)) });
  }
  return results;
}

async function copyNew(from: string, to: string): Promise<InitResult["status"]> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return "created";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return "skipped";
    throw error;
  }
}
