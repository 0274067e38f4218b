/** The reply both screens stream, and how its cost is told. */
import { writeFileSync } from "node:fs";

export const CHUNKS = 2_000;
const CHUNK_CHARS = 20;
const SENTENCE = "The quick brown fox jumps over the lazy dog while rain keeps falling on the old slate roof. ";

/** Plain paragraphs of three sentences; the last words are `END-OF-STREAM`. */
export function chunkAt(index: number): string {
  return text.slice(index * CHUNK_CHARS, (index + 1) * CHUNK_CHARS);
}

const end = "\n\nEND-OF-STREAM";
const body = Array.from({ length: 500 }, (_, at) => `${at} ${SENTENCE}${at % 3 === 2 ? "\n\n" : ""}`).join("");
const text = body.slice(0, CHUNKS * CHUNK_CHARS - end.length) + end;

/** Begins to count; the function it returns writes processor time and memory to the file `REPORT` names. */
export function reportCost(more: () => Record<string, number> = () => ({})): () => void {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    const report = { cpuMs: (user + system) / 1_000, rss: process.memoryUsage.rss(), ...more() };
    writeFileSync(process.env["REPORT"] ?? "", JSON.stringify(report));
  };
}
