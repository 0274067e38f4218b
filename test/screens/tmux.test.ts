import { execFileSync, spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleTui } from "../helpers/bundle-tui.ts";
import { openPty, type PtyScreen } from "../helpers/pty.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const socket = `aura-test-${process.pid}`;
let bundle: { folder: string; program: string };

beforeAll(async () => {
  bundle = await bundleTui();
});
afterAll(async () => {
  spawnSync("tmux", ["-L", socket, "kill-server"]);
  await rm(bundle.folder, { recursive: true, force: true });
});

function openTmux(session: string, env: Record<string, string>): PtyScreen {
  const command = `'${process.execPath}' '${bundle.program}'`;
  const set = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const start = ["new-session", "-s", session, ...set, command, ";", "set", "status", "off"];
  return openPty("tmux", ["-L", socket, "-f", "/dev/null", ...start], { columns: 80, rows: 24 });
}

/** Scrollback and window as tmux keeps them, with wrapped lines joined. */
function history(session: string): string {
  return execFileSync("tmux", ["-L", socket, "capture-pane", "-t", session, "-p", "-J", "-S", "-"], {
    encoding: "utf8",
  });
}

const box = (columns: number) => `╭${"─".repeat(columns - 2)}╮`;

test.skipIf(!hasTmux)("in tmux a reply scrolls into its history whole, and sizes change without a trace", async () => {
  const screen = openTmux("inline", { STREAM: "300,1,one" });
  await screen.shows("high • scripted");
  screen.type("stream\r");
  await screen.until((grid) => grid.includes("END-OF-STREAM") && !grid.includes("writing"));
  const words = history("inline").replace(/\s+/g, " ");
  for (let index = 0; index < 50; index++)
    expect(words.match(new RegExp(`(?<!\\d)${index} The quick brown fox`, "g")), `sentence ${index}`).toHaveLength(1);
  for (const [columns, rows] of [
    [20, 5],
    [300, 100],
    [40, 12],
    [120, 8],
    [80, 24],
  ] as const) {
    screen.resize(columns, rows);
    await screen.until((grid) => {
      const tops = grid.split("\n").filter((row) => row.startsWith("╭"));
      return tops.join() === box(columns) && grid.includes("│ Type your");
    });
  }
  screen.type("\x04");
  await screen.exit;
});

test.skipIf(!hasTmux)("in tmux the whole window scrolls by keys", async () => {
  const screen = openTmux("fullscreen", { FULLSCREEN: "mouse" });
  await screen.shows("high • scripted");
  screen.type("many\r");
  await screen.shows("Paragraph 399 of many.");
  screen.type("\x1b[5~");
  await screen.until((grid) => grid.includes("↓ more below") && !grid.includes("Paragraph 399"));
  screen.resize(50, 15);
  await screen.until((grid) => grid.includes(box(50)) && grid.includes("↓ more below"));
  screen.type("\x1b[F");
  await screen.shows("Paragraph 399 of many.");
  screen.type("\x04");
  await screen.exit;
});
