import { relative } from "node:path";
import type { Engine } from "./engine.ts";
import { instructionsOf } from "./system-prompt.ts";

const FIRST_STEPS = 'Try: "explain this project" • @ to name a file • /help for all commands';

/** What a person at a screen is told at the start, in a line or two: what instructs the model here, and how to begin. */
export async function greeting(engine: Engine): Promise<readonly string[]> {
  const { files } = await instructionsOf(engine);
  const names = files.map(({ path }) => nameOf(path, engine.cwd));
  const read = names.length === 0 ? [] : [`The model reads ${names.join(", ")}.`];
  const isFirst = engine.sessions.store.list().sessions.length === 0;
  return isFirst ? [...read, FIRST_STEPS] : read;
}

/** As a person in `cwd` would write it. */
function nameOf(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") ? path : near;
}
