import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { writeAtomically } from "../system/atomic-file.ts";

/** What is kept of a sign-in at one remote server. */
interface SignIn {
  readonly client?: OAuthClientInformationMixed | undefined;
  readonly tokens?: OAuthTokens | undefined;
  /** The loopback port the client was registered with. */
  readonly port?: number | undefined;
}

/** The sign-in at one server, in a file only its owner reads. */
export interface OAuthMemory extends SignIn {
  /** Where the server is; tokens of one address are never sent to another. */
  readonly url: string;
  save(change: SignIn): Promise<void>;
}

/** Reads what is known; nothing when there is no file, or it cannot be read. @param dir absolute */
export async function openOAuthMemory(dir: string, server: string, url: string): Promise<OAuthMemory> {
  const file = join(dir, `${server}-${createHash("sha256").update(url).digest("hex").slice(0, 12)}.json`);
  let known = await readSignIn(file);
  return {
    url,
    get client() {
      return known.client;
    },
    get tokens() {
      return known.tokens;
    },
    get port() {
      return known.port;
    },
    async save(change) {
      const merged = Object.entries({ ...known, ...change }).filter(([, value]) => value !== undefined);
      known = Object.fromEntries(merged);
      if (merged.length === 0) return rm(file, { force: true });
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeAtomically(file, `${JSON.stringify(known)}\n`, { mode: 0o600 });
      await chmod(file, 0o600); // a file that was there keeps its rights otherwise
    },
  };
}

async function readSignIn(file: string): Promise<SignIn> {
  try {
    return Object(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return {};
  }
}
