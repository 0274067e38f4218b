// A provider that plays a file: for tests, demonstrations and reports of bugs.

import { type Part, textOf } from "../protocol/message.ts";
import type { FailureKind, ModelRequest, Provider, ProviderFailure, StreamPart } from "./provider.ts";
import { sleep } from "./retry.ts";
import type { Script, ScriptTurn } from "./script-file.ts";

/**
 * One turn of `script` per request. Its place is kept in the returned provider; call ids are `call_<turn>_<n>`, both
 * from 1. A failed `expect` and a script that has ended are endings of kind `script` that name the turn.
 */
export function openScripted(name: string, script: Script): Provider {
  let asked = 0;
  return {
    name,
    models: async () => [{ ...script.model, capabilities: ["tools", "thinking"] }],
    async *stream(request) {
      if (request.signal.aborted) return yield cancelled();
      asked += 1;
      const { turns, loop = false } = script;
      const turn = turns[loop && turns.length > 0 ? (asked - 1) % turns.length : asked - 1];
      if (turn === undefined) {
        return yield failed(`The script has ended: request ${asked} was made, but it has ${turns.length} turns.`);
      }
      const missing = unmet(turn, request);
      if (missing !== undefined) return yield failed(`Turn ${asked} of the script expected ${missing}.`);
      yield* play(turn, asked, request);
    },
  };
}

async function* play(turn: ScriptTurn, number: number, request: ModelRequest): AsyncGenerator<StreamPart> {
  const { signal } = request;
  const pause = () => (turn.delay_ms === undefined ? Promise.resolve() : sleep(turn.delay_ms, signal));
  for (const kind of ["thinking", "text"] as const) {
    const text = turn[kind];
    if (text === undefined) continue;
    for (const delta of cut(text, turn.chunk)) {
      await pause();
      if (signal.aborted) return yield cancelled();
      yield { type: kind, delta };
    }
    const provider = kind === "thinking" ? { provider: { scripted: {} } } : {};
    yield { type: "part", part: { type: kind, text, ...provider } };
  }
  if (turn.error !== undefined) {
    await pause();
    return yield signal.aborted ? cancelled() : { type: "failed", failure: scriptedFailure(turn.error) };
  }
  for (const [i, { tool, input = {} }] of (turn.calls ?? []).entries()) {
    const callId = `call_${number}_${i + 1}`;
    await pause();
    if (signal.aborted) return yield cancelled();
    yield { type: "call-started", callId, tool };
    for (const delta of cut(typeof input === "string" ? input : JSON.stringify(input), turn.chunk)) {
      await pause();
      if (signal.aborted) return yield cancelled();
      yield { type: "call-grew", callId, delta };
    }
    yield { type: "part", part: { type: "tool-call", callId, tool, ...readInput(input) } };
  }
  const usage = turn.usage ?? estimate(turn, request);
  yield { type: "finished", reason: turn.calls?.length ? "calls" : "stop", usage };
}

/** A string plays a model that wrote the input itself, broken or not. */
function readInput(input: unknown): { input: unknown; malformed?: string } {
  if (typeof input !== "string") return { input };
  try {
    return { input: JSON.parse(input) };
  } catch (error) {
    return { input, malformed: error instanceof Error ? error.message : String(error) };
  }
}

/** What `expect` misses, worded. */
function unmet({ expect }: ScriptTurn, request: ModelRequest): string | undefined {
  const offered = new Set(request.tools.map((tool) => tool.name));
  const tool = expect?.tools?.find((name) => !offered.has(name));
  if (tool !== undefined) return `the tool "${tool}" to be offered`;
  const extra = expect?.hides?.find((name) => offered.has(name));
  if (extra !== undefined) return `the tool "${extra}" not to be offered`;
  const said = [request.system, ...request.messages.flatMap(({ parts }) => parts.map(wordsOf))];
  const isSaid = (text: string) => said.some((words) => words.includes(text));
  const missing = expect?.contains?.find((text) => !isSaid(text));
  if (missing !== undefined) return `the request to contain ${JSON.stringify(missing)}`;
  const unwanted = expect?.lacks?.find(isSaid);
  return unwanted === undefined ? undefined : `the request not to contain ${JSON.stringify(unwanted)}`;
}

function wordsOf(part: Part): string {
  if (part.type === "tool-call") return `${part.tool} ${JSON.stringify(part.input)}`;
  return part.type === "image" ? "" : part.text;
}

function cut(text: string, size = text.length): string[] {
  const out: string[] = [];
  const characters = size >= text.length ? [text] : [...text];
  for (let i = 0; i < characters.length; i += Math.max(1, size))
    out.push(characters.slice(i, i + Math.max(1, size)).join(""));
  return out.filter((piece) => piece !== "");
}

/** Four characters a token, as good as any when no server counts. */
function estimate(turn: ScriptTurn, request: ModelRequest): { input: number; output: number } {
  const asked = request.system.length + request.messages.reduce((sum, message) => sum + textOf(message).length, 0);
  const said = (turn.text ?? "").length + (turn.thinking ?? "").length + JSON.stringify(turn.calls ?? []).length - 2;
  return { input: Math.ceil(asked / 4), output: Math.ceil(said / 4) };
}

const RETRYABLE: ReadonlySet<string> = new Set(["rate_limit", "network", "server", "timeout"]);

function scriptedFailure({ kind, message, retry_after_ms }: NonNullable<ScriptTurn["error"]>): ProviderFailure {
  return {
    kind: kind as FailureKind,
    message,
    retryable: RETRYABLE.has(kind),
    ...(retry_after_ms === undefined ? {} : { retryAfterMs: retry_after_ms }),
  };
}

function failed(message: string): StreamPart {
  return { type: "failed", failure: { kind: "script", message, retryable: false } };
}

function cancelled(): StreamPart {
  return { type: "failed", failure: { kind: "cancelled", message: "Cancelled.", retryable: false } };
}
