import type { ApprovalAnswer, Preview } from "../protocol/request.ts";
import type { CallIdentity, Refusal } from "../protocol/tool-call.ts";
import type { Verdict } from "../protocol/verdict.ts";
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
  if (turn.signal.aborted) {
    await call.access.trial?.discard();
    return "withdrawn";
  }
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
      ...(verdict.patterns && { patterns: verdict.patterns }),
      ...(verdict.explained && { explained: verdict.explained }),
      ...(preview && { preview }),
    },
    turn.signal,
  );
  turn.emit({ type: "call-changed", call: { ...identity, status: "waiting", requestId: opened.id } });
  const result = await opened.answered;
  if (result === "withdrawn" || !result.answer.allow) await call.access.trial?.discard();
  if (result === "withdrawn") return "withdrawn";
  const { answer } = result;
  if (!answer.allow) return refusalOf(answer);
  await remember(turn, verdict, answer);
  return undefined;
}

function refusalOf(answer: Extract<ApprovalAnswer, { allow: false }>): Refusal {
  if ("nobody" in answer) return { by: "nobody", reason: answer.nobody };
  return { by: "person", ...(answer.feedback !== undefined && { feedback: answer.feedback }) };
}

async function remember(
  turn: Turn,
  verdict: Confirmable["verdict"],
  { scope: wanted, pattern: chosen }: Extract<ApprovalAnswer, { allow: true }>,
): Promise<void> {
  if (wanted === "once") return;
  // Only what was offered is remembered.
  const offer = verdict.patterns?.find(({ pattern }) => pattern === chosen) ?? verdict;
  const { pattern } = offer;
  if (pattern === undefined) return;
  const scope = offer.sessionOnly ? "session" : wanted;
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
function detailOf({ tool, input: given }: Confirmable, preview: Preview | undefined): string {
  // One of ours under another name is told in the words of ours: the command, not the JSON around it.
  const input = tool.sameAs?.(given)?.input ?? given;
  if (typeof input["patch"] === "string" && preview?.diff) return (tool.paths?.(given).write ?? []).join("\n");
  for (const key of ["command", "file_path", "path", "patch", "pattern"]) {
    const value = input[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return JSON.stringify(input, null, 2);
}
