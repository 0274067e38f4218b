// Which SSE payloads say nothing but "the text goes on", in the four wire formats we read.

export interface Delta {
  /** Equal keys continue one text. */
  readonly key: string;
  readonly text: string;
  /** The same payload with another text; later fields (usage so far, sequence numbers) are this payload's. */
  withText(text: string): string;
}

type Json = Record<string, unknown>;

/** `payload` as a pure continuation of a text, or undefined when it says anything else too. */
export function readDelta(payload: string): Delta | undefined {
  let event: unknown;
  try {
    event = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (!isObject(event)) return undefined;
  const found = Array.isArray(event["choices"])
    ? inChat(event)
    : Array.isArray(event["candidates"])
      ? inGemini(event)
      : typeof event["type"] === "string"
        ? (inAnthropic(event) ?? inResponses(event))
        : undefined;
  if (found === undefined) return undefined;
  const { holder, field, key } = found;
  const text = holder[field];
  if (typeof text !== "string") return undefined;
  return {
    key,
    text,
    withText: (joined) => {
      holder[field] = joined;
      return JSON.stringify(event);
    },
  };
}

interface Found {
  readonly holder: Json;
  readonly field: string;
  readonly key: string;
}

function inChat(event: Json): Found | undefined {
  const choices = event["choices"] as unknown[];
  const choice = choices[0];
  if (choices.length !== 1 || !isObject(choice) || !isObject(choice["delta"])) return undefined;
  if (!blankBut(choice, ["index", "delta"]) || event["error"] != null) return undefined;
  const delta = choice["delta"];
  const place = `chat ${event["id"]} ${choice["index"]}`;
  for (const field of ["content", "reasoning_content", "reasoning"]) {
    if (typeof delta[field] === "string" && delta[field] !== "") {
      return blankBut(delta, ["role", field]) ? { holder: delta, field, key: `${place} ${field}` } : undefined;
    }
  }
  const calls = delta["tool_calls"];
  if (!Array.isArray(calls) || calls.length !== 1 || !blankBut(delta, ["role", "tool_calls"])) return undefined;
  const call: unknown = calls[0];
  if (!isObject(call) || !isObject(call["function"]) || typeof call["index"] !== "number") return undefined;
  // The first piece carries id and name and must stay alone.
  if (!blankBut(call, ["index", "type", "function"]) || !blankBut(call["function"], ["arguments"])) return undefined;
  return { holder: call["function"], field: "arguments", key: `${place} call ${call["index"]}` };
}

const ANTHROPIC_DELTAS: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  input_json_delta: "partial_json",
};

function inAnthropic(event: Json): Found | undefined {
  if (event["type"] !== "content_block_delta" || !isObject(event["delta"])) return undefined;
  const delta = event["delta"];
  const field = ANTHROPIC_DELTAS[String(delta["type"])];
  if (field === undefined || !blankBut(event, ["type", "index", "delta"]) || !blankBut(delta, ["type", field])) {
    return undefined;
  }
  return { holder: delta, field, key: `anthropic ${event["index"]} ${field}` };
}

const RESPONSES_DELTAS: ReadonlySet<unknown> = new Set([
  "response.output_text.delta",
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
  "response.function_call_arguments.delta",
]);
const RESPONSES_PLACE = ["type", "item_id", "output_index", "content_index", "summary_index"];

function inResponses(event: Json): Found | undefined {
  if (!RESPONSES_DELTAS.has(event["type"])) return undefined;
  // `obfuscation` is padding against guessing texts by their length.
  if (!blankBut(event, [...RESPONSES_PLACE, "delta", "sequence_number", "obfuscation"])) return undefined;
  return { holder: event, field: "delta", key: RESPONSES_PLACE.map((field) => String(event[field])).join(" ") };
}

function inGemini(event: Json): Found | undefined {
  const candidates = event["candidates"] as unknown[];
  const candidate = candidates[0];
  if (candidates.length !== 1 || !isObject(candidate) || !isObject(candidate["content"])) return undefined;
  if (!blankBut(candidate, ["content", "index"]) || !blankBut(event, GEMINI_FIELDS)) return undefined;
  const parts = candidate["content"]["parts"];
  if (!blankBut(candidate["content"], ["role", "parts"]) || !Array.isArray(parts) || parts.length !== 1)
    return undefined;
  const part: unknown = parts[0];
  if (!isObject(part) || typeof part["text"] !== "string" || part["text"] === "") return undefined;
  if (!blankBut(part, ["text", "thought"])) return undefined;
  return { holder: part, field: "text", key: `gemini ${candidate["index"]} ${part["thought"] === true}` };
}
const GEMINI_FIELDS = ["candidates", "usageMetadata", "modelVersion", "responseId", "createTime"];

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Nothing is said in any field but `fields`. */
function blankBut(object: Json, fields: readonly string[]): boolean {
  for (const key in object) {
    const value = object[key];
    if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) continue;
    if (!fields.includes(key)) return false;
  }
  return true;
}
