import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { ServerDef } from "../../src/config/mcp-server.ts";
import { connect } from "../../src/mcp/client.ts";
import type { ConnectOptions, McpConnection } from "../../src/mcp/connection.ts";
import { connectOptions, npmServer, stdioDef } from "../helpers/mcp.ts";

interface Way {
  readonly name: string;
  def(): ServerDef;
}

const programs: ChildProcess[] = [];
let http = "";
let sse = "";

beforeAll(async () => {
  [http, sse] = await Promise.all([serve("streamableHttp"), serve("sse")]);
});
afterAll(() => {
  for (const program of programs) program.kill("SIGKILL");
});

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const WAYS: readonly Way[] = [
  { name: "stdio", def: () => stdioDef("everything", [npmServer("everything")]) },
  { name: "streamable HTTP", def: () => stdioDef("everything", [], { transport: "http", url: `${http}/mcp` }) },
  { name: "SSE", def: () => stdioDef("everything", [], { transport: "sse", url: `${sse}/sse` }) },
  { name: "SSE, configured as http", def: () => stdioDef("everything", [], { transport: "http", url: `${sse}/sse` }) },
];

describe.each(WAYS)("server-everything over $name", ({ def }) => {
  test("its tools are listed and called", async () => {
    const { connection } = await open(def());
    const names = connection.tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["echo", "get-sum", "get-tiny-image", "get-structured-content"]));
    expect(connection.instructions).toContain("server");
    const schema = connection.tools.find(({ name }) => name === "echo")!.inputSchema;
    expect(schema).toMatchObject({ type: "object", properties: { message: { type: "string" } } });
    expect(await call(connection, "echo", { message: "hello" })).toEqual({
      failed: false,
      output: { text: "Echo: hello" },
    });
  });

  test("images, resources and structured content come through", async () => {
    const { connection } = await open(def());
    const image = await call(connection, "get-tiny-image", {});
    expect(image.output.images).toMatchObject([{ type: "image", mediaType: "image/png" }]);
    const structured = await call(connection, "get-structured-content", { location: "New York" });
    expect(JSON.parse(structured.output.text)).toMatchObject({ temperature: expect.any(Number) });
    const reference = await call(connection, "get-resource-reference", { resourceType: "Text", resourceId: 1 });
    expect(reference.output.text).toContain("[resource ");
  });

  test("wrong arguments are a failed call, not a broken connection", async () => {
    const { connection } = await open(def());
    expect((await call(connection, "get-sum", { a: "x" })).failed).toBe(true);
    expect((await call(connection, "get-sum", { a: 2, b: 3 })).output.text).toContain("5");
  });

  test("a call tells its progress, and ends at once when it is cancelled", async () => {
    const { connection } = await open(def());
    const lines: string[] = [];
    const stop = new AbortController();
    const running = connection.call(
      "trigger-long-running-operation",
      { duration: 30, steps: 60 },
      {
        signal: stop.signal,
        timeout: 10_000,
        onProgress(line) {
          lines.push(line);
          stop.abort();
        },
      },
    );
    await expect(running).rejects.toThrow();
    expect(lines[0]).toMatch(/^1\/60/);
    expect((await call(connection, "echo", { message: "still there" })).failed).toBe(false);
  });

  test("it asks the person through elicitation, and is refused sampling", async () => {
    const asked: string[] = [];
    const { connection } = await open(def(), {
      elicit: async (server, params) => {
        asked.push(`${server}: ${params.message}`);
        return { action: "decline" };
      },
    });
    const names = connection.tools.map(({ name }) => name);
    expect(names).toContain("trigger-elicitation-request");
    expect(names).not.toContain("trigger-sampling-request");
    const answer = await call(connection, "trigger-elicitation-request", {});
    expect(asked).toEqual([expect.stringMatching(/^everything: /)]);
    expect(answer.output.text).toContain("declined");
  });

  test("it is told the workspace as its root", async () => {
    const { connection } = await open(def());
    expect((await call(connection, "get-roots-list", {})).output.text).toContain(`file://${process.cwd()}`);
  });
});

test("a server in this process is reached over a linked pair", async () => {
  const server = new McpServer({ name: "ours", version: "1" });
  server.registerTool("add", { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  const [inMemory, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const { connection, told } = await open(stdioDef("ours", [], { transport: "in-memory" }), { inMemory });
  expect((await call(connection, "add", { a: 1, b: 2 })).output.text).toBe("3");
  server.registerTool("new", {}, () => ({ content: [] }));
  server.sendToolListChanged();
  await expect.poll(() => told).toContain("tools: 2");
});

test("server-filesystem works in the folder we answer as root", async () => {
  const { connection } = await open(stdioDef("filesystem", [npmServer("filesystem")]), { cwd: import.meta.dirname });
  const listed = await call(connection, "list_directory", { path: import.meta.dirname });
  expect(listed.output.text).toContain("mcp-client.test.ts");
  expect((await call(connection, "list_directory", { path: "/etc" })).failed).toBe(true);
});

test("server-memory keeps what it is told", async () => {
  const { connection } = await open(
    stdioDef("memory", [npmServer("memory")], { env: { MEMORY_FILE_PATH: `/tmp/aura-memory-${process.pid}.json` } }),
  );
  await call(connection, "create_entities", {
    entities: [{ name: "aura", entityType: "tool", observations: ["is tested"] }],
  });
  expect((await call(connection, "read_graph", {})).output.text).toContain("is tested");
  await call(connection, "delete_entities", { entityNames: ["aura"] });
});

async function open(def: ServerDef, more: Partial<ConnectOptions> = {}) {
  const { options, told, close } = connectOptions(def, more);
  const outcome = await connect(options);
  if (outcome.kind !== "connected") throw new Error(JSON.stringify(outcome));
  opened.push({ close }, outcome.connection);
  return { connection: outcome.connection, told };
}

function call(connection: McpConnection, tool: string, input: Record<string, unknown>) {
  return connection.call(tool, input, {
    signal: new AbortController().signal,
    timeout: 10_000,
    onProgress: () => undefined,
  });
}

/** Starts server-everything with a transport on a free port. Returns its address. */
async function serve(transport: "streamableHttp" | "sse"): Promise<string> {
  const port = await freePort();
  const program = spawn(process.execPath, [npmServer("everything"), transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  programs.push(program);
  await new Promise<void>((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk;
      if (/port|listening/i.test(said)) resolve();
    };
    program.stdout.on("data", hear);
    program.stderr.on("data", hear);
    program.once("exit", () => reject(new Error(`it ended: ${said}`)));
  });
  return `http://127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
