import { createHash } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeTool } from "../toolkit/describe.ts";
import type { HeldTool } from "../toolkit/tool-set.ts";
import { bareName } from "./proxy.ts";

/** The descriptions of proxied tools on disk, for the owner's eyes. */
export interface ProxyShelf {
  /** Makes the folder say exactly this: what changed is replaced, what is gone is removed. */
  write(proxied: readonly HeldTool[]): Promise<void>;
  close(): Promise<void>;
}

/** @param dir absolute; all that is in it is ours. What an earlier run left there is removed by the first `write`. */
export function openProxyShelf(dir: string): ProxyShelf {
  const written = new Map<string, string>();
  let isClean = false;
  return {
    async write(proxied) {
      if (!isClean) await rm(dir, { recursive: true, force: true });
      isClean = true;
      const wanted = filesOf(proxied);
      for (const [server, files] of wanted) {
        const hash = createHash("sha256")
          .update(JSON.stringify([...files]))
          .digest("hex");
        if (written.get(server) !== hash) await writeServer(join(dir, server), files);
        written.set(server, hash);
      }
      for (const name of await readdir(dir).catch(() => [])) {
        if (wanted.has(name)) continue;
        await rm(join(dir, name), { recursive: true, force: true });
        written.delete(name);
      }
    },
    async close() {
      if (isClean) await rm(dir, { recursive: true, force: true });
    },
  };
}

async function writeServer(dir: string, files: ReadonlyMap<string, string>): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const [name, text] of files) await writeFile(join(dir, `${name}.json`), text, { mode: 0o600 });
}

function filesOf(proxied: readonly HeldTool[]): Map<string, Map<string, string>> {
  const servers = new Map<string, Map<string, string>>();
  for (const held of proxied) {
    const { tool, server } = held;
    if (server === undefined) continue;
    const files = servers.get(server) ?? new Map<string, string>();
    const name = bareName(held);
    const about = { name, description: describeTool(tool), server, parameters: tool.input };
    files.set(name, `${JSON.stringify(about, null, 2)}\n`);
    servers.set(server, files);
  }
  return servers;
}
