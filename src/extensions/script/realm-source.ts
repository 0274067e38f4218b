/**
 * What runs inside the script's realm before the script: an expression whose value is a function from the host's three
 * functions and data to `{ctx, inputs, describe}`. Own lines of it never show in a script's errors.
 */
export const REALM_SOURCE = `(function (hostCall, hostPrint, shorthands, inputsText) {
  "use strict";
  const { stringify, parse } = JSON;
  const { freeze } = Object;
  const WeakMapOf = WeakMap;
  const codes = new WeakMapOf();
  const codeOf = WeakMapOf.prototype.get.bind(codes);
  const noteCode = WeakMapOf.prototype.set.bind(codes);

  function refusal(code, message, stack) {
    const error = new Error(message);
    error.name = "ToolRefused";
    error.code = code;
    error.stack = stack;
    noteCode(error, code);
    return error;
  }

  function textOf(args, stack) {
    if (args === undefined || args === null) return "{}";
    let text;
    try {
      text = stringify(args);
    } catch (error) {
      throw refusal("bad-arguments", "the arguments are not JSON: " + error.message, stack);
    }
    if (text === undefined || text[0] !== "{") throw refusal("bad-arguments", "the arguments must be an object", stack);
    return text;
  }

  async function tool(name, args) {
    const stack = new Error().stack;
    if (typeof name !== "string") throw refusal("bad-arguments", "the name of a tool must be a text", stack);
    const answer = await hostCall(name, textOf(args, stack));
    if (answer.code !== undefined) throw refusal(answer.code, answer.message, stack);
    answer.metadata = parse(answer.metadata);
    return answer;
  }

  const tools = new Proxy(freeze({}), {
    get: (_, name) => (typeof name === "string" && name !== "then" ? (args) => tool(name, args) : undefined),
    has: (_, name) => typeof name === "string" && name !== "then",
  });
  const given = (key, value, more) =>
    typeof value === "object" && value !== null ? value : { ...more, ...(value !== undefined && { [key]: value }) };
  const output = async (name, args) => (await tool(name, args)).output;
  const ctx = {
    tool,
    tools,
    read: (path, more) => tool("read", given("path", path, more)),
    readFile: async (path, more) => (await tool("read", given("path", path, more))).text,
    search: (pattern, more) => output("search", given("pattern", pattern, more)),
    grep: (pattern, more) => output("grep", given("pattern", pattern, more)),
    glob: (pattern, more) => output("glob", given("pattern", pattern, more)),
    ls: (path, more) => output("ls", given("path", path, more)),
    bash: (command, more) => output("bash", given("command", command, more)),
  };
  if (shorthands.includes("webSearch")) ctx.webSearch = (query, more) => tool("web_search", given("query", query, more));

  const shown = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.name + ": " + value.message;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const print = (...values) => hostPrint(values.map(shown).join(" "));
  globalThis.console = freeze({ log: print, info: print, warn: print, error: print, debug: print });

  return {
    ctx: freeze(ctx),
    inputs: parse(inputsText),
    /** A result as text; undefined when it is none. */
    render: (value) => (typeof value === "string" ? value : stringify(value === undefined ? null : value, null, 2)),
    codeOf: (error) => (typeof error === "object" && error !== null ? codeOf(error) : undefined),
  };
})`;
