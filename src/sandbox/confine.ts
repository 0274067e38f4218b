import { bubblewrapLaunch } from "./bubblewrap.ts";
import { landlockLaunch } from "./landlock.ts";
import { namespacesLaunch } from "./namespaces.ts";
import type { Launch, Mechanism, Program, Wish } from "./sandbox.ts";
import { seatbeltLaunch } from "./seatbelt.ts";

/** Where a mechanism finds what it is made of. */
export interface Machine {
  readonly mechanism: Mechanism;
  /** Absolute: the program that begins a confined run. */
  readonly starter: string;
  /** Absolute; for namespaces and Landlock. */
  readonly perl?: string;
}

/** How `program` is started so that it reaches only what `wish` names. `path` is the command's `PATH`. */
export function confine(machine: Machine, wish: Wish, program: Program, path: string | undefined): Launch {
  switch (machine.mechanism) {
    case "bubblewrap":
      return bubblewrapLaunch(machine, wish, program, path);
    case "namespaces":
      return namespacesLaunch(machine, wish, program, path);
    case "landlock":
      return landlockLaunch(machine, wish, program, path);
    case "seatbelt":
      return seatbeltLaunch(machine, wish, program, path);
  }
}
