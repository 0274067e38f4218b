import type { ExecOptions, ExecOutput, ExecResult } from "../shell/shell.ts";
import { MOST_BYTES } from "../system/output-capture.ts";
import { formatDuration } from "../text/duration.ts";
import { defineTool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import { startJob } from "./read-background-bash.ts";

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
      run_in_background: { type: "boolean", description: "for servers and watchers: go on at once" },
    },
    required: ["command"],
    additionalProperties: false,
  },
  cutsMiddle: true,

  async run(input, access) {
    const options = await execOptions(input, access);
    if (input.run_in_background)
      return startJob(
        await access.rewrite(input.command),
        { cwd: options.cwd, timeoutMs: input.timeout_ms ?? 0 },
        access,
      );
    const tried = await access.trial?.keep();
    const result = tried ?? (await access.shell.exec(await access.rewrite(input.command), options));
    return composeResult(result, options.maxOutputBytes);
  },

  async preview(input, access) {
    if (input.run_in_background) return undefined;
    return access.trial?.preview(await access.rewrite(input.command), await execOptions(input, access));
  },
});

async function execOptions(
  { workdir, timeout_ms }: { readonly workdir?: string | undefined; readonly timeout_ms?: number | undefined },
  access: ToolAccess,
): Promise<ExecOptions> {
  const { timeoutMs, maxOutputBytes } = access.settings.bash;
  return {
    cwd: workdir === undefined ? access.cwd : await access.files.resolve(workdir, access.cwd),
    timeoutMs: timeout_ms ?? timeoutMs,
    maxOutputBytes,
    signal: access.signal,
    onLine: (line) => access.print(line),
  };
}

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
        `${joinOutput(result, maxOutputBytes)}\n[killed; ${whyNotOver(result)}]` +
        `\nEXIT CODE: TIMEOUT after ${formatDuration(result.ms)}`
      );
    case "cancelled":
      return `${joinOutput(result, maxOutputBytes)}\n[cancelled; the command was killed]`;
  }
}

/** What a model can do about a command that did not end. */
function whyNotOver({ ms, waits, stdout, stderr }: ExecResult & { readonly kind: "timeout" }): string {
  const question = openQuestion(stderr) ?? openQuestion(stdout);
  if (question !== undefined)
    return `its last words look like a question (${JSON.stringify(question)}) and standard input is empty: give the answer as an option, or pipe it in`;
  const seen = waits === undefined ? "" : `when its time was over, ${waits}; `;
  if (waits?.includes("nobody can press one")) return `${seen}do it with a command that asks for nothing`;
  if (waits?.includes("does not end by itself"))
    return `${seen}to keep such a command running, call again with run_in_background`;
  return `${seen}if it needs longer, call again with timeout_ms above ${ms}`;
}

/** An unfinished last line that asks for something: `Password: `, `Overwrite? [y/N] `. */
function openQuestion(output: string): string | undefined {
  const last = output.slice(output.lastIndexOf("\n") + 1).trim();
  return last.length <= 200 && /[?:>\])]$/.test(last) && /[a-z]/i.test(last) ? last : undefined;
}

function joinOutput({ stdout, stderr, capped }: ExecOutput, maxOutputBytes: number): string {
  let text = stdout;
  if (stderr !== "") text += `${stdout === "" ? "" : "\n"}STDERR:\n${stderr}`;
  if (capped) text += `\n[output capped at ${maxOutputBytes || MOST_BYTES} byte limit — full output not available]`;
  return text;
}
