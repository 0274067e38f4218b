// What `aura mcp` needs of the engine, loaded only by it: the readers of seven tools' files stay out of every start.
export { neutralForm } from "../config/servers/neutral-form.ts";
export { findTarget, TARGETS } from "../config/servers/targets/index.ts";
export { absentParts } from "./absent-parts.ts";
export { importHint } from "./import-hint.ts";
export { checkServers, findServers } from "./mcp-config.ts";
export { exportServers, syncServers } from "./mcp-export.ts";
export { IMPORT_SOURCES, importServers } from "./mcp-import.ts";
