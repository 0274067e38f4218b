import { basename } from "node:path";
import { listFiles } from "./list-files.ts";
import { type DirError, type DirWarning, dirError } from "./problems.ts";
import { readHead } from "./read-head.ts";

/** What a directory does by itself, and when (other-systems 4.1). */
export interface Schedule {
  readonly name: string;
  readonly file: string;
  /** Five fields, or six with seconds first. */
  readonly cron: string;
  readonly enabled: boolean;
  readonly prompt: string;
}

export interface Schedules {
  readonly schedules: readonly Schedule[];
  readonly errors: readonly DirError[];
  readonly warnings: readonly DirWarning[];
}

export async function readSchedules(dir: string): Promise<Schedules> {
  const listed = await listFiles(dir, "schedules");
  const errors: DirError[] = [...listed.errors];
  const schedules: Schedule[] = [];
  for (const { file, text } of listed.files) {
    const head = await readHead(file, text);
    if ("error" in head) {
      errors.push(head.error);
      continue;
    }
    const { cron, name = basename(file, ".md"), enabled = true } = head.fields;
    const refuse = (message: string, field: string) =>
      errors.push(dirError("bad-schedule", file, message, head.lineOf(field)));
    const wrong = await whatIsWrong(cron);
    if (wrong !== undefined) refuse(wrong, "cron");
    else if (typeof name !== "string" || !/^[\w.-]{1,64}$/.test(name) || name.includes(".."))
      refuse(`name: ${JSON.stringify(name)} cannot be one: letters, digits, "_", "-" and ".", at most 64`, "name");
    else if (typeof enabled !== "boolean") refuse("enabled: expected true or false", "enabled");
    else if (head.body === "") refuse("there is no prompt below its head", "cron");
    else schedules.push({ name, file, cron: cron as string, enabled, prompt: head.body });
  }
  const seen = new Map<string, string>();
  for (const { name, file } of schedules.filter(({ enabled }) => enabled)) {
    const before = seen.get(name.toLowerCase());
    if (before !== undefined)
      errors.push(dirError("duplicate-name", file, `"${name}" is the name of ${before} already`));
    else seen.set(name.toLowerCase(), file);
  }
  return { schedules, errors, warnings: listed.warnings };
}

async function whatIsWrong(cron: unknown): Promise<string | undefined> {
  if (typeof cron !== "string" || cron.trim() === "") return '"cron" is missing, such as "0 9 * * 1-5"';
  const fields = cron.trim().split(/\s+/).length;
  if (fields !== 5 && fields !== 6) return `cron: "${cron}" has ${fields} fields; it needs 5, or 6 with seconds first`;
  const { CronPattern } = await import("croner");
  try {
    new CronPattern(cron);
    return undefined;
  } catch (error) {
    return `cron: "${cron}": ${(error as Error).message}`;
  }
}
