import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { ServerCommand, ServerProcess, ServerProcesses } from "./server-processes.ts";

/** Bytes of one message; a server that sends more is ended, before it fills our memory. */
const LARGEST_MESSAGE = 64 * 1024 * 1024;
/** Lines of standard error kept to explain a failure. */
const KEPT_LINES = 5;

/** MCP over the standard streams of a child process: one JSON message a line (MCP specification, "stdio"). */
export interface StdioTransport extends Transport {
  /** The newest lines of its standard error, for the reason of a failure. */
  lastWords(): string;
}

export function createStdioTransport(
  command: ServerCommand,
  processes: ServerProcesses,
  onStderr: (line: string) => void,
): StdioTransport {
  let child: ServerProcess | undefined;
  const words: string[] = [];
  const transport: StdioTransport = {
    lastWords: () => words.join("\n"),
    start() {
      return new Promise((resolve, reject) => {
        const started = processes.start(command);
        child = started;
        started.once("spawn", () => resolve());
        started.on("error", (problem) => reject(startProblem(command, problem)));
        started.once("close", () => transport.onclose?.());
        started.stdin.on("error", (problem) => transport.onerror?.(problem));
        readLines(started, started.stdout, (line) => receive(transport, line), tooLarge);
        readLines(started, started.stderr, hearStderr, () => undefined);
      });
    },
    send(message) {
      const { stdin } = child ?? {};
      if (!stdin?.writable) return Promise.reject(new Error("the server is not running"));
      return new Promise((resolve) => {
        // A server that reads nothing must not hold us: what it does not take is kept, and the request times out.
        stdin.write(`${JSON.stringify(message)}\n`);
        resolve();
      });
    },
    async close() {
      if (child) await processes.end(child);
    },
  };

  function hearStderr(line: string): void {
    if (words.push(line) > KEPT_LINES) words.shift();
    onStderr(line);
  }
  function tooLarge(): void {
    transport.onerror?.(new Error(`a message of more than ${LARGEST_MESSAGE} bytes`));
    void transport.close();
  }
  return transport;
}

/** What is no JSON is somebody's debug output: told, and passed over. */
function receive(transport: Transport, line: string): void {
  if (line.trim() === "") return;
  let message: JSONRPCMessage;
  try {
    message = JSON.parse(line) as JSONRPCMessage; // the protocol layer above checks its form
  } catch {
    transport.onerror?.(new Error(`not a message: ${line.slice(0, 200)}`));
    return;
  }
  if (typeof message !== "object" || message === null) return;
  transport.onmessage?.(message);
}

function readLines(
  owner: ServerProcess,
  stream: ServerProcess["stdout"],
  take: (line: string) => void,
  tooLarge: () => void,
): void {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let size = 0;
  stream.on("error", () => undefined); // a reset of the pipe is an end like any other
  stream.on("data", (chunk: Buffer) => {
    size += chunk.length;
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    for (const [at, text] of lines.entries()) {
      parts.push(text);
      if (at === lines.length - 1) break;
      const line = parts.join("");
      parts = [];
      size = 0;
      take(line);
    }
    if (size <= LARGEST_MESSAGE) return;
    parts = [];
    size = 0;
    if (stream === owner.stdout) stream.destroy();
    tooLarge();
  });
}

function startProblem({ command, cwd }: ServerCommand, problem: Error): Error {
  const { code } = problem as NodeJS.ErrnoException;
  if (code === "ENOENT") return new Error(`cannot start "${command}" in ${cwd}: no such program (or folder)`);
  return new Error(`cannot start "${command}": ${problem.message}`, { cause: problem });
}
