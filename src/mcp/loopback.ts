import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface CodeListener {
  readonly port: number;
  readonly url: string;
  /** The code the person's browser brings back. @throws Error when it brings a refusal, or nobody comes */
  code(signal: AbortSignal): Promise<string>;
  close(): void;
}

/** Waits on the loopback for the redirect of one sign-in (RFC 8252, 7.3); on `port` where that is still free. */
export async function listenForCode(port: number | undefined, state: string): Promise<CodeListener> {
  const outcome = Promise.withResolvers<string>();
  outcome.promise.catch(() => undefined); // heard below, or nobody waits any more
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const isOurs = url.pathname === "/callback" && url.searchParams.get("state") === state;
    const code = url.searchParams.get("code");
    response.writeHead(isOurs ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    if (!isOurs) return void response.end("Not found\n");
    response.end(code === null ? "The sign-in was refused.\n" : "Signed in. You can close this page.\n");
    if (code !== null) outcome.resolve(code);
    else
      outcome.reject(
        new Error(
          `the sign-in was refused: ${url.searchParams.get("error_description") ?? url.searchParams.get("error") ?? "no reason given"}`,
        ),
      );
  });
  const bound = (await listening(server, port ?? 0)) || (await listening(server, 0));
  if (!bound) throw new Error("no port on the loopback is free to come back to");
  server.unref();
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}/callback`,
    code(signal) {
      const stop = () => outcome.reject(new Error("nobody signed in in time"));
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      return outcome.promise.finally(() => signal.removeEventListener("abort", stop));
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The port it listens on, or 0 when that one is taken. */
function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve) => {
    const fail = () => resolve(0);
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", fail);
      resolve((server.address() as AddressInfo).port); // of a TCP server it is always one
    });
  });
}
