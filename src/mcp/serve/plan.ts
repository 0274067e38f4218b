import { isAbsolute, resolve } from "node:path";
import { defineTool } from "../../toolkit/tool.ts";
import type { ToolAccess } from "../../toolkit/tool-access.ts";
import { readArguments } from "./read-arguments.ts";
import type { ServedServer, ServeHost } from "./served-server.ts";

/**
 * A plan in a Markdown file, shown to a person who approves it or sends it back. Words after the options are a command
 * that reviews instead: the plan's path is appended, its output is the feedback (other-systems 1.8).
 */
export function planServer(args: readonly string[], _input: unknown, host: ServeHost): ServedServer {
  const { options, rest } = readArguments("plan", args, { "--prompt-file": "value" }, { takesRest: true });
  const promptFile = options["--prompt-file"];
  const tool = submitPlan(rest);
  return {
    name: "plan",
    tools: () => ({ present: [{ tool, structured: true }], absent: [] }),
    prompts: async () => [
      {
        name: "plan",
        description: "Make a plan before anything is changed",
        argumentHint: "what to plan",
        async render(given) {
          const text = promptFile === undefined ? PLAN_PROMPT : await host.readText(resolve(host.cwd, promptFile));
          if (text.includes("$ARGUMENTS")) return text.replaceAll("$ARGUMENTS", () => given);
          return given === "" ? text : `${text.trimEnd()}\n\n${given}\n`;
        },
      },
    ],
  };
}

const PLAN_PROMPT = `Make a plan and change nothing yet. Find out what you need to know, then write the plan as Markdown
into a file: what is to be reached, the steps in order with the files they touch, how each is checked, and what could go
wrong. Hand the file in with submit_plan. When it comes back with feedback, change the plan and hand it in again; begin
the work only when it is approved.

$ARGUMENTS
`;

const submitPlan = (command: readonly string[]) =>
  defineTool({
    name: "submit_plan",
    description: "Shows a plan, a Markdown file, to the person. Answers whether it is approved, and their feedback.",
    input: {
      type: "object",
      properties: { planPath: { type: "string", minLength: 1, description: "absolute path of the file" } },
      required: ["planPath"],
      additionalProperties: false,
    },
    parallel: false,
    sandboxable: false,
    paths: ({ planPath }) => ({ read: [planPath] }),

    async run({ planPath }, access) {
      const text = await readPlan(planPath, access);
      if (command.length > 0) return json({ approved: false, feedback: await reviewBy(command, planPath, access) });
      const answer = await access.ask("review", { title: planPath, text });
      if (answer === null) return json({ approved: false, feedback: "not approved: no person present" });
      return json(answer);
    },
  });

const json = (value: unknown) => JSON.stringify(value);

async function readPlan(planPath: string, { files }: ToolAccess): Promise<string> {
  if (!isAbsolute(planPath)) throw new Error(`planPath must be absolute, not "${planPath}"`);
  const stat = await files.stat(planPath);
  if (stat?.kind !== "file") throw new Error(`there is no file ${planPath}: write the plan first`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await files.read(planPath));
  } catch (error) {
    throw new Error(`${planPath} is not UTF-8 text`, { cause: error });
  }
  if (text.trim() === "") throw new Error(`${planPath} is empty: write the plan first`);
  return text;
}

/** @throws Error when the command fails */
async function reviewBy(command: readonly string[], planPath: string, access: ToolAccess): Promise<string> {
  const script = [...command, planPath].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const result = await access.shell.exec(script, {
    cwd: access.cwd,
    timeoutMs: REVIEW_MS,
    maxOutputBytes: access.settings.bash.maxOutputBytes,
    signal: access.signal,
  });
  if (result.kind === "exited" && result.code === 0) return result.stdout.trim();
  const why = result.kind === "exited" ? `ended with code ${result.code}: ${result.stderr.trim()}` : result.kind;
  throw new Error(`the review command ${command[0]} failed: ${why}`);
}

/** A reviewer may be a program a person sits at. */
const REVIEW_MS = 3_600_000;
