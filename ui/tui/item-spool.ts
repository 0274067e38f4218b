/**
 * The items of a long conversation, on disk: a file without a name that the system removes with the process. Memory
 * holds two numbers and a word for each. Where no file can be made they stay in memory.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Item } from "../view/view-state.ts";

export class ItemSpool {
  private file: number | undefined;
  private end = 0;
  private starts: number[] = [];
  private kinds: Item["kind"][] = [];
  private inMemory: string[] = [];

  constructor() {
    try {
      const folder = mkdtempSync(join(tmpdir(), "aura-screen-"));
      this.file = openSync(join(folder, "items"), "wx+", 0o600);
      rmSync(folder, { recursive: true });
    } catch {
      // No room or no right to write there.
    }
  }

  get length(): number {
    return this.kinds.length;
  }

  add(items: readonly Item[]): void {
    if (items.length === 0) return;
    const texts = items.map((item) => JSON.stringify(item));
    if (this.file === undefined) this.inMemory.push(...texts);
    else {
      const chunks = texts.map((text) => Buffer.from(text));
      writeAll(this.file, Buffer.concat(chunks), this.end);
      for (const chunk of chunks) {
        this.starts.push(this.end);
        this.end += chunk.length;
      }
    }
    for (const item of items) this.kinds.push(item.kind);
  }

  kindAt(index: number): Item["kind"] | undefined {
    return this.kinds[index];
  }

  at(index: number): Item {
    if (this.file === undefined) return JSON.parse(this.inMemory[index] ?? "") as Item;
    const from = this.starts[index] ?? 0;
    const bytes = Buffer.alloc((this.starts[index + 1] ?? this.end) - from);
    readSync(this.file, bytes, 0, bytes.length, from);
    return JSON.parse(bytes.toString()) as Item;
  }

  clear(): void {
    this.end = 0;
    this.starts = [];
    this.kinds = [];
    this.inMemory = [];
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
    this.clear();
  }
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}
