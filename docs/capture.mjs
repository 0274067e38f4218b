// Draws the pictures of this folder anew: `npm run pictures`. The product plays its own demo in a pseudo-terminal, only
// the model's words are scripted; what its screen shows is saved cell by cell.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPty } from "../test/helpers/pty.ts";
import { gridToSvg } from "./grid-to-svg.mjs";

const COLUMNS = 100;
const ROWS = 32;
const WAIT_MS = 60_000;

const docs = fileURLToPath(new URL(".", import.meta.url));
const product = join(docs, "../bin/aura");
const home = mkdtempSync(join(tmpdir(), "aura-pictures-"));
const project = join(home, "splitbill");
const open = new Set();

try {
  await captureDemo(start(["demo"], home));
  cpSync(join(docs, "../.aura/demo/project"), project, { recursive: true });
  await capturePager(start(["--home", "", "--script", join(docs, "pager.yaml")], project));
} finally {
  for (const screen of open) screen.kill("SIGKILL");
  await Promise.all([...open].map((screen) => screen.exit));
  rmSync(home, { recursive: true, force: true });
}
process.exit();

function start(args, cwd) {
  const env = { HOME: home, COLORTERM: "truecolor", LANG: "C.UTF-8" };
  const screen = openPty(process.execPath, [product, ...args], { columns: COLUMNS, rows: ROWS, cwd, env });
  open.add(screen);
  return screen;
}

async function captureDemo(screen) {
  await screen.shows("Confirm Bash", WAIT_MS);
  await settled(screen);
  screen.type("s");
  await screen.shows("Confirm Patch", WAIT_MS);
  await picture(screen, "approval", "An approval with its diff");
  screen.type("a");
  const ended = () => screen.rows().join("\n").includes("Enjoy!");
  while (!ended()) {
    await screen.until((grid) => /Confirm |Enjoy!/.test(grid), WAIT_MS);
    await settled(screen);
    if (!ended()) screen.type("a");
  }
  await picture(screen, "main", "Aura at the end of its demo");
  screen.type("/tools debug\r");
  await screen.shows("Tools (", WAIT_MS);
  await picture(screen, "tools-debug", "/tools debug: which tools the model has, and why");
}

async function capturePager(screen) {
  await screen.shows("Type your message", WAIT_MS);
  await settled(screen);
  screen.type("How is a bill split?\r");
  await screen.shows("shows the file whole", WAIT_MS);
  await settled(screen);
  screen.type("\x0f");
  await screen.shows("esc/q", WAIT_MS);
  await picture(screen, "pager", "Ctrl+O: the whole output of the newest call");
}

async function picture(screen, name, title) {
  await settled(screen);
  writeFileSync(join(docs, `${name}.svg`), gridToSvg(screen.grid(), COLUMNS, title));
  process.stdout.write(`${name}.svg\n`);
}

/** Waits until nothing moves on the screen; a dialog takes keys only when it has been there. */
async function settled(screen) {
  let before = "";
  for (let same = 0; same < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    const now = screen.rows().join("\n");
    same = now === before ? same + 1 : 0;
    before = now;
  }
}
