import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { mkdir, open, readFile, rm } from "node:fs/promises";
import { type Found, findSession, latestSession } from "./find-session.ts";
import { readSession, type SavedSession } from "./read-session.ts";
import { isSessionId } from "./session-id.ts";
import { type Listing, listSessions } from "./session-index.ts";
import { lockOwner } from "./session-lock.ts";
import { lockFile, sessionFile } from "./session-log.ts";
import { checkName, type NameCheck } from "./session-name.ts";
import { decodeRecord, encodeRecord, type SessionHeader, type SessionRecord } from "./session-record.ts";
import type { SessionSummary } from "./session-summary.ts";

interface Fork {
  readonly id: string;
  readonly title: string;
}

/** Where sessions of a folder were kept before it had a home of its own: an approval or `aura init` makes one. */
export interface Elsewhere {
  readonly dirs: readonly string[];
  /** Only sessions of this folder count there. */
  readonly cwd: string;
}

/** The sessions on disk. Methods take whole ids, except `find`; all but `find` and `latest` throw for an unknown one. */
export interface SessionStore {
  /** The folder that holds the log of a session; for an unknown one, the folder new sessions go to. */
  dirOf(id: string): string;
  list(): Listing;
  find(wanted: string): Found;
  /** For `--continue`: of this folder when there is one. */
  latest(cwd: string): SessionSummary | undefined;
  read(id: string): Promise<SavedSession>;
  /** A copy under a new id, whose log may be continued at once. `title` defaults to `Fork of <old>`. */
  fork(id: string, fork: { readonly id: string; readonly created: string; readonly title?: string }): Promise<Fork>;
  /** For a session nobody has open. The id stays; one that is open is named through its own log. */
  rename(id: string, name: string): NameCheck;
  retitle(id: string, title: string): void;
  /** Undefined when it is gone; a sentence when it is in use. */
  remove(id: string): Promise<string | undefined>;
}

/** @param dir `<home>/sessions`, where new sessions go; it need not exist. */
export function openSessions(dir: string, elsewhere?: Elsewhere): SessionStore {
  const dirs = [...new Set([dir, ...(elsewhere?.dirs ?? [])])];
  const dirOf = (id: string) => {
    if (!isSessionId(id)) throw new Error(`not a session id: ${id}`);
    return dirs.find((one) => existsSync(sessionFile(one, id))) ?? dir;
  };
  const fileOf = (id: string) => sessionFile(dirOf(id), id);
  const list = () =>
    joined(
      dirs.map((one) => listSessions(one)),
      elsewhere?.cwd,
    );
  return {
    dirOf,
    list,
    find: (wanted) => findSession(wanted, list().sessions),
    latest: (cwd) => latestSession(list().sessions, cwd),
    read: (id) => readSession(fileOf(id)),
    async fork(id, { id: newId, created, title }) {
      const lines = (await readFile(fileOf(id), "utf8")).split("\n");
      const old = await readSession(fileOf(id));
      const newTitle = title ?? `Fork of ${old.title ?? old.name ?? id}`;
      const header: SessionHeader = { type: "header", version: 1, id: newId, cwd: old.cwd, created, forkedFrom: id };
      const kept = lines.filter(isCopied).map((line) => `${line}\n`);
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeNew(sessionFile(dir, newId), [
        encodeRecord(header),
        ...kept,
        encodeRecord({ type: "title", title: newTitle }),
      ]);
      return { id: newId, title: newTitle };
    },
    rename(id, wish) {
      const check = checkName(wish, id, list().sessions);
      if (check.kind === "free") appendTo(fileOf(id), { type: "name", name: check.name });
      return check;
    },
    retitle: (id, title) => appendTo(fileOf(id), { type: "title", title }),
    async remove(id) {
      const lock = lockFile(dirOf(id), id);
      const owner = lockOwner(lock);
      if (owner) return `session ${id} is in use by process ${owner.pid} on ${owner.host}`;
      await rm(fileOf(id));
      await rm(lock, { force: true });
      return undefined;
    },
  };
}

/** The first listing whole, of the others what belongs to `cwd`; newest first. */
function joined([first, ...others]: readonly Listing[], cwd: string | undefined): Listing {
  if (!first || others.length === 0) return first ?? { sessions: [], warnings: [] };
  const here = others.flatMap(({ sessions }) => sessions.filter((session) => session.cwd === cwd));
  const sessions = [...first.sessions, ...here].sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1));
  return { sessions, warnings: first.warnings };
}

/** A fork has its own header and title, and no name; damaged lines stay behind. */
function isCopied(line: string): boolean {
  const record = decodeRecord(line);
  return record === "unknown" || (record !== undefined && !OWN.has(record.type));
}

const OWN: ReadonlySet<SessionRecord["type"]> = new Set(["header", "name", "title"] as const);

async function writeNew(file: string, lines: readonly string[]): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(lines.join(""));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The empty line before it ends whatever a dead process left unfinished; readers skip it. */
function appendTo(file: string, record: SessionRecord): void {
  // Not "a": a session that is not there must not come into being with a title and nothing else.
  const handle = openSync(file, APPEND_EXISTING);
  try {
    writeSync(handle, `\n${encodeRecord(record)}`);
  } finally {
    closeSync(handle);
  }
}

const APPEND_EXISTING = constants.O_WRONLY | constants.O_APPEND;
