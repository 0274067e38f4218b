import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { expandVariables } from "../config/expand.ts";
import type { GateCall } from "../loop/turn.ts";
import type { Machine } from "../sandbox/confine.ts";
import { firstOutside, type Outside } from "../sandbox/path-guard.ts";
import type { Probe, Probed } from "../sandbox/probe.ts";
import { LIMITS, type Wish } from "../sandbox/sandbox.ts";
import type { ExecOptions, Shell } from "../shell/shell.ts";
import { isInside } from "../system/paths.ts";
import type { Engine } from "./engine.ts";
import { ourFolders } from "./read-command.ts";
import type { TrialEnvironment } from "./trial-environment.ts";

/** What calls of a conversation may reach: what was asked for, and what of it this machine enforces. */
export class Sandbox {
  readonly #engine: Engine;
  #probe: Promise<Probe> | undefined;
  #enforced: Probed<Machine> | undefined;
  #git: Promise<TrialEnvironment> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** What this machine can do; loaded and found out when it is first asked for. */
  probe(): Promise<Probe> {
    const { above, options } = this.#engine;
    if (above) return above.engine.sandbox.probe();
    this.#probe ??= import("../sandbox/probe.ts").then(({ createProbe }) =>
      createProbe(options.commandEnv ?? options.env, this.controlFolders),
    );
    return this.#probe;
  }

  /** Where trials keep what they made until it is decided on. */
  get controlFolders(): string {
    return join(this.#engine.folders.state, "trials");
  }

  gitSettings(): Promise<TrialEnvironment> {
    const { options, above } = this.#engine;
    if (above) return above.engine.sandbox.gitSettings();
    this.#git ??= import("./trial-environment.ts").then(({ withGitSettings }) =>
      withGitSettings(options.commandEnv ?? options.env),
    );
    return this.#git;
  }

  /** Undefined while it is off. An agent set to work is held to what holds for whoever set it to work. */
  wish(): Wish | undefined {
    const { above, state, settings } = this.#engine;
    const given = above?.engine.sandbox.wish();
    if (given) return given;
    return (state.sandbox ?? settings.features.sandbox.enabled) ? this.#ownWish() : undefined;
  }

  get status(): "none" | "requested" | "enforced" {
    if (!this.wish()) return "none";
    return this.#known?.found ? "enforced" : "requested";
  }

  /** Finds out what enforces it, when it is on. */
  async settle(): Promise<void> {
    if (this.wish() && !this.#known) this.#enforced = await (await this.probe()).confinement();
  }

  /** It is on and nothing here enforces it for commands. Call `settle` before. */
  get isHelpless(): boolean {
    return this.wish() !== undefined && this.#known?.found === undefined;
  }

  /** A shell whose commands are confined, as long as the sandbox is on and can be enforced. */
  around(shell: Shell): Shell {
    return {
      exec: async (script, options) => {
        await this.settle();
        const wish = this.wish();
        const machine = this.#known?.found;
        if (!wish || !machine || options.inside) return shell.exec(script, options);
        return shell.exec(script, { ...options, ...(await this.#inside(machine, wish, options)) });
      },
    };
  }

  /** A path a call declares but may not touch. */
  outside({ reads, writes }: GateCall): Outside | undefined {
    const wish = this.wish();
    if (!wish) return undefined;
    const kept = this.#engine.services.outputFolder();
    return firstOutside(
      { reads, writes },
      { ...wish, readOnly: [...wish.readOnly, ...(kept === undefined ? [] : [kept])] },
    );
  }

  /** In a few words. Call `settle` before. */
  get brief(): string {
    if (!this.wish()) return "off";
    const known = this.#known;
    if (known?.found) return `on, enforced by ${known.found.mechanism}`;
    return `on, not enforced on commands (${known?.failed.join("; ") ?? "not tried yet"})`;
  }

  /** For people: what was asked for, what is enforced and by what. */
  async describe(): Promise<string> {
    await this.settle();
    const wish = this.wish();
    if (!wish) {
      const { found, failed } = await (await this.probe()).confinement();
      return [
        "Sandbox: off. An approved command can do what you can.",
        found
          ? `This machine could confine commands by ${found.mechanism}: /sandbox on`
          : `Nothing here can confine commands (${failed.join("; ")}).`,
      ].join("\n");
    }
    const known = this.#known;
    const by = known?.found;
    const list = (label: string, paths: readonly string[]) =>
      paths.length === 0 ? [] : [`${label}:`, ...paths.map((path) => `  ${path}`)];
    return [
      by
        ? `Sandbox: on, enforced on commands by ${by.mechanism}, on file tools by their paths.`
        : "Sandbox: on, but nothing here enforces it on commands: each of them is asked about. File tools are held to their paths.",
      ...(by ? LIMITS[by.mechanism].map((limit) => `  but ${limit}`) : (known?.failed ?? []).map((why) => `  ${why}`)),
      ...list("Read and write", wish.readWrite),
      ...list("Read only", [
        ...wish.readOnly,
        ...wish.guarded.filter((path) => wish.readWrite.some((folder) => path.startsWith(`${folder}/`))),
      ]),
      `Network of commands: ${wish.network === "none" ? "closed" : "open"}`,
      "MCP servers run outside of it.",
    ].join("\n");
  }

  get #known(): Probed<Machine> | undefined {
    return this.#engine.above ? this.#engine.above.engine.sandbox.#known : this.#enforced;
  }

  async #inside(machine: Machine, wish: Wish, exec: ExecOptions): Promise<Pick<ExecOptions, "inside" | "env">> {
    const { options } = this.#engine;
    const path = (options.commandEnv ?? options.env)["PATH"];
    const { confine } = await import("../sandbox/confine.ts");
    // The person's own files are out of sight, git's settings among them.
    const git = Object.entries((await this.gitSettings()).env).filter(([name]) => name.startsWith("GIT_CONFIG_"));
    return {
      env: { ...Object.fromEntries(git), ...exec.env },
      inside: (program) => confine(machine, wish, program, path),
    };
  }

  /** With nothing declared, this folder may be read and written; what is declared replaces that. */
  #ownWish(): Wish {
    const { settings, cwd, options, folders } = this.#engine;
    const { restrictions, extra, network } = settings.features.sandbox;
    const absolute = (path: string) =>
      real(resolve(cwd, expandVariables(path, options.env).replace(/^~(?=$|\/)/, folders.user)));
    const declared = restrictions.ro.length + restrictions.rw.length > 0;
    const readWrite = [...(declared ? restrictions.rw : [cwd]), ...extra.rw].map(absolute);
    return {
      readOnly: [...restrictions.ro, ...extra.ro].map(absolute),
      readWrite,
      network,
      // Only what could be written is named: naming is also what makes a path visible.
      guarded: [...new Set([...ourFolders(this.#engine).map(real), ...readWrite.flatMap(runByOthers)])].filter((path) =>
        readWrite.some((folder) => isInside(folder, path)),
      ),
      home: real(folders.user),
    };
  }
}

/** What is in a folder that programs outside of any sandbox run or go by. */
const runByOthers = (folder: string) => [".aura", ".git/hooks", ".git/config"].map((name) => join(folder, name));

/** Where a path leads; as written when there is nothing yet. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
