import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../../../src/mcp/client.ts";
import { openOAuthMemory } from "../../../src/mcp/oauth-memory.ts";
import { signIn } from "../../../src/mcp/sign-in.ts";
import { connectOptions, stdioDef } from "../../helpers/mcp.ts";
import { type SignInServer, startSignInServer } from "../../helpers/sign-in-server.ts";

let dir = "";
let server: SignInServer;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "aura-auth-"));
});
afterEach(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

const memory = () => openOAuthMemory(join(dir, "auth"), "remote", server.url);

async function reach() {
  const { options, close } = connectOptions(stdioDef("remote", [], { transport: "http", url: server.url }), {
    oauth: await memory(),
  });
  const outcome = await connect(options);
  if (outcome.kind === "connected") await outcome.connection.close();
  await close();
  return outcome.kind === "connected" ? outcome.connection.tools.map(({ name }) => name) : outcome.kind;
}

const NEVER = new AbortController().signal;

/** A browser that signs in at once. */
const browse = (url: URL) => {
  void fetch(url);
  return true;
};

test("a server that wants a sign-in says so, without registering anything", async () => {
  server = await startSignInServer();
  expect(await reach()).toBe("needs-auth");
  expect(server.registered).toEqual([]);
});

test("a sign-in in the browser is kept in a file only its owner reads, and used from then on", async () => {
  server = await startSignInServer();
  const said: string[] = [];
  await signIn({ memory: await memory(), how: "auto", signal: NEVER, browse, say: (text) => said.push(text) });
  expect(said).toEqual([expect.stringMatching(/^A page was opened in your browser\. If it was not, open: http/)]);
  expect(server.registered).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)]);
  const [file = ""] = readdirSync(join(dir, "auth"));
  expect(statSync(join(dir, "auth", file)).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, "auth")).mode & 0o777).toBe(0o700);
  expect(await reach()).toEqual(["secret"]);
});

test("a token that ran out is renewed without a person; one that cannot be is told as a needed sign-in", async () => {
  server = await startSignInServer();
  await signIn({ memory: await memory(), how: "auto", signal: NEVER, browse, say: () => undefined });
  server.expire();
  expect(await reach()).toEqual(["secret"]);
  const kept = await memory();
  await kept.save({ tokens: { ...kept.tokens!, access_token: "old", refresh_token: "wrong" } });
  server.expire();
  expect(await reach()).toBe("needs-auth");
});

test("a second sign-in comes back to the port the client is registered with", async () => {
  server = await startSignInServer();
  for (const _ of [1, 2])
    await signIn({ memory: await memory(), how: "auto", signal: NEVER, browse, say: () => undefined });
  expect(server.registered).toHaveLength(1);
});

test.each(["auto", "device"] as const)("where no browser opens, a code is typed in elsewhere (%s)", async (how) => {
  server = await startSignInServer({ device: true });
  const said: string[] = [];
  await signIn({ memory: await memory(), how, signal: NEVER, browse: () => false, say: (text) => said.push(text) });
  expect(said).toEqual([expect.stringMatching(/^To sign in, open http.*\/activate and enter the code ABCD-EFGH$/)]);
  expect(await reach()).toEqual(["secret"]);
});

test("a sign-in nobody finishes ends when it is stopped", async () => {
  server = await startSignInServer();
  const stop = new AbortController();
  const signing = signIn({
    memory: await memory(),
    how: "auto",
    signal: stop.signal,
    say: () => stop.abort(),
    browse: () => true,
  });
  await expect(signing).rejects.toThrow("nobody signed in in time");
});

test("an answer without the state of this sign-in is not taken", async () => {
  server = await startSignInServer();
  const stop = new AbortController();
  const forge = (url: URL) => {
    const back = new URL(url.searchParams.get("redirect_uri")!);
    back.search = "?code=evil&state=guess";
    void fetch(back).then((response) => {
      expect(response.status).toBe(404);
      stop.abort();
    });
    return true;
  };
  const signing = signIn({
    memory: await memory(),
    how: "auto",
    signal: stop.signal,
    say: () => undefined,
    browse: forge,
  });
  await expect(signing).rejects.toThrow("nobody signed in in time");
});

test("a server without device codes says so", async () => {
  server = await startSignInServer();
  const signing = signIn({ memory: await memory(), how: "device", signal: NEVER, say: () => undefined, browse });
  await expect(signing).rejects.toThrow("this server offers no sign-in by device code");
});
