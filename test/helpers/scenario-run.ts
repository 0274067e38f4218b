// Plays a scenario: the real engine, real files and processes in a throwaway folder; only the model is a script.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Conversation, type OpenOptions, openConversation } from "../../src/index.ts";
import type { Event, EventOf } from "../../src/protocol/event.ts";
import { textOf } from "../../src/protocol/message.ts";
import type { Answer, Request } from "../../src/protocol/request.ts";
import { SETTLED, type ToolCall } from "../../src/protocol/tool-call.ts";
import { readSession } from "../../src/sessions/read-session.ts";
import { resultText } from "../../src/toolkit/result-text.ts";
import { isRunning } from "./processes.ts";
import { type CommandStep, type PromptStep, readScenario, type Scenario, type ScenarioAnswer } from "./scenario.ts";
import { createStage, type Stage } from "./scenario-project.ts";
import { expectInOrder, expectText, fits } from "./scenario-text.ts";

/** Longer than any scenario takes on a busy machine; what hangs is told with what happened so far. */
const PATIENCE_MS = 15_000;

export async function runScenario(folder: string): Promise<void> {
  const stage = createStage("aura-scenario-");
  let played: Played | undefined;
  try {
    const scenario = readScenario(folder, stage);
    stage.put(scenario.project);
    stage.put(scenario.home, stage.home);
    played = await Played.open(stage, scenario, scenario.options, scenario.script);
    for (const [at, step] of scenario.steps.entries()) {
      const where = `step ${at + 1}`;
      if ("prompt" in step) await played.prompt(step, where);
      else if ("command" in step) await played.command(step, where);
      else if ("write" in step) change(stage, step.write);
      else {
        await played.close();
        const { options, script = scenario.script } = step.restart;
        played = await Played.open(stage, scenario, options, script);
      }
    }
    const id = played.id;
    await played.close();
    await expectAfterwards(stage, scenario, id);
  } finally {
    await played?.close();
    stage.remove();
  }
}

async function expectAfterwards(stage: Stage, scenario: Scenario, sessionId: string): Promise<void> {
  const files = stage.files();
  const { files: changed } = scenario;
  expect(Object.keys(files), "the files of the project").toEqual(
    [...new Set([...Object.keys(scenario.project), ...Object.keys(changed)])]
      .filter((path) => changed[path] !== null)
      .sort(),
  );
  for (const [path, text] of Object.entries(files))
    expectText(text, changed[path] ?? scenario.project[path] ?? "", path);
  for (const [path, text] of Object.entries(scenario.homeFiles))
    expectText(readFileSync(join(stage.home, path), "utf8"), text, `~/${path}`);
  for (const path of scenario.gone) {
    const pids = files[path]?.trim().split(/\s+/).map(Number) ?? [];
    expect(pids.length, path).toBeGreaterThan(0);
    for (const pid of pids) expect(isRunning(pid), `process ${pid} of ${path}`).toBe(false);
  }
  if (!scenario.session && !scenario.log) return;
  const file = sessionFile(stage, sessionId);
  if (scenario.session) {
    const saved = await readSession(file);
    expect(
      fits(saved, scenario.session),
      `${JSON.stringify(saved, null, 1)}\nshould hold ${JSON.stringify(scenario.session)}`,
    ).toBe(true);
  }
  if (scenario.log) {
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expectInOrder(
      lines.map((line) => JSON.parse(line)),
      scenario.log,
      "the log",
    );
  }
}

/** Where the log of a session is: in the home that is written to. */
export function sessionFile(stage: Pick<Stage, "project" | "home">, id: string): string {
  const dirs = [join(stage.project, ".aura"), join(stage.home, ".aura"), join(stage.home, ".local/state/aura")];
  const file = dirs.map((dir) => join(dir, "sessions", `${id}.jsonl`)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`no log of session ${id} in ${dirs.join(", ")}`);
  return file;
}

function change(stage: Stage, files: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(files))
    if (text === null) rmSync(join(stage.project, path), { recursive: true });
    else stage.put({ [path]: text });
}

/** One life of the program. */
class Played {
  readonly #stage: Stage;
  readonly #conversation: Conversation;
  readonly #events: AsyncIterator<Event>;
  /** The whole text of shortened output, read while it is there. */
  readonly #saved = new Map<string, string>();
  #closed = false;

