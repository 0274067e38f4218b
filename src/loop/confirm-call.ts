import type { Preview } from "../protocol/request.ts";
import type { CallIdentity, Refusal } from "../protocol/tool-call.ts";
import type { Scope, Verdict } from "../protocol/verdict.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import type { Turn } from "./turn.ts";

export interface Confirmable {
  readonly identity: CallIdentity;
  readonly tool: Tool;
  readonly input: Record<string, unknown>;
  readonly access: ToolAccess;
  readonly verdict: Verdict & { kind: "confirm" };
}

/** Asks a person. Undefined = allowed; a pattern they chose is remembered before the call runs. */
export async function confirmCall(turn: Turn, call: Confirmable): Promise<Refusal | "withdrawn" | undefined> {
  const { identity, tool, verdict } = call;
  const preview = await previewOf(call);
  if (turn.signal.aborted) return "withdrawn";
  const opened = turn.requests.open(
    "approval",
    {
      callId: identity.id,
      tool: tool.name,
      about: firstSentence(tool.description),
      detail: detailOf(call, preview),
      because: verdict.because,
      ...(verdict.pattern !== undefined && { pattern: verdict.pattern }),
      ...(verdict.noPattern !== undefined && { noPattern: verdict.noPattern }),
      ...(verdict.sessionOnly && { sessionOnly: true }),
      ...(preview && { preview }),
    },
    turn.signal,
  );
  turn.emit({ type: "call-changed", call: { ...identity, status: "waiting", requestId: opened.id } });
  const result = await opened.answered;
  if (result === "withdrawn") return "withdrawn";
  const { answer } = result;
  if (!answer.allow) return { by: "person", ...(answer.feedback !== undefined && { feedback: answer.feedback }) };
  if (answer.scope !== "once") await remember(turn, verdict, answer.scope);
  return undefined;
}

async function remember(turn: Turn, verdict: Confirmable["verdict"], wanted: Exclude<Scope, "once">): Promise<void> {
  const { pattern } = verdict;
  if (pattern === undefined) return;
  const scope = verdict.sessionOnly ? "session" : wanted;
  if (scope !== wanted)
    turn.emit({ type: "notice", level: "info", text: `"${pattern}" is remembered for this session only` });
  const warning = await turn.gate.remember(scope, pattern);
  if (warning) turn.emit({ type: "notice", level: "warn", text: warning });
}

async function previewOf(call: Confirmable): Promise<Preview | undefined> {
  try {
    return await call.tool.preview?.(call.input, call.access);
  } catch {
    return undefined; // best effort: the dialog then shows the detail alone
  }
}

const firstSentence = (text: string) => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, " ") ?? text;

/** The whole command or path. A patch is told by its files only where its whole diff is shown beside it. */
function detailOf({ tool, input }: Confirmable, preview: Preview | undefined): string {
  if (typeof input["patch"] === "string" && preview?.diff) return (tool.paths?.(input).write ?? []).join("\n");
  for (const key of ["command", "file_path", "path", "patch", "pattern"]) {
    const value = input[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return JSON.stringify(input, null, 2);
}
