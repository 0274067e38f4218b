import { relative } from "node:path";
import { unifiedDiff } from "../text/diff.ts";
import { decodeText, detectEncoding } from "../text/text-encoding.ts";
import { defineTool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import { type Operation, PatchProblem, parsePatch } from "../workspace/patch-parse.ts";
import { type PatchPlan, type PlannedOperation, planPatch } from "../workspace/patch-plan.ts";
import { FileProblem } from "../workspace/project-files.ts";
import { refuseUnread } from "../workspace/read-before.ts";

export const patch = defineTool({
  name: "Patch",
  description: "Adds, updates, moves and deletes files: every operation of the patch, or none.",
  usage: `*** Begin Patch
*** Add File: new.ts
+every line of it
*** Update File: old.ts
*** Move to: optional/new/name.ts
@@ a line above the change, such as its function
 unchanged line
-old line
+new line
*** Delete File: gone.ts
*** End Patch
Old and unchanged lines must be as in the file; 2 or 3 around a change suffice. Several @@ lines narrow the place. Lines only added need a line above them, or *** End of File below to append. Read a file before you update it.`,
  input: {
    type: "object",
    properties: { patch: { type: "string", minLength: 1 } },
    required: ["patch"],
  },

  async pre({ patch }, access) {
    try {
      return refuseUnread(access.reads, await touchedBy(parsePatch(patch), access));
    } catch (error) {
      // What cannot be read as a patch or a path will not get better by asking a person first.
      if (error instanceof PatchProblem || error instanceof FileProblem) return error.message;
      throw error;
    }
  },
  changes: "files",

  async run({ patch }, access) {
    const operations = parsePatch(patch);
    const plan = await access.files.exclusively(async () => {
      const plan = await planPatch(operations, access.files, access.cwd);
      // An approval may have been open for long, and an editor too.
      const refusal = refuseUnread(access.reads, plan.touched);
      if (refusal) throw new Error(refusal);
      await access.files.apply(plan.changes);
      record(plan, access);
      return plan;
    });
    const lines = plan.operations.map(({ sign, path, from }) => `${sign} ${from ? `${from} -> ` : ""}${path}`);
    return { text: ["Success. Updated files:", ...lines].join("\n"), diff: await diffOf(plan.operations, access.cwd) };
  },

  async post({ patch }, access) {
    for (const path of keptPaths(parsePatch(patch))) {
      const file = await access.files.realPath(await access.files.resolve(path, access.cwd));
      if (!(await access.files.stat(file))) continue;
      const bytes = await access.files.read(file);
      if (access.reads.objection(file, bytes, "write", [])) access.reads.sawFile(file, bytes);
    }
  },

  paths({ patch }) {
    return { write: parseOrNothing(patch).flatMap((operation) => [operation.path, ...targetOf(operation)]) };
  },

  async preview({ patch }, { files, cwd }) {
    const { operations } = await planPatch(parsePatch(patch), files, cwd);
    const names = operations.map((operation) => nameIn(cwd, operation.path));
    return { title: `Patch ${[...new Set(names)].join(", ")}`, diff: await diffOf(operations, cwd) };
  },
});

/** A patch that cannot be read is refused by `pre`, which says why. */
function parseOrNothing(patch: string): readonly Operation[] {
  try {
    return parsePatch(patch);
  } catch {
    return [];
  }
}

/**
 * The existing files the patch changes. When it does not fit them, each is only asked whether it is as it was read: a
 * patch most often does not fit because the file changed. Or a call before this one will make it fit, so that is for
 * `run` to say.
 */
async function touchedBy(operations: readonly Operation[], { files, cwd }: ToolAccess): Promise<PatchPlan["touched"]> {
  try {
    return (await planPatch(operations, files, cwd)).touched;
  } catch {
    const touched: PatchPlan["touched"][number][] = [];
    for (const operation of operations) {
      const path = await files.realPath(await files.resolve(operation.path, cwd));
      if ((await files.stat(path))?.kind !== "file" || touched.some((known) => known.path === path)) continue;
      const act = operation.kind === "delete" ? "delete" : "write";
      touched.push({ path, bytes: await files.read(path), act, lines: [] });
    }
    return touched;
  }
}

function record({ written, removed }: PatchPlan, { reads }: ToolAccess) {
  for (const { path, bytes, origins, from } of written) {
    if (origins) reads.edited(path, bytes, origins, from);
    else reads.sawFile(path, bytes);
  }
  for (const path of removed) reads.forget(path);
}

const targetOf = (operation: Operation) =>
  operation.kind === "update" && operation.moveTo !== undefined ? [operation.moveTo] : [];

/** The paths that hold a file after the patch. */
function keptPaths(operations: readonly Operation[]): string[] {
  const kept = operations.filter((operation) => operation.kind !== "delete");
  return kept.map((operation) => targetOf(operation)[0] ?? operation.path);
}

async function diffOf(operations: readonly PlannedOperation[], cwd: string): Promise<string> {
  const diffs: string[] = [];
  for (const { before, after, path, from = path } of operations) {
    const sides = { before: before && textOf(before), after: after && textOf(after) };
    diffs.push(await unifiedDiff({ ...sides, from: nameIn(cwd, from), to: nameIn(cwd, path) }));
  }
  return diffs.join("");
}

const textOf = (bytes: Uint8Array) => decodeText(bytes, detectEncoding(bytes));

function nameIn(cwd: string, path: string): string {
  const name = relative(cwd, path);
  return name.startsWith("..") ? path : name;
}
