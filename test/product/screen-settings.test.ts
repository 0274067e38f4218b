import { afterEach, beforeEach, expect, test } from "vitest";
import { openPty, type PtyScreen } from "../helpers/pty.ts";
import { AURA, createMachine, type Machine, NODE } from "./aura.ts";

let machine: Machine;
let screen: PtyScreen | undefined;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => {
  screen?.kill("SIGKILL");
  machine.remove();
});

function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): PtyScreen {
  const script = machine.script([{ text: "One." }, { text: "Two." }]);
  const where = { columns: 80, rows: 24, cwd: machine.project, env: { ...machine.env, ...env } };
  screen = openPty(NODE, [AURA, ...script, ...args], where);
  return screen;
}

const features = (text: string) => ({ ".aura/config/features/mine.yaml": text });
test("the configuration chooses fullscreen, theme and silence; nothing of it is said twice", async () => {
  machine.put(features("ui: {fullscreen: true, mouse: false, theme: light, notify: false}\n"), machine.home);
  const tui = start();
  await tui.until(() => tui.raw().includes("\x1b[?1049h"));
  await tui.shows("scripted");
  expect(tui.raw()).not.toContain("\x1b[?1000h");
  tui.type("hello\r");
  await tui.shows("One.");
  expect(tui.raw()).not.toContain("\x1b]0;");
  tui.type("/exit\r");
  expect(await tui.exit).toMatchObject({ exitCode: 0 });
  expect(tui.raw().split("\x1b[?1049h").length).toBe(tui.raw().split("\x1b[?1049l").length);
});

test("what it says of colours and silence holds from the first frame", async () => {
  machine.put(features("ui:\n  theme: light # bright room\n  notify: false\n"), machine.home);
  const tui = start();
  await tui.shows("Type your message");
  await tui.shows("scripted");
  // Nobody asks for the background, and the title is not touched, not even for a moment.
  expect(tui.raw()).not.toContain("\x1b]11;?");
  expect(tui.raw()).not.toContain("\x1b[22;0t");
});

test("a change of it counts after /reload", async () => {
  machine.put(features("ui: {theme: dark, notify: false}\n"), machine.home);
  const tui = start();
  await tui.shows("scripted");
  const before = tui.raw().length;
  machine.put(features("ui: {theme: auto, notify: true, statusline: 'echo my own line'}\n"), machine.home);
  tui.type("/reload\r");
  await tui.until(() => /\x1b\]11;\?[\s\S]*\x1b\[22;0t|\x1b\[22;0t[\s\S]*\x1b\]11;\?/.test(tui.raw().slice(before)));
  await tui.shows("my own line");
  machine.put(features("ui: {theme: light, notify: false}\n"), machine.home);
  tui.type("/reload\r");
  await tui.until(() => tui.raw().slice(before).includes("\x1b[23;0t"));
  await tui.until((grid) => !grid.includes("my own line"));
});

test("flags and the environment win over it", async () => {
  machine.put(features("ui: {fullscreen: true, notify: false}\n"), machine.home);
  const tui = start([], { AURA_FULLSCREEN: "off", AURA_NOTIFY: "on", TERM: "xterm-256color" });
  await tui.shows("Type your message");
  tui.type("hello\r");
  await tui.shows("One.");
  expect(tui.raw()).not.toContain("\x1b[?1049h");
  expect(tui.raw()).toContain("\x1b]0;");
});

const STATUS = `ui:
  statusline: |
    read -r all
    echo >> "$HOME/runs"
    printf '\\033[31mrun %s\\033[2J %s\\nmore' $(grep -c '' "$HOME/runs") "\${all:0:12}"
`;

test("a command of the person's writes the status line, in colours, and rests while nothing changes", async () => {
  machine.put(features(STATUS), machine.home);
  const tui = start();
  await tui.shows('run 1 {"sessionId"');
  expect(tui.raw()).toContain("\x1b[31mrun 1");
  expect(tui.raw()).not.toContain("\x1b[2J");
  expect(tui.text()).not.toContain("more");
  tui.type("/verbose on\r");
  await tui.shows('run 2 {"sessionId"');
});

test("a project's command does not run until the project is trusted", async () => {
  machine.put({ ".aura/config/features/mine.yaml": STATUS });
  const tui = start();
  await tui.shows("Trust it?");
  tui.type("\x1b[B\x1b[B\r");
  await tui.shows("run 1 {");
});
