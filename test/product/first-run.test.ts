import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPty, type PtyScreen } from "../helpers/pty.ts";
import { AURA, createMachine, type Machine, NODE } from "./aura.ts";

/** Nothing answers here, so that no test reaches the network. */
const NOWHERE = "http://127.0.0.1:9";
const FROM_OUTSIDE = /_API_KEY$|^OPENAI_|^ANTHROPIC_|^AURA_|_PROXY$/i;

let machine: Machine;
let screen: PtyScreen;
beforeEach(async () => {
  machine = createMachine();
  const unset = Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => FROM_OUTSIDE.test(name))
      .map((name) => [name, ""]),
  );
  const env = { ...unset, ...machine.env, HTTPS_PROXY: NOWHERE, HTTP_PROXY: NOWHERE, NO_PROXY: "127.0.0.1" };
  screen = openPty(NODE, [AURA], { columns: 90, rows: 24, cwd: machine.project, env });
  await screen.shows("No model yet. How do you want to start?");
});
afterEach(() => {
  screen.kill("SIGKILL");
  machine.remove();
});

const provider = (name: string) => join(machine.home, ".aura/config/providers", `${name}.yaml`);

test("a pasted key is not shown, is saved for its owner alone, and without a network a model is chosen all the same", async () => {
  await screen.shows("Paste an API key");
  await screen.shows("Use a server");
  await screen.shows("Watch the demo");
  screen.type("\r");
  await screen.shows("Paste the key.");
  screen.type("sk-ant-0123456789-secret");
  await screen.until((grid) => /[*•●]{5,}/.test(grid));
  screen.type("\r");
  await screen.shows("Using anthropic/");
  expect(screen.raw()).not.toContain("0123456789");
  expect(readFileSync(provider("anthropic"), "utf8")).toBe(
    "anthropic:\n  type: anthropic\n  token: sk-ant-0123456789-secret\n",
  );
  expect(statSync(provider("anthropic")).mode & 0o777).toBe(0o600);
  await screen.until((grid) => /aura • claude\S* • think: off • anthropic/.test(grid));
});

test("a server's address that is none is told and asked again, one where nothing answers is not kept", async () => {
  const useServer = async () => {
    screen.type("\x1b[B\r");
    await screen.shows("Its address");
  };
  await useServer();
  screen.type("not an address\r");
  await screen.shows('"not an address" is no http address');
  await screen.until((grid) => grid.includes("How do you want to start?"));
  await useServer();
  screen.type("http://127.0.0.1:9/v1\r");
  await screen.shows("could not be listed");
  await screen.until((grid) => grid.includes("How do you want to start?"));
  expect(statSync(provider("server"), { throwIfNoEntry: false })).toBeUndefined();
});

test("the demo starts from there", async () => {
  screen.type("\x1b[B\x1b[B\r");
  await screen.shows("Aura demo:");
});
