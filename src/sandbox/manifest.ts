import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a trial left, as the launcher wrote it down. Paths begin with a slash and are relative to the workspace. */
export interface Manifest {
  readonly entries: readonly ManifestEntry[];
  /** What it left outside the workspace, absolute; gone by now. */
  readonly left: readonly string[];
  /** It tried to reach something by network, and could not. */
  readonly network: boolean;
  /** More changed than is shown. */
  readonly tooMuch: boolean;
}

export type ManifestEntry =
  /** New or opened for writing; `links`: how many names it has. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly mode: number;
      readonly bytes: string;
      readonly links: number;
      /** When its content was changed last, in seconds since 1970. */
      readonly at: number;
    }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  /** New, or something in it changed. */
  | { readonly kind: "folder"; readonly path: string; readonly mode: number }
  | { readonly kind: "gone"; readonly path: string; readonly was: "file" | "folder" | "link" | "other" }
  | { readonly kind: "trouble"; readonly path: string; readonly why: string };

/** Undefined when the launcher did not get that far. */
export async function readManifest(control: string): Promise<Manifest | undefined> {
  const text = await readFile(join(control, "manifest")).catch(() => undefined);
  if (text === undefined) return undefined;
  const entries: ManifestEntry[] = [];
  const left: string[] = [];
  let network = false;
  let tooMuch = false;
  for (const record of text.toString().split("\0\0").slice(0, -1)) {
    const [kind, path = "", a = "", b = "", c = "", d = ""] = record.split("\0");
    if (kind === "left") left.push(path);
    else if (kind === "network") network = true;
    else if (kind === "much") tooMuch = true;
    else if (kind === "file" && b === "unreadable") entries.push({ kind: "trouble", path, why: "cannot be read" });
    else if (kind === "file")
      entries.push({
        ...{ kind, path, mode: Number.parseInt(a, 8), bytes: join(control, "out", b) },
        ...{ links: Number(c), at: Number(d) },
      });
    else if (kind === "link") entries.push({ kind, path, target: a });
    else if (kind === "folder") entries.push({ kind, path, mode: Number.parseInt(a, 8) });
    else if (kind === "gone") entries.push({ kind, path, was: KINDS[a] ?? "other" });
    else if (kind === "trouble") entries.push({ kind, path, why: a });
  }
  return { entries, left, network, tooMuch };
}

const KINDS: Readonly<Record<string, "file" | "folder" | "link">> = { f: "file", d: "folder", l: "link" };
