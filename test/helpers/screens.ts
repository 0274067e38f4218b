/** What the screen tests share: programs in pseudo-terminals that end with their test, and dialogs that count as seen. */
import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll } from "vitest";
import { bundleTui } from "./bundle-tui.ts";
import { openPty, type PtyOptions, type PtyScreen } from "./pty.ts";

/** `openPty` for the tests of a file; whatever a test leaves open is killed after it. */
export function trackedPty(): typeof openPty {
  const open = new Set<PtyScreen>();
  afterEach(() => {
    for (const screen of open) screen.kill("SIGKILL");
    open.clear();
  });
  return (command, args, options) => {
    const screen = openPty(command, args, options);
    open.add(screen);
    return screen;
  };
}

export interface TuiScreens {
  /** Any program, for example a shell that starts ours. */
  readonly pty: typeof openPty;
  /** The bundled program; there once the tests run. */
  readonly program: () => string;
  /** The program in a terminal, whatever it shows. */
  readonly open: (options?: PtyOptions) => PtyScreen;
  /** The program in a terminal, with its prompt painted. */
  readonly start: (columns?: number, rows?: number, env?: Readonly<Record<string, string>>) => Promise<PtyScreen>;
}

/** `ready` is what a painted prompt shows at any size. */
export function tuiScreens(ready = "high • scripted"): TuiScreens {
  let bundle: { folder: string; program: string };
  beforeAll(async () => {
    bundle = await bundleTui();
  });
  afterAll(() => rm(bundle.folder, { recursive: true, force: true }));
  const pty = trackedPty();
  const open = (options?: PtyOptions) => pty(process.execPath, [bundle.program], options);
  return {
    pty,
    program: () => bundle.program,
    open,
    start: async (columns = 80, rows = 24, env = {}) => {
      const screen = open({ columns, rows, env });
      await screen.shows(ready);
      return screen;
    },
  };
}

export async function ask(screen: PtyScreen, prompt: string, shown: string): Promise<void> {
  screen.type(`${prompt}\r`);
  await screen.shows(shown);
}

/** Opens a dialog and waits until it counts as seen: keys before that are taken as typed ahead. */
export async function openDialog(screen: PtyScreen, prompt: string, shown: string): Promise<void> {
  const fences = () => screen.raw().split("\x1b[5n").length;
  const before = fences();
  await ask(screen, prompt, shown);
  await screen.until(() => fences() > before);
}
