import type { Message, Part } from "../protocol/message.ts";
import type { ChildTranscript } from "./children.ts";

/** What an agent that was set to work was told, said and did, as Markdown for a pager. */
export function childTranscript(child: ChildTranscript): string {
  const { name, agent, model, description, status, error, calls, messages } = child;
  const state = error === undefined ? status : `${status}: ${error}`;
  const head = [
    `# ${name}${description ? `: ${description}` : ""}`,
    `${agent}, ${model}, ${calls} tool calls, ${state}`,
  ];
  return [...head, ...messages.map(asText)].join("\n\n");
}

function asText({ role, parts, interrupted }: Message): string {
  if (role === "tool") return parts.map(partText).join("\n\n");
  const speaker = role === "user" ? "Task" : "Agent";
  return [`## ${speaker}${interrupted ? " (interrupted)" : ""}`, ...parts.map(partText).filter(Boolean)].join("\n\n");
}

function partText(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text.trim();
    case "thinking":
      return "";
    case "image":
      return `[image ${part.name ?? part.mediaType}]`;
    case "tool-call":
      return `→ ${part.tool} ${JSON.stringify(part.input)}`;
    case "tool-result":
      return part.text.trimEnd().replace(/^/gm, "    ") || "    (empty)";
  }
}
