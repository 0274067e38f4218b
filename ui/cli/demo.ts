import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenOptions, openConversation } from "../../src/index.ts";
import { createHeadless } from "../headless/headless.ts";
import { createTextWriter } from "../headless/writers.ts";
import { chooseManner, isOnTerminal } from "./choose-manner.ts";
import { ExpectedStop } from "./expected-stop.ts";
import type { RootValues } from "./root-options.ts";
import type { ProcessEdge } from "./run-headless.ts";

/** `aura demo`: a scripted model in a scratch copy of a sample project. Only its words are scripted. */
export async function runDemo(options: OpenOptions, edge: ProcessEdge, root: RootValues): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), "aura-demo-"));
  try {
    cpSync(join(options.shipped, "demo", "project"), scratch, { recursive: true });
    const prompt = readFileSync(join(options.shipped, "demo", "prompt.txt"), "utf8").trim();
    return await play(
      prompt,
      {
        ...options,
        cwd: scratch,
        home: "",
        config: [],
        script: join(options.shipped, "demo", "script.yaml"),
        // The pauses are there for somebody who watches.
        instant: !isOnTerminal(),
        ...(isOnTerminal() && { canAsk: true }),
      },
      edge,
      root,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function play(
  prompt: string,
  options: OpenOptions,
  { out, signals }: ProcessEdge,
  root: RootValues,
): Promise<number> {
  const manner = chooseManner(root, options.env, isOnTerminal());
  const opened = await openConversation(options);
  if (opened.kind === "refused") throw new ExpectedStop(opened.problem, 1);
  const { conversation } = opened;
  try {
    if (manner !== undefined) {
      const { playSimple } = await import("./run-simple.ts");
      const start = { welcome: INTRODUCTION, firstPrompt: prompt };
      return await playSimple(manner, conversation, options, { out, signals }, start);
    }
    if (isOnTerminal()) {
      signals.release();
      const { createTui } = await import("../tui/tui.tsx");
      const { screenPlace } = await import("./run-screen.ts");
      const tui = createTui({
        stdin: process.stdin,
        stdout: process.stdout,
        env: options.env,
        welcome: () => INTRODUCTION,
        ...screenPlace(root),
      });
      const running = tui.run(conversation);
      conversation.send({ type: "prompt", text: prompt });
      return (await running).exitCode;
    }
    for (const line of [
      ...INTRODUCTION,
      "Without a terminal the approvals answer themselves: each is allowed once.",
      "",
      `You: ${prompt}`,
    ])
      out.data(`${line}\n`);
    const writer = createTextWriter({ data: out.data, talk: out.data }, { live: true, verbose: false, diffs: true });
    const frontEnd = createHeadless({ prompts: [prompt], approve: "all", writer, stop: signals.stop });
    return signals.exitCode ?? (await frontEnd.run(conversation)).exitCode;
  } finally {
    await conversation.close();
  }
}

const INTRODUCTION = [
  "Aura demo: the model's words come from a script; every read, search, change, approval and test run is real,",
  "in a scratch copy of a small project that is deleted afterwards.",
];
