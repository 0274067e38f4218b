import type { FullOutput } from "./view-state.ts";

/** A command's whole answer as a pager shows it. Pure. */
export function commandOutput(line: string, text: string): FullOutput {
  const isDiff = /^\/(?:diff|dry)\b/.test(line) && /^@@ /m.test(text);
  const title = line.startsWith("/diff") ? "What this session changed" : "Command output";
  return isDiff ? { title, text, look: { kind: "diff" } } : { title: "Command output", text };
}
