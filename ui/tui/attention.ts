/** What a person who looks elsewhere should hear, and what their window is called meanwhile. Pure. */
import { basename } from "node:path";
import type { Event } from "../../src/protocol/event.ts";
import type { ViewState } from "../view/view-state.ts";
import * as wording from "../view/wording.ts";

export type WindowState = "idle" | "busy" | "waiting";

export function windowState({ requests, status }: ViewState): WindowState {
  if (requests.length > 0) return "waiting";
  return status?.busy === true ? "busy" : "idle";
}

const SIGNS: Readonly<Record<WindowState, string>> = { idle: "", busy: "✳ ", waiting: "? " };

/** `✳ the session's title - aura`; the folder's name stands in for a title. */
export function windowTitle(view: ViewState): string {
  const { status } = view;
  const name = status === undefined ? undefined : (status.title ?? status.sessionName ?? basename(status.cwd));
  return `${SIGNS[windowState(view)]}${name === undefined || name === "" ? "aura" : `${name} - aura`}`;
}

/** What `event` is worth telling. A turn that was cancelled was ended by the person who would be told. */
export function attention(event: Event, view: ViewState): string | undefined {
  if (event.type === "request-opened") {
    const { request } = event;
    if (request.kind === "approval") return `Aura asks: ${request.tool} ${wording.firstLine(request.detail)}`;
    if (request.kind === "review") return `Aura asks: ${wording.firstLine(request.title)}`;
    if (request.kind !== "question") return undefined;
    return `${request.from === undefined ? "Aura asks" : wording.questionTitle(request)}: ${request.questions[0]?.text ?? ""}`;
  }
  if (event.type !== "turn-finished" || event.reason === "cancelled" || view.queue.length > 0) return undefined;
  return wording.turnEnd(event.reason, event.error) ?? "Aura is done";
}
