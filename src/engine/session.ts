import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { History } from "../context/history.ts";
import type { SavedSession } from "../sessions/read-session.ts";
import { newSessionId } from "../sessions/session-id.ts";
import { continueLog, createLog, type SessionLog } from "../sessions/session-log.ts";
import { SESSION_VERSION, type SessionHeader } from "../sessions/session-record.ts";
import { openSessions, type SessionStore } from "../sessions/session-store.ts";

/** The messages of one session and the log they are kept in. */
export interface OpenSession {
  readonly log: SessionLog;
  readonly history: History;
  readonly saved?: SavedSession;
}

export interface Sessions {
  readonly dir: string;
  readonly store: SessionStore;
  fresh(): OpenSession;
  /** Opens a saved one; when another process has it open, a fork of it, with a warning saying so. */
  open(id: string): Promise<{ readonly session: OpenSession; readonly warnings: readonly string[] }>;
  fork(id: string, title: string | undefined): Promise<{ readonly session: OpenSession; readonly title: string }>;
}

export interface SessionsOptions {
  /** Where new sessions go; made on demand. */
  readonly dir: string;
  /** Where sessions of this folder may be from before. */
  readonly alsoIn: readonly string[];
  readonly cwd: string;
  readonly now: () => Date;
  readonly warn: (text: string) => void;
}

export function openSessionsIn(options: SessionsOptions): Sessions {
  const { dir, alsoIn, cwd, now, warn } = options;
  const store = openSessions(dir, { dirs: alsoIn, cwd });
  const header = (id: string): SessionHeader => ({
    type: "header",
    version: SESSION_VERSION,
    id,
    cwd,
    created: now().toISOString(),
  });
  const continued = async (id: string): Promise<OpenSession | "busy"> => {
    const opened = continueLog({ dir: store.dirOf(id), header: header(id), warn });
    if (opened.kind === "busy") return "busy";
    const saved = await store.read(id);
    return { log: opened.log, history: new History(saved.messages), saved };
  };
  const fork = async (id: string, title: string | undefined) => {
    const made = await store.fork(id, {
      id: newSessionId(now()),
      created: now().toISOString(),
      ...(title !== undefined && { title }),
    });
    const session = await continued(made.id);
    if (session === "busy") throw new Error(`the fork ${made.id} is already in use`);
    return { session, title: made.title };
  };

  return {
    dir,
    store,
    fresh: () => {
      hideFromGit(dir);
      return { log: createLog({ dir, header: header(newSessionId(now())), warn }), history: new History() };
    },
    async open(id) {
      const session = await continued(id);
      if (session !== "busy") return { session, warnings: session.saved?.warnings ?? [] };
      const forked = await fork(id, undefined);
      return {
        session: forked.session,
        warnings: [`That session is open elsewhere: going on in a copy (${forked.title}).`],
      };
    },
    fork,
  };
}

/** Conversations are nobody's source code: a sessions folder inside a project stays out of its history. */
function hideFromGit(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(join(dir, ".gitignore"), "*\n", { flag: "wx" });
  } catch {
    // It is there already, or the folder cannot be written: then the log itself says so.
  }
}
