import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

/** Import downwards only. Neighbours on one floor are strangers. */
const FLOORS = [
  ["src/protocol", "src/text", "src/system"],
  ["src/config"],
  ["src/providers", "src/policy", "src/context", "src/sandbox", "src/shell", "src/workspace", "src/sessions"],
  ["src/toolkit"],
  ["src/loop", "src/commands", "src/tools", "src/mcp", "src/extensions"],
  ["src/engine"],
  ["src/index.ts"],
  ["ui/view"],
  ["ui/tui", "ui/simple", "ui/headless", "ui/web", "ui/acp"],
  ["ui/cli"],
  ["ui/main.ts"],
];
/** Introductions by name: the shell asks the sandbox. */
const INTRODUCED = new Set(["src/shell > src/sandbox"]);
const FRONT_ENDS = ["ui/view", "ui/tui", "ui/simple", "ui/headless", "ui/web", "ui/acp"];
const FRONT_ENDS_MAY_USE = ["src/protocol", "src/text", "ui/view"];
const ONLY_IN_TUI = ["ink", "react"];

const root = resolve(import.meta.dirname, "..");
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));
const roomOf = (file: string) =>
  FLOORS.flat().find((room) => file === room || file.startsWith(`${room}/`)) ?? "nowhere";

function complaint(file: string, specifier: string): string | undefined {
  const from = roomOf(file);
  if (!specifier.startsWith("."))
    return ONLY_IN_TUI.includes(specifier) && from !== "ui/tui" ? `${file} imports ${specifier}` : undefined;
  const to = roomOf(relative(root, resolve(root, dirname(file), specifier)));
  if (from === to || INTRODUCED.has(`${from} > ${to}`)) return undefined;
  if (FRONT_ENDS.includes(from) && !FRONT_ENDS_MAY_USE.includes(to)) return `${file}: a front end may not import ${to}`;
  return floorOf(to) < floorOf(from) && to !== "nowhere" ? undefined : `${file}: ${from} may not import ${to}`;
}

function sources(...tops: readonly string[]): { file: string; text: string }[] {
  return tops.flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => ({ file: join(top, file), text: readFileSync(join(root, top, file), "utf8") })),
  );
}

test("every import goes downstairs", () => {
  const complaints = sources("src", "ui").flatMap(({ file, text }) =>
    [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((match) => complaint(file, match[1]!)),
  );
  expect(complaints.filter(Boolean)).toEqual([]);
});

test("the rule names a planted violation", () => {
  expect(complaint("src/policy/judge.ts", "../context/history.ts")).toBe(
    "src/policy/judge.ts: src/policy may not import src/context",
  );
  expect(complaint("ui/headless/headless.ts", "../../src/engine/open-conversation.ts")).toBe(
    "ui/headless/headless.ts: a front end may not import src/engine",
  );
  expect(complaint("src/loop/run-turns.ts", "react")).toBe("src/loop/run-turns.ts imports react");
});

test("the engine never prints and never exits", () => {
  const offenders = sources("src")
    .filter(({ text }) => /\bconsole\.|process\.(stdout|stderr)\b|process\.exit\(/.test(text))
    .map(({ file }) => file);
  expect(offenders).toEqual([]);
});

test("no tool touches the file system module", () => {
  const offenders = sources("src/tools")
    .filter(({ text }) => /from "node:fs/.test(text))
    .map(({ file }) => file);
  expect(offenders).toEqual([]);
});
