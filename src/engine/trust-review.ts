import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { maskSecrets } from "../system/secrets.ts";
import { unifiedDiff } from "../text/diff.ts";
import { type ExecutableEntry, hashOf, idOf } from "./executable-entries.ts";
import { type ProjectFacts, projectEntries, waitingEntries } from "./project-entries.ts";
import { real } from "./resolve-config.ts";

/** What a person is shown before they trust a project, and how to. */
export interface TrustReview {
  /** Every entry that is not accepted as it is now, and every script of its tools. */
  readonly waiting: readonly ReviewedEntry[];
  /** Those that are accepted already. */
  readonly accepted: readonly ExecutableEntry[];
  /** Homes that would be trusted: what is not run of them counts fully too. */
  readonly homes: readonly string[];
  readonly isEmpty: boolean;
  /** Of what waits: another one when any of it is another. */
  readonly stamp: { readonly project: string; readonly hash: string };
  /** Call on a yes, given to what is shown here. Returns what is trusted now. */
  accept(): Promise<readonly string[]>;
}

export interface ReviewedEntry {
  /** `MCP server github (.aura/config/mcp/servers.yaml:3)`. */
  readonly title: string;
  readonly text: string;
  /** Since it was accepted; absent for what is new. */
  readonly diff?: string;
}

export async function reviewTrust(facts: ProjectFacts): Promise<TrustReview> {
  const { options, trusted } = facts;
  const { trust, untrusted, dirTools } = trusted;
  const project = await real(options.cwd);
  const all = await projectEntries(facts);
  const waiting = await waitingEntries(facts);
  const tools = dirTools?.untrusted ?? { lines: [], files: [] };
  const review = async (entry: ExecutableEntry): Promise<ReviewedEntry> =>
    reviewed(titleOf(entry, options.cwd), shown(entry), await trust.acceptedText(project, idOf(entry)));
  // Without a home the folder itself is trusted: a home that a pull brings later is not.
  const isBare = untrusted.length === 0 && !(await knows(facts, project));
  const homes = untrusted.length > 0 ? untrusted : isBare && waiting.length > 0 ? [project] : [];
  return {
    waiting: [...(await Promise.all(waiting.map(review))), ...(await reviewTools(tools, facts))],
    accepted: all.filter((entry) => !waiting.includes(entry)),
    homes,
    stamp: {
      project,
      hash: hashOf({ kind: "policy", text: [...waiting.map(hashOf), ...tools.lines].join("\n") }),
    },
    isEmpty: waiting.length + homes.length + tools.files.length === 0,
    async accept() {
      for (const home of homes) await trust.trustHome(await real(home));
      if (all.length > 0)
        await trust.accept(
          project,
          all.map((entry) => ({ id: idOf(entry), hash: hashOf(entry), text: shown(entry) })),
        );
      for (const file of tools.files) await trust.vouchFor(file);
      return [...homes, ...tools.files, ...(homes.length + tools.files.length === 0 ? waiting.map(idOf) : [])];
    },
  };
}

async function knows({ trusted }: ProjectFacts, project: string): Promise<boolean> {
  return [project, join(project, ".aura"), join(project, ".aether")].some(
    (folder) => existsSync(folder) && trusted.trust.trusts(folder),
  );
}

async function reviewTools(
  { lines, files }: { readonly lines: readonly string[]; readonly files: readonly string[] },
  { options, trusted }: ProjectFacts,
): Promise<ReviewedEntry[]> {
  const { readFile } = await import("node:fs/promises");
  const scripts = files.map(async (file) => {
    const text = await readFile(file, "utf8").catch(() => "");
    return reviewed(`file ${near(file, options.cwd)}`, text, await trusted.trust.vouchedText(file));
  });
  const what = lines.map((line): ReviewedEntry => ({ title: "tool", text: line }));
  return [...what, ...(await Promise.all(scripts))];
}

async function reviewed(title: string, text: string, before: string | undefined): Promise<ReviewedEntry> {
  if (before === undefined || before === text) return { title, text };
  return {
    title: `${title}, changed`,
    text,
    diff: await unifiedDiff({ from: "accepted", to: "now", before, after: text }),
  };
}

const shown = ({ text }: ExecutableEntry): string => maskSecrets(text);

function titleOf({ kind, name, file, line }: ExecutableEntry, cwd: string): string {
  const place = file === undefined ? "" : ` (${near(file, cwd)}${line === undefined ? "" : `:${line}`})`;
  return kind === "approvals" ? `approvals${place}` : `${kind} ${name}${place}`;
}

function near(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path.startsWith("..") ? file : path;
}
