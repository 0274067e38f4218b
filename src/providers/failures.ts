// Errors of the network, of HTTP and of the SDKs as ProviderFailure: what happened, at which host, what to do.

import type { FailureKind, ProviderFailure } from "./provider.ts";
import { CutStreamError, StreamError } from "./sdk-reply.ts";

export interface FailureContext {
  /** Where requests go, as `host` or `host:port`. */
  readonly host: string;
  readonly type: string;
  /** Never shown, whatever a server repeats. */
  readonly secrets?: readonly string[];
  /** How a person gives the key, for example `ANTHROPIC_API_KEY`. */
  readonly keyFrom?: string;
  readonly model?: string;
  readonly signal?: AbortSignal;
}

/** Pure but for `now` (the time in milliseconds, for a Retry-After that is a date). */
export function toFailure(error: unknown, context: FailureContext, now: () => number = Date.now): ProviderFailure {
  if (context.signal?.aborted) return { kind: "cancelled", message: "Cancelled.", retryable: false };
  const facts = readFacts(error);
  const kind = classify(facts, context);
  const isLocal = /^(localhost|127\.|\[::1\])/.test(context.host);
  const retryAfterMs = readRetryAfter(facts.headers, now);
  // A local server that is not there will not be there in two seconds either.
  const retryable = RETRYABLE.has(kind) && !(kind === "network" && isLocal && facts.code === "ECONNREFUSED");
  return {
    kind,
    message: redact(word(kind, facts, context, isLocal), context.secrets ?? []),
    ...(facts.status === undefined ? {} : { status: facts.status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    retryable,
  };
}

const RETRYABLE: ReadonlySet<FailureKind> = new Set<FailureKind>(["rate_limit", "network", "server", "timeout"]);

interface Facts {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What the server said, or the error's own message. */
  readonly said: string;
  /** Machine-readable types and codes in the server's answer, joined by blanks. */
  readonly codes: string;
  /** Of the system, such as ECONNREFUSED. */
  readonly code?: string;
  readonly isCut: boolean;
  /** The server answered with something that is not of its protocol. */
  readonly isUnreadable: boolean;
}

function readFacts(error: unknown): Facts {
  let status: number | undefined;
  let headers: Record<string, string> = {};
  let said = "";
  let codes = "";
  let code: string | undefined;
  let isUnreadable = false;
  for (const link of chain(error)) {
    status ??= numberIn(link, ["statusCode", "status"]);
    if (isRecord(link["responseHeaders"]))
      headers = { ...(link["responseHeaders"] as Record<string, string>), ...headers };
    const body = parse(link["responseBody"]) ?? link["data"] ?? (link instanceof Error ? undefined : link);
    const answer = readAnswer(body);
    said ||= answer.said;
    codes += ` ${answer.codes}`;
    status ??= answer.status;
    if (typeof link["code"] === "string" && /^[A-Z][A-Z0-9_]+$/.test(link["code"])) code ??= link["code"];
    isUnreadable ||= /TypeValidationError|JSONParseError|ForeignAnswerError/.test(String(link["name"]));
  }
  const last = chain(error).at(-1);
  said ||=
    error instanceof StreamError && typeof error.cause === "string" ? error.cause : String(last?.["message"] ?? error);
  const isCut =
    error instanceof CutStreamError || /ended without a finish|stream ended|\bterminated\b|\baborted\b/i.test(said);
  return {
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    headers,
    said: said.replace(/\s+/g, " ").trim().slice(0, 600),
    codes,
    isCut,
    isUnreadable,
  };
}

/** The error and its causes; a loop in them ends the chain. */
function chain(error: unknown): Record<string, unknown>[] {
  const out: Record<string, unknown>[] = [];
  for (let link = error; isRecord(link) && !out.includes(link) && out.length < 8; link = link["cause"]) {
    out.push(link);
    if (Array.isArray(link["errors"]) && isRecord(link["errors"][0])) out.push(link["errors"][0]);
  }
  return out;
}

/** The error bodies of all servers we know: {error: {message, type, code, status}}, {error: "..."}, {message}, [..]. */
function readAnswer(body: unknown): { said: string; codes: string; status?: number } {
  const outer = Array.isArray(body) ? body[0] : body;
  if (!isRecord(outer)) return { said: "", codes: "" };
  const nested = outer["error"];
  if (typeof nested === "string") return { said: nested, codes: "" };
  const inner = isRecord(nested)
    ? nested
    : isRecord(outer["response"])
      ? ((outer["response"]["error"] ?? {}) as Record<string, unknown>)
      : outer;
  const metadata = isRecord(inner["metadata"]) ? inner["metadata"] : {};
  const raw = typeof metadata["raw"] === "string" ? ` ${metadata["raw"]}` : "";
  const said =
    typeof inner["message"] === "string"
      ? inner["message"] + raw
      : typeof inner["detail"] === "string"
        ? inner["detail"]
        : "";
  const codes = [inner["type"], inner["code"], inner["status"], outer["type"]].filter(
    (value) => typeof value === "string",
  );
  const status = numberIn(inner, ["code", "status", "status_code"]);
  return { said, codes: codes.join(" "), ...(status === undefined ? {} : { status }) };
}

const CONTEXT =
  /context_length_exceeded|exceed_context_size|prompt is too long|input is too long|maximum context length|max(imum)? prompt length|context (length|window|size)( is)? (exceed|overflow)|exceeds? (the )?(available |model'?s? )?(maximum )?context|context overflow|input token count .*exceeds|exceed(s|ed)? (the )?(context|maximum number of tokens)|too (large|many tokens) for (the )?model|reduce the length of the (messages|prompt|input)|longer than the (model'?s )?context|greater than the context length|request_too_large|model_context_window_exceeded/i;
const CREDIT =
  /insufficient_quota|insufficient[_ ](balance|credits?|funds)|credit balance is too low|billing_error|billing_hard_limit|payment required|requires more credits|used all available credits|exceeded your current quota|out of credits|spend(ing)? limit/i;
const FILTER =
  /content_filter|content_policy|content management policy|safety system|usage polic(y|ies) violation|PROHIBITED_CONTENT|blocked by/i;
const NO_MODEL =
  /model_not_found|model .*(not found|does not exist|is not available|not supported)|no such model|unknown model|try pulling it|not_found_error|no endpoints found|model_decommissioned/i;
const OVERLOAD =
  /overloaded|temporarily unavailable|service_unavailable|UNAVAILABLE|server_error|internal_error|INTERNAL|api_error/;
const NETWORK: ReadonlySet<string> = new Set(
  "ECONNREFUSED ECONNRESET ECONNABORTED ENOTFOUND EAI_AGAIN EPIPE EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL".split(
    " ",
  ),
);
const SILENT: ReadonlySet<string> = new Set(["ETIMEDOUT", "ESOCKETTIMEDOUT", "ERR_SOCKET_TIMEOUT"]);

function classify(facts: Facts, context: FailureContext): FailureKind {
  const { status, said, codes, code } = facts;
  const all = `${codes} ${said}`;
  if (CONTEXT.test(all) && status !== 429) return "context_exhausted";
  if (status === 413) return "context_exhausted";
  // Gemini says "exceeded your current quota" for every rate limit.
  if (status === 402 || (CREDIT.test(all) && context.type !== "google")) return "credit_exhausted";
  if (status === 429 || /rate_?limit/i.test(codes) || /RESOURCE_EXHAUSTED/.test(codes)) return "rate_limit";
  if (status === 401 || /authentication_error|invalid_api_key|API key not valid|API_KEY_INVALID/i.test(all))
    return "auth";
  if (FILTER.test(all)) return "content_filter";
  if (status === 404 || (NO_MODEL.test(all) && (status === undefined || status < 500))) return "model_unavailable";
  if (status === 403 || /permission_error|PERMISSION_DENIED/.test(codes)) return "auth";
  if (status === 408 || status === 504 || /timeout_error/.test(codes)) return "timeout";
  if (status !== undefined && status >= 500) return "server";
  if (status !== undefined && status >= 300) return "bad_request";
  if (OVERLOAD.test(all)) return "server";
  if (/invalid_request_error|INVALID_ARGUMENT/.test(codes)) return "bad_request";
  if (code !== undefined && SILENT.has(code)) return "timeout";
  if ((code !== undefined && (NETWORK.has(code) || /CERT|TLS|SSL/.test(code))) || facts.isCut) return "network";
  return facts.isUnreadable
    ? "server"
    : code === undefined && status === undefined && codes.trim() === ""
      ? "bad_request"
      : "server";
}

function word(kind: FailureKind, facts: Facts, context: FailureContext, isLocal: boolean): string {
  const { host } = context;
  const model = context.model === undefined ? "the model" : `"${context.model}"`;
  const answered = `${host} answered${facts.status === undefined ? "" : ` ${facts.status}`}: ${ended(facts.said)}`;
  const key = context.keyFrom === undefined ? "the provider's key" : context.keyFrom;
  switch (kind) {
    case "rate_limit":
      return `Too many requests for now. ${answered} Wait a little, or use another model.`;
    case "credit_exhausted":
      return `The account has no credit left. ${answered} Top it up, or use another provider.`;
    case "auth":
      return `The key was not accepted. ${answered} Check ${key}.`;
    case "context_exhausted":
      return `The conversation is longer than ${model} can read. ${answered} Compact it (/compact) or start a new one.`;
    case "model_unavailable":
      return `There is no ${model} here. ${answered} Choose another model (/model) or check the provider's url.`;
    case "content_filter":
      return `The provider refused this content. ${answered} Say it differently.`;
    case "server":
      return facts.isUnreadable
        ? `${host} answered something that is not of its protocol: ${ended(facts.said)} Check the provider's type and url.`
        : `The server failed. ${answered} This usually passes: try again.`;
    case "timeout":
      return facts.status === undefined
        ? `${host} fell silent (${facts.said}). Try again, or raise the provider's timeout.`
        : `The server took too long. ${answered} Try again.`;
    case "network":
      return wordNetwork(facts, host, isLocal);
    default:
      return facts.status === undefined
        ? `The request to ${host} could not be made: ${ended(facts.said)}`
        : `The request was refused. ${answered}${facts.status < 400 ? " Put the address it points to into the provider's url." : ""}`;
  }
}

function wordNetwork({ code, said, isCut }: Facts, host: string, isLocal: boolean): string {
  if (code === "ECONNREFUSED") {
    return `Nothing answers at ${host} (connection refused). ${isLocal ? "Start the server" : "Check the address"}, or check the provider's url.`;
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `The name of ${host} cannot be resolved. Check the network connection and the provider's url.`;
  }
  if (code !== undefined && /CERT|TLS|SSL/.test(code))
    return `No trusted connection to ${host}: ${ended(said)} (${code})`;
  if (isCut || code === "ECONNRESET")
    return `The connection to ${host} broke before the reply was complete. Try again.`;
  return `No connection to ${host}: ${ended(said)} Check the network connection.`;
}

/**
 * Milliseconds of `retry-after-ms`, `retry-after` (seconds or a date, RFC 9110 10.2.3), or nothing.
 */
function readRetryAfter(headers: Readonly<Record<string, string>>, now: () => number): number | undefined {
  const ms = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers["retry-after"];
  if (after === undefined) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}

/** Servers like to repeat the key they refuse. */
function redact(message: string, secrets: readonly string[]): string {
  let out = message;
  for (const secret of secrets) if (secret.length >= 4) out = out.replaceAll(secret, "[key]");
  return out.replace(/\b(sk|gsk|pk|xai|csk|fw)[-_][\w*.-]{6,}|\bAIza[\w-]{10,}|\bBearer\s+[\w.*-]{6,}/g, "[key]");
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function parse(body: unknown): unknown {
  if (typeof body !== "string" || body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // An HTML page of some proxy says nothing to a person.
    return /^\s*</.test(body) ? undefined : { message: body };
  }
}

function numberIn(record: Record<string, unknown>, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = Number(record[name]);
    if (record[name] !== null && Number.isInteger(value) && value >= 300 && value < 600) return value;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
