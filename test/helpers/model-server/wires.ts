// The four wire formats as their servers write them: each turn as a list of SSE frames.

import { inPieces, type ModelTurn, type Wire } from "./turn.ts";

const USAGE = { input: 100, cached: 40, output: 20, reasoning: 5 };

export function framesOf(wire: Wire, turn: ModelTurn): string[] {
  return FRAMES[wire](turn);
}

/** An error event in a stream that has already begun. */
export function failureFrame(wire: Wire): string {
  const message = "Overloaded, try again";
  switch (wire) {
    case "anthropic":
      return named({ type: "error", error: { type: "overloaded_error", message } });
    case "responses":
      return named({
        type: "error",
        sequence_number: 9,
        error: { type: "server_error", code: "server_error", message },
      });
    case "gemini":
      return dos({ error: { code: 503, message, status: "UNAVAILABLE" } });
    case "openrouter":
    case "chat":
      return plain({ error: { message, type: "server_error", code: 503 } });
  }
}

const plain = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const dos = (data: unknown) => `data: ${JSON.stringify(data)}\r\n\r\n`;
const named = (data: { type: string; [key: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const FRAMES: Record<Wire, (turn: ModelTurn) => string[]> = {
  anthropic: (turn) => {
    const usage = turn.usage ?? USAGE;
    const out = [
      named({
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: usage.input - usage.cached,
            cache_read_input_tokens: usage.cached,
            cache_creation_input_tokens: 0,
            output_tokens: 1,
          },
        },
      }),
      named({ type: "ping" }),
    ];
    let index = 0;
    const block = (start: object, deltas: object[]) => {
      out.push(named({ type: "content_block_start", index, content_block: start }));
      for (const delta of deltas) out.push(named({ type: "content_block_delta", index, delta }));
      out.push(named({ type: "content_block_stop", index: index++ }));
    };
    if (turn.thinking) {
      block({ type: "thinking", thinking: "", signature: "" }, [
        ...turn.thinking.pieces.map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: turn.thinking.sign },
      ]);
    }
    if (turn.text)
      block(
        { type: "text", text: "" },
        turn.text.map((text) => ({ type: "text_delta", text })),
      );
    for (const { id, name, json } of turn.calls ?? []) {
      const pieces = inPieces(json).map((partial_json) => ({ type: "input_json_delta", partial_json }));
      block({ type: "tool_use", id, name, input: {} }, pieces);
    }
    const stop_reason = turn.calls ? "tool_use" : "end_turn";
    out.push(
      named({
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
    );
    out.push(named({ type: "message_stop" }));
    return out;
  },

  responses: (turn) => {
    const usage = turn.usage ?? USAGE;
    let sequence_number = 0;
    const out: string[] = [];
    const put = (event: { type: string; [key: string]: unknown }) =>
      out.push(named({ ...event, sequence_number: sequence_number++ }));
    const response = { id: "resp_1", object: "response", created_at: 1700000000, model: "m", output: [] as unknown[] };
    put({ type: "response.created", response: { ...response, status: "in_progress" } });
    let output_index = 0;
    if (turn.thinking) {
      const item = {
        type: "reasoning",
        id: "rs_1",
        summary: [] as unknown[],
        encrypted_content: null as string | null,
      };
      put({ type: "response.output_item.added", output_index, item });
      put({
        type: "response.reasoning_summary_part.added",
        item_id: "rs_1",
        output_index,
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      });
      for (const delta of turn.thinking.pieces) {
        put({ type: "response.reasoning_summary_text.delta", item_id: "rs_1", output_index, summary_index: 0, delta });
      }
      const text = turn.thinking.pieces.join("");
      put({
        type: "response.reasoning_summary_part.done",
        item_id: "rs_1",
        output_index,
        summary_index: 0,
        part: { type: "summary_text", text },
      });
      const done = { ...item, summary: [{ type: "summary_text", text }], encrypted_content: turn.thinking.sign };
      put({ type: "response.output_item.done", output_index, item: done });
      output_index++;
    }
    if (turn.text) {
      const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] as unknown[] };
      put({ type: "response.output_item.added", output_index, item });
      for (const delta of turn.text) {
        put({
          type: "response.output_text.delta",
          item_id: "msg_1",
          output_index,
          content_index: 0,
          delta,
          logprobs: [],
        });
      }
      const content = [{ type: "output_text", text: turn.text.join(""), annotations: [] }];
      put({ type: "response.output_item.done", output_index, item: { ...item, status: "completed", content } });
      output_index++;
    }
    for (const { id, name, json } of turn.calls ?? []) {
      const item = { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: "", status: "in_progress" };
      put({ type: "response.output_item.added", output_index, item });
      for (const delta of inPieces(json)) {
        put({ type: "response.function_call_arguments.delta", item_id: item.id, output_index, delta });
      }
      put({ type: "response.function_call_arguments.done", item_id: item.id, output_index, arguments: json });
      put({ type: "response.output_item.done", output_index, item: { ...item, arguments: json, status: "completed" } });
      output_index++;
    }
    put({
      type: "response.completed",
      response: {
        ...response,
        status: "completed",
        usage: {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cached },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: usage.input + usage.output,
        },
      },
    });
    return out;
  },

  chat: (turn) => chatFrames(turn, (piece) => [{ reasoning_content: piece }]),

  openrouter: (turn) =>
    chatFrames(turn, (piece, isLast) => [
      {
        reasoning: piece,
        reasoning_details: [{ type: "reasoning.text", text: piece, format: "anthropic-claude-v1", index: 0 }],
      },
      ...(isLast
        ? [
            {
              reasoning_details: [
                { type: "reasoning.text", signature: turn.thinking?.sign, format: "anthropic-claude-v1", index: 0 },
              ],
            },
          ]
        : []),
    ]),

  gemini: (turn) => {
    const usage = turn.usage ?? USAGE;
    const put = (parts: object[], more: object = {}) =>
      dos({
        candidates: [{ content: { parts, role: "model" }, index: 0, ...more }],
        modelVersion: "m",
        responseId: "r1",
      });
    const out: string[] = [];
    for (const text of turn.thinking?.pieces ?? []) out.push(put([{ text, thought: true }]));
    for (const text of turn.text ?? []) out.push(put([{ text }]));
    for (const [i, { name, json }] of (turn.calls ?? []).entries()) {
      const sign = i === 0 && turn.thinking ? { thoughtSignature: turn.thinking.sign } : {};
      out.push(put([{ functionCall: { name, args: JSON.parse(json) }, ...sign }]));
    }
    out.push(
      dos({
        candidates: [{ content: { parts: [{ text: "" }], role: "model" }, finishReason: "STOP", index: 0 }],
        usageMetadata: {
          promptTokenCount: usage.input,
          cachedContentTokenCount: usage.cached,
          candidatesTokenCount: usage.output - usage.reasoning,
          thoughtsTokenCount: usage.reasoning,
          totalTokenCount: usage.input + usage.output,
        },
      }),
    );
    return out;
  },
};

function chatFrames(turn: ModelTurn, think: (piece: string, isLast: boolean) => object[]): string[] {
  const usage = turn.usage ?? USAGE;
  const base = { id: "chatcmpl_1", object: "chat.completion.chunk", created: 1700000000, model: "m" };
  const put = (delta: object, finish_reason: string | null = null) =>
    plain({ ...base, choices: [{ index: 0, delta, finish_reason }] });
  const out = [put({ role: "assistant", content: "" })];
  const pieces = turn.thinking?.pieces ?? [];
  for (const [i, piece] of pieces.entries())
    out.push(...think(piece, i === pieces.length - 1).map((delta) => put(delta)));
  for (const content of turn.text ?? []) out.push(put({ content }));
  for (const [index, { id, name, json }] of (turn.calls ?? []).entries()) {
    out.push(put({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }));
    for (const piece of inPieces(json)) out.push(put({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  out.push(put({}, turn.calls ? "tool_calls" : "stop"));
  out.push(
    plain({
      ...base,
      choices: [],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached },
        completion_tokens_details: { reasoning_tokens: usage.reasoning },
      },
    }),
  );
  out.push("data: [DONE]\n\n");
  return out;
}
