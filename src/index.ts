/** The engine as front ends use it: open a conversation, or look something up without one. */
export { formatDuration, parseDuration } from "./config/durations.ts";
export type { OpenOptions } from "./engine/open-options.ts";
export { type Opened, openConversation } from "./engine/open-conversation.ts";
export type { Conversation, FrontEnd, Suggestion } from "./protocol/conversation.ts";
export { initHome } from "./config/init.ts";
export { SHOWN_KINDS } from "./config/show.ts";
export { type Inspection, inspect } from "./engine/inspection.ts";
export { explanationLines } from "./policy/explain.ts";
