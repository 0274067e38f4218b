import { destructivePart } from "../../policy/destructive.ts";
import type { ServedTool } from "./served-server.ts";

/** From Aether's `coding` server; each asks for more than the one before it. */
export const PERMISSION_MODES = ["always-allow", "auto", "always-ask"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

const ASKED_ABOUT: ReadonlySet<string> = new Set(["write_file", "edit_file", "bash"]);

/** A tool that asks a person where its server's permission mode wants it; policy may ask or deny besides. */
export function withPermission(mode: PermissionMode, served: ServedTool): ServedTool {
  const { tool } = served;
  if (mode === "always-allow" || !ASKED_ABOUT.has(tool.name)) return served;
  if (mode === "always-ask")
    return { ...served, tool: { ...tool, asks: () => "the server's permission mode is always-ask" } };
  if (tool.name !== "bash") return served;
  const asks = (input: unknown) => {
    const found = destructivePart((input as { readonly command: string }).command);
    return found === undefined ? undefined : `the server's permission mode is auto, and this may destroy: ${found}`;
  };
  return { ...served, tool: { ...tool, asks } };
}
