/** The engine as front ends use it: open a conversation, or look something up without one. */

export { initHome } from "./config/init.ts";
export { SHOWN_KINDS } from "./config/show.ts";
export { type Inspection, inspect } from "./engine/inspection.ts";
export {
  inputHistoryFile,
  keysFile,
  type Opened,
  openConversation,
  type UiSettings,
} from "./engine/open-conversation.ts";
export type { OpenOptions } from "./engine/open-options.ts";
export { trustHome } from "./engine/resolve-config.ts";
export { explanationLines } from "./policy/explain.ts";
export type { Conversation, FrontEnd, Suggestion } from "./protocol/conversation.ts";
export { parseDuration } from "./text/duration.ts";
