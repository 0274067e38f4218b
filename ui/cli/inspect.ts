import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  initHome as copySamples,
  type Inspection,
  inspect,
  listTrust,
  type OpenOptions,
  projectTrust,
  revokeTrust,
  SHOWN_KINDS,
  trustHome,
} from "../../src/index.ts";
import type { Outputs } from "../headless/writers.ts";
import type { Invocation } from "./arguments.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { ExpectedStop } from "./expected-stop.ts";

type Asked<C extends Invocation["command"]> = Extract<Invocation, { command: C }>;

/** Opens what there is to look at, without needing a model, and closes it again. */
export async function withInspection<T>(
  options: OpenOptions,
  look: (inspection: Inspection) => Promise<T>,
): Promise<T> {
  const opened = await inspect({ ...options, noop: options.script === undefined });
  if (opened.kind === "refused") throw new ExpectedStop(opened.problem, 1);
  try {
    return await look(opened.inspection);
  } finally {
    await opened.inspection.close();
  }
}

/** `--dry=render`. */
export function renderPrompt(options: OpenOptions, out: Outputs): Promise<number> {
  return withInspection(options, async (inspection) => {
    for (const [label, value] of inspection.summary) out.data(`${label}: ${value}\n`);
    for (const [name, value] of Object.entries(options.variables ?? {})) out.data(`set ${name}: ${value}\n`);
    out.data(`\n${await inspection.systemPrompt()}\n`);
    return 0;
  });
}

/** `--show` and `--print`. */
export function showResolved(options: OpenOptions, out: Outputs, how: "whole" | "summary"): Promise<number> {
  return withInspection(options, async (inspection) => {
    for (const [label, value] of inspection.summary) out.data(`${how === "whole" ? "# " : ""}${label}: ${value}\n`);
    if (how === "whole") out.data(await inspection.resolved());
    return 0;
  });
}

export function showEntity(
  { args, json, filters }: Asked<"show">,
  options: OpenOptions,
  out: Outputs,
): Promise<number> {
  const kinds = [...SHOWN_KINDS, "features", "rules"] as const;
  const [entity, name] = args;
  if (entity === undefined) {
    out.data(`${json ? JSON.stringify(kinds) : kinds.join("\n")}\n`);
    return Promise.resolve(0);
  }
  const kind = kinds.find((known) => known === entity.toLowerCase() || known === `${entity.toLowerCase()}s`);
  if (!kind) throw new ExpectedStop(`show: there is no "${entity}": use ${kinds.join(", ")}`);
  return withInspection(options, async (inspection) => {
    const shown = inspection.show(kind, { filters, ...(name !== undefined && { name }) });
    if (name !== undefined && shown.length === 0)
      throw new ExpectedStop(`show: no ${kind} entry is named "${name}"`, 1);
    if (json) out.data(`${JSON.stringify(shown, null, 2)}\n`);
    else if (name === undefined)
      for (const one of shown) out.data(`${one.name}  ${one.description}  (${place(one)})\n`);
    else {
      const { stringify } = await import("yaml");
      for (const one of shown)
        out.data(`# ${one.name} (${place(one)})\n${stringify(one.value)}${one.body ? `\n${one.body}\n` : ""}`);
    }
    return 0;
  });
}

const place = ({ from, line }: { from: string; line?: number }) => (line === undefined ? from : `${from}:${line}`);

export async function listModels(
  { json, filter, sortBy }: Asked<"models">,
  options: OpenOptions,
  out: Outputs,
): Promise<number> {
  return withInspection(options, async (inspection) => {
    const models = (await inspection.models())
      .filter(({ id }) => filter === undefined || id.toLowerCase().includes(filter.toLowerCase()))
      .toSorted((a, b) =>
        sortBy === "context"
          ? Number.parseInt(b.description ?? "0", 10) - Number.parseInt(a.description ?? "0", 10)
          : a.id < b.id
            ? -1
            : 1,
      );
    if (models.length === 0) out.talk("aura: no provider is configured, found or listing models\n");
    out.data(
      json
        ? `${JSON.stringify(models, null, 2)}\n`
        : models.map(({ id, description }) => `${id}${description ? `  ${description}` : ""}\n`).join(""),
    );
    return models.length === 0 ? 1 : 0;
  });
}

