import type { CommandTrial } from "../toolkit/tool-access.ts";
import type { Engine } from "./engine.ts";
import type { Tried } from "./trial.ts";

/** One call's trial: tried when its dialog opens, kept or discarded when that is answered. */
export function commandTrial(engine: Engine, print: (line: string) => void): CommandTrial {
  let tried: Tried | undefined;
  return {
    async preview(script, options) {
      // What tries commands is loaded when the first one is asked about.
      const { tryCommand, judgedPreview } = await import("./trial.ts");
      print("trying it on a copy of this folder");
      const { onLine: _, ...quietly } = options;
      const outcome = await tryCommand(engine, script, quietly);
      if ("why" in outcome) return judgedPreview(outcome.reading, outcome.why, engine.cwd);
      tried = outcome;
      return outcome.preview;
    },
    async keep() {
      const kept = tried;
      tried = undefined;
      const result = await kept?.keep();
      // What a command prints while it runs; this one ran already.
      if (result?.kind === "exited") for (const line of result.stdout.split("\n").slice(0, -1)) print(line);
      return result;
    },
    async discard() {
      await tried?.discard();
      tried = undefined;
    },
  };
}
