import { join } from "node:path";
import { expandServer } from "../config/servers/expand-server.ts";
import { openOAuthMemory } from "../mcp/oauth-memory.ts";
import type { Server } from "../mcp/server.ts";
import { wordState } from "../mcp/server-state.ts";
import { openBrowser } from "../system/open-browser.ts";
import type { Engine } from "./engine.ts";

/** Begins a sign-in at a remote server; what comes of it is told as notices. Throws where there is nothing to sign in to. */
export function beginSignIn(engine: Engine, server: Server, how: "auto" | "device"): string {
  const expanded = expandServer(server.def, engine.options.env);
  if (!expanded.ok) throw new Error(expanded.errors.map(({ message }) => message).join("\n"));
  const { url } = expanded.server;
  if (url === undefined) throw new Error(`"${server.def.name}" is no remote server: there is nothing to sign in to`);
  if (server.state.kind === "disabled") throw new Error(wordState(server.status));
  void signInAt(engine, server, url, how);
  return `Signing in at ${new URL(url).origin} …`;
}

/** In the background: the person goes on working while a browser page is open. */
async function signInAt(engine: Engine, server: Server, url: string, how: "auto" | "device"): Promise<void> {
  const { name } = server.def;
  const say = (text: string) => engine.emit({ type: "notice", level: "info", text: `${name}: ${text}` });
  try {
    const { signIn } = await import("../mcp/sign-in.ts");
    const memory = await openOAuthMemory(join(engine.folders.state, "auth"), name, url);
    const browse = (address: URL) => openBrowser(address, engine.options.env);
    await signIn({ memory, how, say, browse, signal: engine.closing });
    await server.reconnect().catch(() => undefined); // its state says how it went
    if (!engine.closing.aborted) say(`signed in; ${wordState(server.status)}`);
  } catch (error) {
    if (engine.closing.aborted) return;
    const text = `${name}: ${error instanceof Error ? error.message : String(error)}`;
    engine.emit({ type: "notice", level: "error", text });
  }
}
