import type { OpenOptions, UiSettings } from "../../src/index.ts";
import { THEMES } from "../tui/theme-choice.ts";
import { createTui } from "../tui/tui.tsx";
import type { TuiOptions, TuiSettings } from "../tui/tui-options.ts";
import { ExpectedStop } from "./expected-stop.ts";
import { lookAhead } from "./look-ahead.ts";
import type { RootValues } from "./root-options.ts";
import type { ProcessEdge } from "./run-headless.ts";

/** From the first frame to work that holds up keys. */
const FIRST_KEY_MS = 15;

/** Where the conversation is shown and in which colours, by the flags. */
export function screenPlace({ fullscreen, mouse = "on", theme }: RootValues): Pick<TuiOptions, "fullscreen" | "theme"> {
  const named = THEMES.find((name) => name === theme);
  if (theme !== undefined && named === undefined)
    throw new ExpectedStop(`--theme: unknown theme "${theme}": use ${THEMES.join(", ")}`);
  if (mouse !== "on" && mouse !== "off") throw new ExpectedStop(`--mouse: unknown value "${mouse}": use on or off`);
  return {
    ...(fullscreen && { fullscreen: { mouse: mouse === "on" } }),
    ...(named !== undefined && { theme: named }),
  };
}

/** What the configuration says where no flag does; every flag also comes from the environment. */
function wishes(ui: Partial<UiSettings>, root: RootValues, env: OpenOptions["env"]): TuiSettings {
  return {
    ...(root.mouse === undefined ? pick(ui, "mouse") : { mouse: root.mouse === "on" }),
    ...(root.fullscreen === undefined && pick(ui, "fullscreen")),
    ...(root.theme === undefined && pick(ui, "theme")),
    ...(env["AURA_NOTIFY"] === undefined && pick(ui, "notify")),
  };
}

function pick<K extends keyof UiSettings>(ui: Partial<UiSettings>, name: K): Partial<Pick<UiSettings, K>> {
  return ui[name] === undefined ? {} : ({ [name]: ui[name] } as Pick<UiSettings, K>);
}

/** The interactive screen. It is painted, and takes keys, before the conversation is open. */
export async function runScreen(options: OpenOptions, edge: ProcessEdge, root: RootValues): Promise<number> {
  const place = screenPlace(root);
  edge.signals.release();
  let welcome: readonly string[] = [];
  let settings = (): TuiSettings => ({});
  let farewell: () => string | undefined = () => undefined;
  const tui = createTui({
    stdin: process.stdin,
    stdout: process.stdout,
    env: options.env,
    welcome: () => welcome,
    farewell: () => farewell(),
    settings: () => settings(),
    ...place,
  });
  tui.adopt(wishes(lookAhead(options), root, options.env));
  tui.open();
  // The engine is compiled behind the first frame, and behind the first key of who types at once.
  await new Promise((resolve) => setTimeout(resolve, FIRST_KEY_MS));
  const { inputHistoryFile, keysFile, openConversation } = await import("../../src/index.ts");
  const keys = keysFile(options);
  tui.read({ historyFile: inputHistoryFile(options), ...(keys !== undefined && { keysFile: keys }) });
  const opened = await openConversation({ ...options, setUp: true, canAsk: true, statusCommand: true });
  if (opened.kind === "refused") {
    tui.abandon();
    throw new ExpectedStop(opened.problem, 1);
  }
  const { conversation } = opened;
  welcome = [...opened.notes, ...(await opened.greeting())];
  settings = () => wishes(opened.ui(), root, options.env);
  tui.adopt(settings());
  farewell = () => (opened.isSaved() ? `Go on with: aura --resume ${conversation.id}` : undefined);
  const running = tui.run(conversation);
  if (opened.picksSession) conversation.send({ type: "command", line: "/resume" });
  const { exitCode } = await running.finally(() => conversation.close());
  return opened.wantsDemo() ? (await import("./demo.ts")).runDemo(options, edge, root) : exitCode;
}
