import type { ExecOutput, ExecResult } from "../shell/shell.ts";
import { MOST_BYTES } from "../system/output-capture.ts";
import { formatDuration } from "../text/duration.ts";
import { defineTool } from "../toolkit/tool.ts";

export const bash = defineTool({
  name: "Bash",
  description: "Run a bash script. State (cd, variables) does not carry over between calls; stdin is empty.",
  usage:
    "Prefer Read, Rg, Glob and Patch for files. No `bash -lc` prefix. " +
    "Leave timeout_ms alone unless a command is known to need longer.",
  input: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1 },
      workdir: { type: "string", description: "default: the working directory" },
      timeout_ms: { type: "integer", minimum: 1 },
    },
    required: ["command"],
    additionalProperties: false,
  },
  cutsMiddle: true,

  async run(input, access) {
    const { timeoutMs, maxOutputBytes } = access.settings.bash;
    const result = await access.shell.exec(await access.rewrite(input.command), {
      cwd: input.workdir === undefined ? access.cwd : await access.files.resolve(input.workdir, access.cwd),
      timeoutMs: input.timeout_ms ?? timeoutMs,
      maxOutputBytes,
      signal: access.signal,
      onLine: (line) => access.print(line),
    });
    return composeResult(result, maxOutputBytes);
  },
});

/**
 * The result as the model reads it (aura 2.1). A failing or timed-out command is an answer like any other.
 * @throws Error for a script that was not run
 */
function composeResult(result: ExecResult, maxOutputBytes: number): string {
  switch (result.kind) {
    case "syntax-error":
      throw new Error(`syntax error: ${result.message}`);
    case "exited":
      return joinOutput(result, maxOutputBytes) + (result.code === 0 ? "" : `\nEXIT CODE: ${result.code}`);
    case "timeout":
      return (
        `${joinOutput(result, maxOutputBytes)}\n[killed; if it needs longer, call again with timeout_ms above ${result.ms}]` +
        `\nEXIT CODE: TIMEOUT after ${formatDuration(result.ms)}`
      );
    case "cancelled":
      return `${joinOutput(result, maxOutputBytes)}\n[cancelled; the command was killed]`;
  }
}

function joinOutput({ stdout, stderr, capped }: ExecOutput, maxOutputBytes: number): string {
  let text = stdout;
  if (stderr !== "") text += `${stdout === "" ? "" : "\n"}STDERR:\n${stderr}`;
  if (capped) text += `\n[output capped at ${maxOutputBytes || MOST_BYTES} byte limit — full output not available]`;
  return text;
}
