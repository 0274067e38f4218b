import type { Preview } from "../protocol/request.ts";
import type { Engine } from "./engine.ts";
import { judgedPreview, tryCommand } from "./trial.ts";

/** `/dry`: what a command does on a copy, thrown away. Shows a command that cannot be tried as it is judged. */
export async function dryRun(
  engine: Engine,
  command: string,
): Promise<{ readonly preview: Preview; readonly text: string }> {
  const outcome = await tryCommand(engine, command, {
    cwd: engine.cwd,
    timeoutMs: engine.settings.toolSettings.bash.timeoutMs,
    maxOutputBytes: engine.settings.toolSettings.bash.maxOutputBytes,
    signal: engine.closing,
  });
  if ("why" in outcome) {
    const preview = judgedPreview(outcome.reading, outcome.why, engine.cwd);
    return { preview, text: describePreview(preview) };
  }
  await outcome.discard();
  return { preview: outcome.preview, text: `${describePreview(outcome.preview)}\n\nNothing was changed here.` };
}

/** As plain lines. */
function describePreview({ title, changes = [], notes = [], diff, output }: Preview): string {
  const lines = changes.map(({ path, what, from, added, removed }) => {
    const counts = added === undefined ? "" : `  +${added} -${removed}`;
    return `  ${SIGNS[what]} ${from === undefined ? "" : `${from} -> `}${path}${counts}`;
  });
  return [
    [title, ...lines, ...notes.map((note) => `  ${note}`)].join("\n"),
    ...(diff === undefined || diff === "" ? [] : [diff.trimEnd()]),
    ...(output === undefined || output.trim() === "" ? [] : [`It printed:\n${output.trimEnd()}`]),
  ].join("\n\n");
}

const SIGNS = { added: "A", modified: "M", deleted: "D", renamed: "R", mode: "m" } as const;
