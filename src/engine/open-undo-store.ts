import { createHash } from "node:crypto";
import { readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSecret } from "../policy/shell/protected-paths.ts";
import { isInside } from "../system/paths.ts";
import { SNAPSHOT_LIMITS } from "../workspace/snapshot.ts";
import { TurnRecorder } from "../workspace/turn-recorder.ts";
import type { Engine } from "./engine.ts";
import type { Opened } from "./undo.ts";

const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** What is kept of one folder, for all conversations in it: below the state folder, readable by its owner alone. */
export function openUndoStore({ cwd, folders, config, sessions, services, session }: Engine): Opened {
  const root = realpathSync(cwd);
  const all = join(folders.state, "undo");
  const dir = join(all, createHash("sha256").update(root).digest("hex").slice(0, 16));
  const now = () => Date.now();
  forgetFolders(all, dir, now());
  const logs = join(config.homes.write ?? folders.state, "logs");
  const own = [sessions.dir, dirname(session.log.file), logs, folders.state, folders.cache, services.approvalsFile];
  const recorder = new TurnRecorder({
    root,
    dir,
    limits: SNAPSHOT_LIMITS,
    prune: { maxBytes: MOST_BYTES, maxAgeMs: MOST_AGE_MS },
    own: own.map(realOf),
    isSecret,
    now,
  });
  return { root, recorder, looksAround: !isInside(root, realOf(folders.user)) };
}

/** Folders nobody worked in for long: their contents go as a whole. */
function forgetFolders(all: string, except: string, now: number): void {
  for (const name of listed(all)) {
    const dir = join(all, name);
    if (dir === except) continue;
    const used = [dir, ...listed(dir).map((file) => join(dir, file))].map(usedAt);
    if (Math.max(...used) < now - MOST_AGE_MS) rmSync(dir, { recursive: true, force: true });
  }
}

const usedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function listed(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there yet, and so under its own name
  }
}
