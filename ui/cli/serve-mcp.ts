import { loadServing, type OpenOptions } from "../../src/index.ts";
import { ExpectedStop } from "./expected-stop.ts";
import type { McpServe } from "./mcp-serve.ts";
import type { ProcessEdge } from "./run-headless.ts";

/** Standard output carries the protocol and nothing else; the end of standard input is the end. Returns the exit code. */
export async function serveMcp(
  { server, args }: McpServe,
  options: OpenOptions,
  { out, signals }: ProcessEdge,
): Promise<number> {
  const { openServing } = await loadServing();
  const opened = await openServing(options, server, args);
  if (opened.kind === "refused") throw new ExpectedStop(`mcp serve: ${opened.problem}`, 1);
  const { serving } = opened;
  for (const note of serving.notes) out.talk(`aura: ${note}\n`);
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  const ended = new AbortController();
  for (const event of ["end", "close"]) process.stdin.once(event, () => ended.abort());
  await serving.serve(
    new StdioServerTransport(process.stdin, process.stdout),
    AbortSignal.any([signals.stop, ended.signal]),
  );
  return signals.exitCode ?? 0;
}