  private constructor(stage: Stage, conversation: Conversation) {
    this.#stage = stage;
    this.#conversation = conversation;
    this.#events = conversation.events()[Symbol.asyncIterator]();
  }

  static async open(stage: Stage, scenario: Scenario, options: object, script: unknown): Promise<Played> {
    const file = join(stage.root, "script.json");
    writeFileSync(file, JSON.stringify(script));
    const given: OpenOptions = {
      cwd: stage.project,
      env: { PATH: process.env["PATH"], HOME: stage.home, ...scenario.env },
      shipped: stage.root,
      script: file,
      trust: true,
      ...options,
    };
    const opened = await openConversation(given);
    if (opened.kind === "refused") throw new Error(`the conversation did not open: ${opened.problem}`);
    return new Played(stage, opened.conversation);
  }

  get id(): string {
    return this.#conversation.id;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#conversation.close();
  }

  async prompt(step: PromptStep, where: string): Promise<void> {
    let turns = 0;
    this.#conversation.send({ type: "prompt", text: step.prompt });
    const events = await this.#play(step, where, (event) => {
      if (event.type === "turn-finished") turns++;
      return turns === step.turns && event.type === "status-changed" && !event.status.busy;
    });
    const { expect: wanted } = step;
    const end = events.findLast((event) => event.type === "turn-finished")!;
    expect([end.reason, ...(wanted.reason === end.reason ? [] : [end.error])], where).toEqual([wanted.reason]);
    if (wanted.error !== undefined) expectText(end.error, wanted.error, `${where}, error`);
    if (wanted.answer !== undefined) expectText(answerIn(events), wanted.answer, `${where}, answer`);
    const calls = callsIn(events);
    if (wanted.calls) this.#expectCalls(calls, wanted.calls, where);
    for (const [number, text] of Object.entries(wanted.saved ?? {}))
      expectText(
        this.#saved.get(calls[Number(number) - 1]?.id ?? ""),
        text,
        `${where}, saved output of call ${number}`,
      );
    expectTold(events, wanted, where);
  }

  async command(step: CommandStep, where: string): Promise<void> {
    this.#conversation.send({ type: "command", line: step.command });
    const events = await this.#play({ ...step, during: [] }, where, (event) => event.type === "command-finished");
    const { expect: wanted } = step;
    const end = events.at(-1) as EventOf<"command-finished">;
    expect([end.failed, ...(end.failed === wanted.failed ? [] : [end.text])], where).toEqual([wanted.failed]);
    if (wanted.text !== undefined) expectText(end.text, wanted.text, `${where}, ${step.command}`);
    if (wanted.data !== undefined) expect(fits(end.data, wanted.data), JSON.stringify(end.data)).toBe(true);
    expectTold(events, wanted, where);
  }

  /** Takes events until `isOver`, answers what is asked and does what is to be done meanwhile. */
  async #play(
    step: Pick<PromptStep, "answers" | "during">,
    where: string,
    isOver: (event: Event) => boolean,
  ): Promise<Event[]> {
    const events: Event[] = [];
    const answers = [...step.answers];
    const during = [...step.during];
    for (;;) {
      const event = await this.#next(events, where);
      events.push(event);
      if (event.type === "call-changed") this.#keepOutput(event.call);
      for (const action of during.filter(({ when }) => fits(event, when))) {
        during.splice(during.indexOf(action), 1);
        if (action.cancel) this.#conversation.send({ type: "cancel" });
        if (action.prompt !== undefined) this.#conversation.send({ type: "prompt", text: action.prompt });
        if (action.command !== undefined) this.#conversation.send({ type: "command", line: action.command });
        if (action["drop-queued"]) this.#conversation.send({ type: "drop-queued" });
        if (action.write) change(this.#stage, action.write);
      }
      if (event.type === "request-opened" && !isWaitedFor(event, step.during)) {
        const answer = answers.shift();
        if (answer === undefined)
          throw new Error(`${where}: nobody expected to be asked ${JSON.stringify(event.request)}`);
        const { id } = event.request;
        this.#conversation.send({ type: "answer", requestId: id, answer: answerTo(event.request, answer) });
      }
      if (isOver(event)) break;
    }
    expect({ answers, during }, `${where}: what was not used`).toEqual({ answers: [], during: [] });
    return events;
  }

  async #next(before: readonly Event[], where: string): Promise<Event> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const told = before.map((event) => JSON.stringify(event)).join("\n");
        reject(new Error(`${where}: nothing happened for ${PATIENCE_MS} ms after\n${told}`));
      }, PATIENCE_MS);
    });
    const next = await Promise.race([this.#events.next(), late]).finally(() => clearTimeout(timer));
    if (next.done) throw new Error(`${where}: the conversation closed`);
    return next.value;
  }

  #keepOutput(call: ToolCall): void {
    if (call.status === "done" && call.output.fullTextFile !== undefined)
      this.#saved.set(call.id, readFileSync(call.output.fullTextFile, "utf8"));
  }

  #expectCalls(calls: readonly ToolCall[], wanted: NonNullable<PromptStep["expect"]["calls"]>, where: string): void {
    const told = calls.map((call) => [nameOf(call, calls), call.status, resultText(call).text] as const);
    expect(
      told.map(([tool, status]) => [tool, status]),
      `${where}, calls: ${JSON.stringify(told, null, 1)}`,
    ).toEqual(wanted.map(([tool, status]) => [tool, status]));
    for (const [at, [tool, , ...parts]] of wanted.entries())
      for (const part of parts) {
        const text = typeof part === "string" ? { has: [part] } : "is" in part ? part.is : part;
        expectText(told[at]![2], text, `${where}, result of call ${at + 1}, ${tool}`);
      }
  }
}

