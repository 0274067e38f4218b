/**
 * Model and limits of an `agent.acl`, A3S's own format, where it says them plainly: `name = "text"` or `name = number`
 * on a line of its own. Everything else of it is passed over.
 */
export function readAgentAcl(text: string): Readonly<Record<string, unknown>> {
  const said = new Map<string, string>();
  for (const [, key, quoted, number] of text.matchAll(
    /^[ \t]*(\w+)[ \t]*=[ \t]*(?:"([^"\n]*)"|(\d+))[ \t]*(?:[#/].*)?$/gm,
  ))
    if (!said.has(key!)) said.set(key!, quoted ?? number!);
  const model = said.get("default_model") ?? said.get("model");
  const steps = said.get("max_tool_rounds") ?? said.get("max_turns");
  return {
    ...(model !== undefined && { model }),
    ...(steps !== undefined && { limits: { max_steps: Number(steps) } }),
  };
}
