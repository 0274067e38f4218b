import { antigravity } from "./antigravity.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import { opencode } from "./opencode.ts";
import type { Target } from "./target.ts";
import { vscode } from "./vscode.ts";

export const TARGETS: readonly Target[] = [claude, cursor, codex, opencode, vscode, antigravity, copilotCli];

/** By name or one of the other words for it. */
export function findTarget(name: string): Target | undefined {
  const wanted = name.toLowerCase();
  return TARGETS.find((target) => target.name === wanted || target.alias.includes(wanted));
}
