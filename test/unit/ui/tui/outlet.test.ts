import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Outlet, type OutputStream } from "../../../../ui/tui/outlet.ts";
import { createTui } from "../../../../ui/tui/tui.tsx";
import { fakeConversation, idleStatus, opened } from "../../../helpers/fake-conversation.ts";

/** A terminal that takes bytes only when it is told to. */
class SlowTerminal implements OutputStream {
  columns = 80;
  rows = 24;
  taken = "";
  blocks = true;
  private waiting: { bytes: string; done: (() => void) | undefined }[] = [];
  private readonly drained = new Set<() => void>();
  readonly _handle = { setBlocking: (blocks: boolean) => (this.blocks = blocks) };

  get writableLength(): number {
    return this.waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
  write(bytes: string, done?: () => void): void {
    this.waiting.push({ bytes, done });
  }
  take(): void {
    for (const { bytes, done } of this.waiting.splice(0)) {
      this.taken += bytes;
      done?.();
    }
    for (const listener of this.drained) listener();
  }
  on(event: "resize" | "drain", listener: () => void): void {
    if (event === "drain") this.drained.add(listener);
  }
  off(event: "resize" | "drain", listener: () => void): void {
    if (event === "drain") this.drained.delete(listener);
  }
}

test("writing does not wait for the terminal, and a full one is behind until it has caught up", async () => {
  const terminal = new SlowTerminal();
  let drains = 0;
  const outlet = new Outlet(terminal, () => drains++);
  outlet.open();
  expect([terminal.blocks, outlet.isBehind]).toEqual([false, false]);
  outlet.write("x".repeat(20_000));
  expect(outlet.isBehind).toBe(true);
  const flushed = outlet.flushed();
  terminal.take();
  await flushed;
  expect([outlet.isBehind, drains]).toEqual([false, 1]);
  await outlet.close();
  expect(terminal.blocks).toBe(true);
});

test("a terminal that takes nothing gets no more frames, however much happens, and then the newest", async () => {
  const terminal = new SlowTerminal();
  const stdin = new PassThrough();
  const conversation = fakeConversation();
  conversation.play(opened(idleStatus));
  const tui = createTui({ stdin, stdout: terminal, env: { TERM: "xterm-256color" } });
  const running = tui.run(conversation);
  await settled();
  terminal.take();
  terminal.write("x".repeat(20_000));
  const before = terminal.writableLength;
  for (let at = 0; at < 2_000; at++) conversation.play({ type: "notice", level: "info", text: `notice ${at}` });
  for (let key = 0; key < 5; key++) {
    stdin.write("k");
    await settled();
  }
  // The window's title may still be told; frames are left out.
  expect(terminal.writableLength - before).toBeLessThan(200);
  terminal.take();
  await settled();
  terminal.take();
  expect(terminal.taken).toContain("notice 1999");
  expect(terminal.taken).toContain("kkkkk");
  conversation.play({ type: "exit-requested" });
  const finish = setInterval(() => terminal.take(), 1);
  await running;
  clearInterval(finish);
});

/** Longer than the screen keeps between two frames. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 60));