export async function countTokens(
  { texts, method, json }: Asked<"tokens">,
  options: OpenOptions,
  out: Outputs,
): Promise<number> {
  const input = texts.length > 0 ? texts.join(" ") : await readAll();
  const overrides = [
    ...(options.overrides ?? []),
    ...(method === undefined ? [] : [`features.estimation.method=${method}`]),
  ];
  return withInspection({ ...options, overrides }, async (inspection) => {
    const tokens = input.trim() === "" ? 0 : inspection.estimate(input);
    out.data(json ? `${JSON.stringify({ tokens })}\n` : `${tokens}\n`);
    return 0;
  });
}

async function readAll(): Promise<string> {
  if (process.stdin.isTTY) throw new ExpectedStop("tokens: pass a text, or pipe one to standard input");
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export function listSessions({ json, all }: Asked<"sessions">, options: OpenOptions, out: Outputs): Promise<number> {
  return withInspection(options, async (inspection) => {
    const { items, warnings } = inspection.sessions(all);
    for (const warning of warnings) out.talk(`aura: ${warning}\n`);
    if (json) out.data(`${JSON.stringify(items, null, 2)}\n`);
    else for (const { label, description } of items) out.data(`${label}  ${description ?? ""}`.trimEnd().concat("\n"));
    return 0;
  });
}

export async function initHome({ dir, json }: Asked<"init">, options: OpenOptions, out: Outputs): Promise<number> {
  const target = resolve(options.cwd, dir);
  const results = await copySamples(resolve(options.shipped, "init"), target);
  await trustHome(options, target);
  if (json) out.data(`${JSON.stringify(results, null, 2)}\n`);
  else for (const { file, status } of results) out.data(`${dir}/${file}${status === "skipped" ? " (skipped)" : ""}\n`);
  return 0;
}

/** `aura trust`: shows all that would run, with what changed since it was accepted, before it counts. */
export async function trust({ dir, what }: Asked<"trust">, options: OpenOptions, out: Outputs): Promise<number> {
  if (what === "list") {
    const lines = await listTrust(options);
    out.data(lines.length === 0 ? "Nothing is trusted.\n" : `${lines.join("\n")}\n`);
    return 0;
  }
  // The project is taken back with its .aura.
  if (what === "revoke") {
    const gone = await revokeTrust(options, resolve(options.cwd, dir ?? "."));
    out.data(
      gone.length === 0 ? "Nothing there was trusted.\n" : gone.map((path) => `No longer trusted: ${path}\n`).join(""),
    );
    return gone.length === 0 ? 1 : 0;
  }
  const home = resolve(options.cwd, dir ?? ".aura");
  if (!existsSync(home)) throw new ExpectedStop(`trust: no such directory: ${home}`);
  const project = await projectTrust(options);
  for (const { title, text, diff } of project.waiting) out.data(`${title}\n${indented(diff ?? text)}\n\n`);
  if (project.waiting.length > 0 && !(await isWanted())) {
    out.talk("aura: nothing was trusted\n");
    return 1;
  }
  for (const path of await project.accept(home)) out.data(`Trusted: ${path}\n`);
  for (const { title, text } of project.waiting)
    out.data(`Trusted until it changes: ${title === "tool" ? text : title}\n`);
  return 0;
}

const indented = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");

/** Somebody at a terminal is asked; a script that calls this command has said so by that. */
async function isWanted(): Promise<boolean> {
  return (await askYesNo("Trust all of this, until it changes?")) ?? true;
}
