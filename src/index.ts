/** The engine as front ends use it: open a conversation, or look something up without one. */

export { initHome } from "./config/init.ts";
export { SHOWN_KINDS } from "./config/show.ts";
export type { ServedDir } from "./engine/agent-dir.ts";
export { type Inspection, inspect } from "./engine/inspection.ts";
export type { McpProblem } from "./engine/mcp-config.ts";
export type { ExportResult } from "./engine/mcp-export.ts";
export {
  inputHistoryFile,
  keysFile,
  type Opened,
  openConversation,
  type UiSettings,
} from "./engine/open-conversation.ts";
export type { OpenOptions } from "./engine/open-options.ts";
export { trustHome } from "./engine/resolve-config.ts";
export { listTrust, projectTrust, revokeTrust, trustsFolder } from "./engine/trust-tools.ts";
export { explanationLines } from "./policy/explain.ts";
export type { Conversation, FrontEnd, Suggestion } from "./protocol/conversation.ts";
export { parseDuration } from "./text/duration.ts";

/** Directories that are agents: checked and served. Loaded by those who ask. */
export const agentDirs = () => import("./engine/agent-dir.ts");

/** Our in-process servers for other clients. Loaded by those who ask. */
export const loadServing = () => import("./engine/serve-tools.ts");

/** What `aura mcp` does, loaded when somebody asks for it. */
export const loadMcpCommands = () => import("./engine/mcp-commands.ts");
