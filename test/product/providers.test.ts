// Each provider end to end: bin/aura run against a loopback server that speaks its real protocol.
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { textOf } from "../../src/protocol/message.ts";
import { readSession } from "../../src/sessions/read-session.ts";
import { type ModelServer, startModelServer } from "../helpers/model-server/model-server.ts";
import type { ModelTurn } from "../helpers/model-server/turn.ts";
import { sessionFile } from "../helpers/scenario-run.ts";
import { createMachine, jsonLines, type Machine, type Start } from "./aura.ts";

const WIRES = [
  { type: "anthropic", path: "/anthropic/v1", model: "claude-sonnet-4-5" },
  { type: "openai", path: "/openai/v1", model: "gpt-5.2" },
  { type: "openai-compatible", path: "/v1", model: "m" },
  { type: "openrouter", path: "/openrouter/v1", model: "maker/model" },
  { type: "google", path: "/gemini/v1beta", model: "gemini-2.5-pro" },
  { type: "ollama", path: "/v1", model: "coder:7b" },
] as const;

let machine: Machine;
let server: ModelServer;
beforeEach(async () => {
  machine = createMachine();
  server = await startModelServer();
  machine.put({ "a.txt": "alpha\n" });
});
afterEach(async () => {
  await server.close();
  machine.remove();
});

describe.each(WIRES)("$type", ({ type, path, model }) => {
  beforeEach(() => {
    const retry = "retry: { max_attempts: 2, base_delay: 10ms, max_delay: 20ms }";
    const entry = `{ type: ${type}, url: "${server.url}${path}", token: secret-token-1, ${retry} }`;
    machine.put({ "config/providers/p.yaml": `mine: ${entry}\n` }, join(machine.home, ".aura"));
  });
  const flags = ["--provider", "mine", "--model", model];
  const run = (how?: Start) => machine.run([...flags, "run", "--output-format", "stream-json", "read a.txt"], how);
  const call: ModelTurn = {
    thinking: { pieces: ["Let me ", "look."], sign: "sign-1" },
    text: ["I ", "look."],
    calls: [{ id: "c1", name: "Read", json: '{"path":"a.txt"}' }],
  };

  test("a tool call makes its round, with the model's reasoning given back", async () => {
    server.play(call, { text: ["It says ", "alpha."] });
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      result: "It says alpha.",
      num_turns: 2,
      usage: { input_tokens: 200, output_tokens: 40, cache_read_input_tokens: 80 },
      tool_calls: [{ tool: "Read", status: "done" }],
    });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]!.raw).toContain("1: alpha");
    expect(server.requests[1]!.raw).toMatch(/sign-1|Let me look\./);
  });

  test("a busy server is asked again, and nobody notices", async () => {
    server.play({ status: 429, body: { error: { message: "slow down" } } }, { text: ["Fine."] });
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ result: "Fine.", num_turns: 1 });
    expect(server.requests).toHaveLength(2);
  });

  test("a stream that is cut fails the run, keeps what came, and does not ask again", async () => {
    server.play({ text: ["Half ", "a sen", "tence."], cutAfter: 5 });
    const { code, stdout } = await run();
    expect(code).toBe(1);
    const lines = jsonLines(stdout);
    expect(lines.at(-1)).toMatchObject({ type: "result", is_error: true, error: expect.any(String) });
    expect(server.requests).toHaveLength(1);
    const saved = await readSession(sessionFile(machine, lines[0].session_id));
    const reply = saved.messages.at(-1)!;
    const shown = lines
      .filter(({ type }) => type === "stream_event")
      .map(({ event }) => event.text)
      .join("");
    expect(shown).toMatch(/^Half /);
    expect({ interrupted: reply.interrupted, text: textOf(reply) }).toEqual({ interrupted: true, text: shown });
  });

  test("a page where a stream should be is told as one", async () => {
    server.play({ status: 200, headers: { "content-type": "text/html" }, body: "<html>Log in first</html>" });
    const { code, stdout } = await run();
    expect(code).toBe(1);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ error: expect.stringContaining("text/html where a stream") });
  });

  test("SIGINT in the middle of a stream closes its socket, and --continue goes on", async () => {
    server.play({ text: ["Half ", "a sentence."], hangAfter: 5 });
    const running = machine.start([...flags, "run", "--output-format", "stream-json", "go"]);
    await running.shows("Half ");
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    expect(await server.requests[0]!.leftEarly).toBe(true);
    server.play({ text: ["Whole."] });
    const next = await machine.run([...flags, "--continue", "run", "go on"]);
    expect(next).toMatchObject({ code: 0, stdout: "Whole.\n" });
    expect(server.requests[1]!.raw).toContain("Half ");
  });
});

test("without configuration a key in the environment is enough, and it is said what was chosen", async () => {
  server.play({ text: ["Hello."] });
  const { code, stdout, stderr } = await machine.run(["run", "hi"], {
    env: { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODEL: "tiny" },
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
  expect(stderr).toBe(`aura: Using tiny at ${new URL(server.url).host}, because OPENAI_BASE_URL is set.\n`);
  expect(server.requests[0]!.body.model).toBe("tiny");
});
