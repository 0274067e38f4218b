// A model on the loopback that says what it is told to, as chat completions over server-sent events.
import { once } from "node:events";
import { createServer } from "node:http";

/**
 * `play(turns)` sets what the next requests get, in order, and returns the list in which they are noted: when each had
 * arrived whole and when its answer had left (milliseconds since 1970, with fractions), and its size in bytes. A turn is
 * `{ text, pieces? }`, `{ command }`, a call of the shell tool, or `{ calls: [{ tool, input }] }`.
 */
export async function startChatServer() {
  let turns = [];
  let noted = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (request.method !== "POST") return void response.writeHead(404).end();
    const entry = { arrived: now(), answered: 0, bytes: body.length };
    const turn = turns[noted.push(entry) - 1] ?? { text: "There is nothing left to say." };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.on("finish", () => {
      entry.answered = now();
    });
    for (const event of turn.text === undefined ? callEvents(turn, body, noted.length) : textEvents(turn))
      response.write(
        `data: ${JSON.stringify({ id: `r${noted.length}`, object: "chat.completion.chunk", ...event })}\n\n`,
      );
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    play(next) {
      turns = next;
      noted = [];
      return noted;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const now = () => performance.timeOrigin + performance.now();

function* textEvents({ text, pieces = 4 }) {
  const size = Math.ceil(text.length / pieces);
  for (let at = 0; at < text.length; at += size) yield delta({ content: text.slice(at, at + size) });
  yield* ending("stop", Math.ceil(text.length / 4));
}

function* callEvents({ command, calls }, body, count) {
  for (const [index, { tool, input }] of (calls ?? [{ tool: shellIn(body), input: { command } }]).entries()) {
    const json = JSON.stringify(input);
    const piece = (text, more) =>
      delta({ tool_calls: [{ index, ...more, function: { ...more?.function, arguments: text } }] });
    yield piece("", {
      id: `call-${count}${index === 0 ? "" : `-${index}`}`,
      type: "function",
      function: { name: tool },
    });
    yield piece(json.slice(0, 10));
    yield piece(json.slice(10));
  }
  yield* ending("tool_calls", 20);
}

const shellIn = (body) =>
  JSON.parse(body)
    .tools.map((tool) => tool.function.name)
    .find((name) => /^bash$/i.test(name));

function* ending(reason, tokens) {
  yield { ...delta({}), choices: [{ index: 0, delta: {}, finish_reason: reason }] };
  yield { choices: [], usage: { prompt_tokens: 2000, completion_tokens: tokens, total_tokens: 2000 + tokens } };
}

const delta = (said) => ({ choices: [{ index: 0, delta: said, finish_reason: null }] });
