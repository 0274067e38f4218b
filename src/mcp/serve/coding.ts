import { resolve } from "node:path";
import type { Tool } from "../../toolkit/tool.ts";
import { adaptTool, rootedIn } from "./adapt-tool.ts";
import { CODING_SCHEMAS } from "./coding-schemas.ts";
import { editFile } from "./edit-file.ts";
import { PERMISSION_MODES, withPermission } from "./permission-mode.ts";
import { readArguments } from "./read-arguments.ts";
import { createRules, withRules } from "./rules.ts";
import type { Absent, ServedServer, ServedTool, ServeHost } from "./served-server.ts";

/** Files, search, bash, web and language servers, as Aether's server of that name offers them (other-systems 1.8). */
export function codingServer(args: readonly string[], _input: unknown, host: ServeHost): ServedServer {
  const { options } = readArguments("coding", args, {
    "--root-dir": "value",
    "--rules-dir": "list",
    "--permission-mode": PERMISSION_MODES,
    "--disable-lsp": "flag",
  });
  const root = options["--root-dir"] === undefined ? undefined : resolve(host.cwd, options["--root-dir"]);
  const rulesDirs = options["--rules-dir"].map((dir) => resolve(host.cwd, dir));
  const rules = rulesDirs.length === 0 ? undefined : createRules(rulesDirs, root ?? host.cwd, host);
  const mode = options["--permission-mode"] ?? "always-allow";
  const parts = [...CODING_PARTS, ...(options["--disable-lsp"] ? [] : LSP_PARTS)];
  return {
    name: "coding",
    tools() {
      const { present, absent } = gather(parts, host, root);
      return {
        present: present.map((served) => withPermission(mode, withRules(rules, served))),
        absent,
      };
    },
  };
}

/** The tools of language servers in a server of their own. */
export function lspServer(args: readonly string[], _input: unknown, host: ServeHost): ServedServer {
  const { options } = readArguments("lsp", args, { "--root-dir": "value" });
  const root = options["--root-dir"] === undefined ? undefined : resolve(host.cwd, options["--root-dir"]);
  return { name: "lsp", tools: () => gather(LSP_PARTS, host, root) };
}

/** One tool of a server: what it is called there, what it stands on here, and how. */
interface Part {
  readonly name: string;
  readonly needs: readonly string[];
  make(bases: readonly Tool[], rooted: (path?: string) => string, root: string | undefined): ServedTool;
}

function gather(parts: readonly Part[], host: ServeHost, root: string | undefined) {
  const present: ServedTool[] = [];
  const absent: Absent[] = [];
  const inRoot = rootedIn(root);
  const rooted = (path = ".") => inRoot(path);
  for (const { name, needs, make } of parts) {
    const bases = needs.map((need) => host.find(need));
    const missing = needs.filter((_, index) => bases[index] === undefined);
    if (missing.length > 0)
      absent.push({ name, reason: `needs the tool ${missing.join(" and ")}, which is not there` });
    else present.push(make(bases as Tool[], rooted, root));
  }
  return { present, absent };
}

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Leaves out what is undefined, as optional parameters want it. */
function given(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** Lines that `read_file` shows when nobody says how many. */
const LINES_READ = 2000;

const CODING_PARTS: readonly Part[] = [
  {
    name: "read_file",
    needs: ["Read"],
    make: ([read], rooted) =>
      adaptTool(read!, {
        ...CODING_SCHEMAS.read_file,
        readOnly: true,
        toOurs({ filePath, offset, limit }) {
          const from = number(offset) ?? 1;
          const partly = offset !== undefined || limit !== undefined;
          return {
            path: rooted(text(filePath)),
            ...(partly && { line_start: from, line_end: from + (number(limit) ?? LINES_READ) - 1 }),
          };
        },
      }),
  },
  {
    name: "write_file",
    needs: ["Write"],
    make: ([write], rooted) =>
      adaptTool(write!, {
        ...CODING_SCHEMAS.write_file,
        toOurs: ({ filePath, content }) => ({ path: rooted(text(filePath)), content }),
      }),
  },
  { name: "edit_file", needs: ["Patch", "Write"], make: ([patch, write], rooted) => editFile(patch!, write!, rooted) },
  {
    name: "list_files",
    needs: ["Ls"],
    make: ([ls], rooted) =>
      adaptTool(ls!, {
        ...CODING_SCHEMAS.list_files,
        readOnly: true,
        toOurs: ({ path }) => ({ path: rooted(text(path)) }),
        reword: (listing, { includeHidden }) => (includeHidden ? listing : withoutHidden(listing)),
      }),
  },
  {
    name: "grep",
    needs: ["Rg"],
    make: ([rg], rooted) =>
      adaptTool(rg!, {
        ...CODING_SCHEMAS.grep,
        readOnly: true,
        toOurs: (input) =>
          given({
            pattern: input["pattern"],
            path: rooted(text(input["path"])),
            glob: input["glob"],
            type: input["type"],
            ignore_case: input["caseInsensitive"],
            line_numbers: input["lineNumbers"],
            context: input["contextAround"],
            before: input["contextBefore"],
            after: input["contextAfter"],
            most: input["headLimit"],
            multiline: input["multiline"],
            files_only: input["outputMode"] === "filesWithMatches" ? true : undefined,
            count: input["outputMode"] === "count" ? true : undefined,
          }),
      }),
  },
  {
    name: "find",
    needs: ["Glob"],
    make: ([glob], rooted) =>
      adaptTool(glob!, {
        ...CODING_SCHEMAS.find,
        readOnly: true,
        toOurs: ({ pattern, path }) => ({ pattern, path: rooted(text(path)) }),
      }),
  },
  {
    name: "bash",
    needs: ["Bash"],
    make: ([bash], _rooted, root) =>
      adaptTool(bash!, {
        ...CODING_SCHEMAS.bash,
        toOurs({ command, timeout, runInBackground }) {
          if (runInBackground === true)
            return given({ command, workdir: root, timeout_ms: number(timeout), run_in_background: true });
          return given({ command, workdir: root, timeout_ms: number(timeout) ?? 120_000 });
        },
      }),
  },
  later("read_background_bash", "ReadBackgroundBash"),
  later("web_fetch", "WebFetch", true),
  later("web_search", "WebSearch", true),
];

const LSP_PARTS: readonly Part[] = [
  later("lsp_symbol", "LspSymbol", true),
  later("lsp_workspace_search", "LspWorkspaceSearch", true),
  later("lsp_document", "LspDocument", true),
  later("lsp_check_errors", "Diagnostics", true),
  later("lsp_rename", "LspRename"),
];

/** A tool of ours that another part of the product brings, offered with its own parameters as soon as it is there. */
function later(name: string, needed: string, readOnly?: true): Part {
  return {
    name,
    needs: [needed],
    make: ([base]) =>
      adaptTool(base!, {
        name,
        description: base!.description,
        input: base!.input,
        toOurs: (input) => input,
        ...(readOnly && { readOnly }),
      }),
  };
}

function withoutHidden(listing: string): string {
  const shown = listing.split("\n").filter((line) => !line.startsWith("."));
  return shown.length === 0 ? "Nothing but hidden entries; includeHidden shows them" : shown.join("\n");
}
