type Arguments = Readonly<Record<string, unknown>>;

/** What scripts written for A3S call our tools (other-systems 5.10), with the arguments ours take. */
const ALIASES: Readonly<Record<string, { readonly tool: string; input?(given: Arguments): Arguments }>> = {
  read: { tool: "Read", input: readArguments },
  readfile: { tool: "Read", input: readArguments },
  grep: { tool: "Rg", input: searchArguments },
  search: { tool: "Rg", input: searchArguments },
  glob: { tool: "Glob", input: (given) => renamed(given, { query: "pattern" }) },
  ls: { tool: "Ls", input: (given) => renamed(given, {}) },
  bash: { tool: "Bash", input: (given) => renamed(given, { timeout: "timeout_ms" }) },
  write: { tool: "Write", input: (given) => renamed(given, {}) },
  edit: { tool: "Patch", input: editArguments },
  patch: { tool: "Patch" },
  web_fetch: { tool: "WebFetch" },
  webfetch: { tool: "WebFetch" },
  web_search: { tool: "WebSearch" },
  websearch: { tool: "WebSearch" },
  task: { tool: "Task" },
};

/** The tool a name in a script or in its `allowed_tools` means: an alias's, or the one of that very name. */
export function toolOf(name: string): string {
  return Object.hasOwn(ALIASES, name.toLowerCase()) ? ALIASES[name.toLowerCase()]!.tool : name;
}

/** A call as ours: only what was called by an alias has its arguments translated. */
export function callOf(name: string, given: Arguments): { readonly tool: string; readonly input: Arguments } {
  const tool = toolOf(name);
  const translate = tool === name ? undefined : ALIASES[name.toLowerCase()]?.input;
  return { tool, input: translate ? translate(given) : given };
}

const PATHS = { file_path: "path", filePath: "path" };

function renamed(given: Arguments, names: Readonly<Record<string, string>>): Arguments {
  const all: Readonly<Record<string, string>> = { ...PATHS, ...names };
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const name = Object.hasOwn(all, key) ? all[key]! : key;
      return [name in given ? key : name, value];
    }),
  );
}

function readArguments(given: Arguments): Arguments {
  const { offset, limit, ...rest } = renamed(given, {});
  const start = typeof offset === "number" ? offset : 1;
  return {
    ...rest,
    ...(offset !== undefined && { line_start: offset }),
    ...(typeof limit === "number" && { line_end: start + limit - 1 }),
  };
}

/** A mode is how A3S's one search tool is told apart; ours for contents is Rg. */
function searchArguments(given: Arguments): Arguments {
  const {
    mode: _,
    case_sensitive: sensitive,
    ...rest
  } = renamed(given, {
    query: "pattern",
    include: "glob",
    "-i": "ignore_case",
  });
  return { ...rest, ...(typeof sensitive === "boolean" && { ignore_case: !sensitive }) };
}

/** Whole lines replaced by others, as a patch. */
function editArguments(given: Arguments): Arguments {
  const {
    path,
    old_string: before,
    new_string: after,
    ...rest
  } = renamed(given, {
    oldString: "old_string",
    newString: "new_string",
  });
  if (typeof path !== "string" || typeof before !== "string" || typeof after !== "string") return given;
  const lines = (sign: string, text: string) =>
    text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => sign + line);
  const patch = [
    "*** Begin Patch",
    `*** Update File: ${path}`,
    "@@",
    ...lines("-", before),
    ...lines("+", after),
    "*** End Patch",
  ].join("\n");
  return { ...rest, patch };
}
