import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../helpers/model-server/model-server.ts";
import { createMachine, type Machine } from "./aura.ts";

const KEY = "sk-proj-0123456789abcdefghij";

let machine: Machine;
let server: ModelServer;
beforeEach(async () => {
  machine = createMachine();
  server = await startModelServer();
});
afterEach(async () => {
  await server.close();
  machine.remove();
});

/** Every byte that was written anywhere on the throwaway machine. */
function everything(): string {
  return readdirSync(machine.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

test.each(["the environment", "an environment file"])(
  "the key of a provider, from %s, is sent to it and goes nowhere else",
  async (from) => {
    const inFile = from === "an environment file";
    if (inFile) machine.put({ "keys.env": `OPENAI_API_KEY=${KEY}\n` }, machine.home);
    server.play(
      { calls: [{ id: "c1", name: "Bash", json: JSON.stringify({ command: "env; echo $OPENAI_API_KEY" }) }] },
      { text: [`Your key is ${KEY.slice(0, 7)}`] },
    );
    const flags = inFile ? ["--env-file", "../home/keys.env"] : [];
    const args = ["--debug", ...flags, "run", "--output-format", "stream-json", "show me the key"];
    const { code, stdout, stderr } = await machine.run(args, {
      env: { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODEL: "m", ...(!inFile && { OPENAI_API_KEY: KEY }) },
    });
    expect(code).toBe(0);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.requests[1]?.raw).toContain("PATH=");
    expect(server.requests[1]?.raw).not.toContain(KEY);
    expect(stdout + stderr).not.toContain(KEY);
    expect(everything().replace(`OPENAI_API_KEY=${KEY}`, "")).not.toContain(KEY);
  },
);

test("a key the server repeats in its refusal is masked", async () => {
  server.play({ status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } });
  const { code, stdout, stderr } = await machine.run(["--debug", "run", "hi"], {
    env: { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODEL: "m", OPENAI_API_KEY: KEY },
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/key/i);
  expect(stderr).not.toContain(KEY);
  expect(everything()).not.toContain(KEY);
});

test("commands do not see what an environment file holds, and one that came with the project steers nothing", async () => {
  machine.put({
    "secrets.env":
      "DB_PASSWORD=hunter2\nLD_LIBRARY_PATH=/theirs\nXDG_STATE_HOME=/theirs\nOPENAI_BASE_URL=http://127.0.0.1:9\n",
  });
  server.play({ calls: [{ id: "c1", name: "Bash", json: JSON.stringify({ command: "env" }) }] }, { text: ["done"] });
  machine.put(
    { "keys.env": `OPENAI_BASE_URL=${server.url}/v1\nOPENAI_MODEL=m\nOPENAI_API_KEY=${KEY}\n` },
    machine.home,
  );
  const flags = ["--env-file", "secrets.env", "--env-file", "../home/keys.env"];
  const named = await machine.run([...flags, "run", "look"]);
  expect(named.code).toBe(0);
  expect(server.requests[1]?.raw).toContain("PATH=");
  expect(server.requests[1]?.raw).not.toMatch(/hunter2|theirs/);
  const found = await machine.run(["run", "look"]);
  expect(found.stderr).toContain(
    "aura: secrets.env: left out, as this project is not trusted: DB_PASSWORD, LD_LIBRARY_PATH, OPENAI_BASE_URL, XDG_STATE_HOME (to use them: --env-file secrets.env)\n",
  );
  expect((await machine.run(["--trust", "run", "look"])).stderr).toContain(
    "aura: secrets.env: left out: OPENAI_BASE_URL, XDG_STATE_HOME (to use them: --env-file secrets.env)\n",
  );
});
