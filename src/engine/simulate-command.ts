import type { ExecOptions } from "../shell/shell.ts";
import { simulate } from "../shell/virtual-shell.ts";
import { showChanges } from "./show-changes.ts";
import type { Tried } from "./trial.ts";

/** Longer than this a stand-in is no help. */
const PATIENCE_MS = 5_000;

/**
 * What a command would do, told by a stand-in for the shell that has the text tools and starts no program. Undefined
 * when it does not have all that the command uses. It is only shown: a yes runs the command for real.
 */
export async function simulateCommand(
  script: string,
  place: { readonly root: string; readonly home: string },
  options: ExecOptions,
): Promise<Tried | undefined> {
  const timeoutMs = Math.min(options.timeoutMs, PATIENCE_MS);
  const { result, changes } = await simulate(script, place, { ...options, timeoutMs });
  // What failed may have failed for what the stand-in does not know.
  if (result.kind !== "exited" || result.code !== 0 || result.stderr !== "") return undefined;
  const shown = await showChanges(
    changes.map(({ before, after, ...change }) => ({
      ...change,
      ...(before && { bytesBefore: async () => before }),
      ...(after && { bytesAfter: async () => after }),
    })),
  );
  return {
    preview: {
      title: "Simulated: a stand-in for the shell says what it changes",
      kind: "simulated",
      changes: shown.changes,
      ...(shown.diff !== "" && { diff: shown.diff }),
      output: result.stdout,
      notes: [...shown.notes, "the real shell may do otherwise: a yes runs it here"],
    },
    keep: async () => undefined,
    discard: async () => undefined,
  };
}