const answerIn = (events: readonly Event[]) => {
  const reply = events.findLast((event) => event.type === "reply-finished");
  return reply && textOf(reply.message);
};

/** The last state of each call, in the order they were made. */
function callsIn(events: readonly Event[]): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const event of events) if (event.type === "call-changed") calls.set(event.call.id, event.call);
  for (const call of calls.values())
    expect(SETTLED.has(call.status), `${call.id} of ${call.tool} is settled`).toBe(true);
  return [...calls.values()];
}

function nameOf(call: ToolCall, calls: readonly ToolCall[]): string {
  const parent = calls.find(({ id }) => id === call.parentId);
  return parent ? `${parent.tool}/${call.tool}` : call.tool;
}

function expectTold(
  events: readonly Event[],
  wanted: Pick<PromptStep["expect"], "requests" | "events" | "notices">,
  where: string,
): void {
  const requests = events.flatMap((event) => (event.type === "request-opened" ? [event.request] : []));
  if (wanted.requests) {
    expect(requests.length, `${where}, requests: ${JSON.stringify(requests, null, 1)}`).toBe(wanted.requests.length);
    for (const [at, pattern] of wanted.requests.entries())
      expect(fits(requests[at], pattern), `${where}: ${JSON.stringify(requests[at], null, 1)}`).toBe(true);
  }
  if (wanted.events) expectInOrder(events, wanted.events, `${where}, events`);
  if (wanted.notices) {
    const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
    expect(notices.length, `${where}, notices: ${JSON.stringify(notices)}`).toBe(wanted.notices.length);
    for (const [at, text] of wanted.notices.entries()) expectText(notices[at], text, `${where}, notice ${at + 1}`);
  }
}

/** A scenario that does something at a request leaves it open. */
const isWaitedFor = (event: Event, during: PromptStep["during"]) => during.some(({ when }) => fits(event, when));

function answerTo(request: Request, answer: ScenarioAnswer): Answer {
  if (typeof answer === "string")
    return answer === "deny"
      ? { kind: "approval", value: { allow: false } }
      : { kind: "approval", value: { allow: true, scope: answer } };
  if ("allow" in answer)
    return { kind: "approval", value: { allow: true, scope: answer.allow, pattern: answer.pattern } };
  if ("deny" in answer) return { kind: "approval", value: { allow: false, feedback: answer.deny } };
  if ("pick" in answer) return { kind: "pick", value: answer.pick };
  if ("edit" in answer) return { kind: "edit", value: answer.edit };
  if ("approve" in answer) return { kind: "review", value: { approved: answer.approve } };
  if ("say" in answer) return { kind: "question", value: answer.say && [answer.say] };
  throw new Error(`no answer to a ${request.kind}`);
}
