// The floor to compare with: the same requests and commands, and nothing around them.
import { argv, env, stdout } from "node:process";

if (argv[2] === "--version") stdout.write("0.0.0\n");
else await talk(argv[2]);

async function talk(prompt) {
  const { Agent } = await import("node:http");
  const agent = new Agent({ keepAlive: true });
  const messages = [{ role: "user", content: prompt }];
  for (;;) {
    const reply = await ask(messages, agent);
    if (!reply.call) break;
    const { id, name, json } = reply.call;
    const output = await run(JSON.parse(json).command);
    const call = { id, type: "function", function: { name, arguments: json } };
    messages.push({ role: "assistant", content: null, tool_calls: [call] });
    messages.push({ role: "tool", tool_call_id: id, content: output });
  }
  stdout.write("\n");
  agent.destroy();
}

async function ask(messages, agent) {
  const { request } = await import("node:http");
  const parameters = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
  const tools = [{ type: "function", function: { name: "bash", description: "Runs a command", parameters } }];
  const body = JSON.stringify({ model: "m", stream: true, tools, messages });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request(`${env.OPENAI_BASE_URL}/chat/completions`, { method: "POST", agent, headers }, (answer) => {
      const reply = {};
      let rest = "";
      answer.setEncoding("utf8");
      answer.on("data", (text) => {
        const events = (rest + text).split("\n\n");
        rest = events.pop();
        for (const event of events) take(event.slice("data: ".length), reply);
      });
      answer.on("end", () => resolve(reply));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

function take(payload, reply) {
  if (payload === "[DONE]") return;
  const delta = JSON.parse(payload).choices[0]?.delta;
  if (delta?.content) stdout.write(delta.content);
  for (const { id, function: called } of delta?.tool_calls ?? []) {
    reply.call ??= { id, name: called.name, json: "" };
    reply.call.json += called.arguments;
  }
}

async function run(command) {
  const { execFile } = await import("node:child_process");
  return new Promise((resolve) => {
    execFile("bash", ["-c", command], (_, output, errors) => resolve(output + errors));
  });
}
