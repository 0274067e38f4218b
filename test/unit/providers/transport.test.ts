import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTransport, SilenceError, type Transport } from "../../../src/providers/transport.ts";

let server: Server;
let url: string;
let handle: (request: IncomingMessage, response: ServerResponse, body: string) => void;
let transport: Transport;
const sockets = new Set<unknown>();

beforeEach(async () => {
  sockets.clear();
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => handle(request, response, body));
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?q=1`;
  transport = createTransport();
});
afterEach(async () => {
  transport.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("A request carries its method, headers and body; the answer its status, headers and text", async () => {
  handle = (request, response, body) => {
    response.writeHead(418, "Teapot", { "x-answer": "yes" });
    response.end(
      `${request.method} ${request.url} ${request.headers["x-ask"]} ${request.headers["content-length"]} ${body}`,
    );
  };
  const response = await transport.fetch(url, { method: "POST", headers: { "x-ask": "1" }, body: "wörld" });
  expect([response.ok, response.status, response.statusText]).toEqual([false, 418, "Teapot"]);
  expect(Object.fromEntries(response.headers)["x-answer"]).toBe("yes");
  expect(await response.text()).toBe("POST /path?q=1 1 6 wörld");
});

test("Half a surrogate pair in a body, which servers refuse, becomes a replacement character", async () => {
  handle = (_, response, body) => response.end(body);
  const body = JSON.stringify({ text: "a\ud83d", pair: "\u{1f600}", spelled: "\\ud83d", both: "\\\udc00" });
  expect(await (await transport.fetch(url, { method: "POST", body })).json()).toEqual({
    text: "a\ufffd",
    pair: "\u{1f600}",
    spelled: "\\ud83d",
    both: "\\\ufffd",
  });
});

test("Requests one after another share a connection", async () => {
  handle = (_, response) => response.end("[1]");
  for (let i = 0; i < 3; i++) expect(await (await transport.fetch(url)).json()).toEqual([1]);
  expect(sockets.size).toBe(1);
});

test("A request on a connection that the server has just closed is sent again on a new one", async () => {
  let asked = 0;
  handle = (request, response) => {
    asked += 1;
    if (asked === 2) request.socket.resetAndDestroy();
    else response.end(String(asked));
  };
  expect(await (await transport.fetch(url)).text()).toBe("1");
  expect(await (await transport.fetch(url, { method: "POST", body: "x" })).text()).toBe("3");
});

test("A new connection that is reset is not tried again", async () => {
  let asked = 0;
  handle = (request) => {
    asked += 1;
    request.socket.resetAndDestroy();
  };
  await expect(transport.fetch(url)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(asked).toBe(1);
});

test("What arrived before a connection broke can still be read", async () => {
  handle = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: one\n\n", () => response.destroy());
  };
  const response = await transport.fetch(url);
  const seen: string[] = [];
  const read = async () => {
    for await (const chunk of response.body!) seen.push(Buffer.from(chunk).toString());
  };
  await expect(read()).rejects.toThrow();
  expect(seen.join("")).toBe("data: one\n\n");
});

test("Silence longer than the limit breaks a request and a body", async () => {
  const impatient = transport.withTimeout(30);
  handle = () => undefined;
  await expect(impatient.fetch(url)).rejects.toBeInstanceOf(SilenceError);
  handle = (_, response) => response.write("begun");
  const response = await impatient.fetch(url);
  await expect(response.text()).rejects.toBeInstanceOf(SilenceError);
});

test("A body that was compressed unasked is read all the same", async () => {
  handle = (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end(gzipSync("plain"));
  };
  expect(await (await transport.fetch(url)).text()).toBe("plain");
});

test("HTTP_PROXY and NO_PROXY are honoured", async () => {
  handle = (request, response) => response.end(`proxied ${request.url}`);
  const proxy = url.replace("/path?q=1", "");
  const through = createTransport({ env: { HTTP_PROXY: proxy } });
  expect(await (await through.fetch("http://model.invalid/x")).text()).toBe("proxied http://model.invalid/x");
  through.close();
  const around = createTransport({ env: { HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "127.0.0.1" } });
  expect(await (await around.fetch(url)).text()).toBe("proxied /path?q=1");
  around.close();
});

test("An aborted request rejects as AbortError, before and while the body runs", async () => {
  handle = (_, response) => response.write("begun");
  await expect(transport.fetch(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  const controller = new AbortController();
  const response = await transport.fetch(url, { signal: controller.signal });
  controller.abort();
  await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
});
