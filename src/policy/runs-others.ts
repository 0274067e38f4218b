/**
 * Programs whose arguments say what else to run. An approval of such a program by name would approve everything, so
 * no prefix rule covers them unless the rule itself spells what is run.
 */

/** Run the command that their arguments are, after options and assignments. */
const WRAPPERS = setOf(`
  command builtin exec env sudo doas su runuser nohup time timeout nice ionice setsid stdbuf chroot chrt taskset xargs
  parallel watch strace ltrace unbuffer flock busybox toybox caffeinate ssh script entr systemd-run nsenter unshare
  proot fakeroot firejail bwrap prlimit numactl rlwrap valgrind npx bunx uvx pipx dbus-run-session
`);

/** Run the command that their arguments are when the next word is one of these. */
const RUNNING_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  npm: ["exec", "x"],
  pnpm: ["exec", "dlx"],
  yarn: ["exec", "dlx"],
  bun: ["x"],
  uv: ["run"],
  poetry: ["run"],
  pipenv: ["run"],
  bundle: ["exec"],
  docker: ["run", "exec"],
  podman: ["run", "exec"],
  kubectl: ["exec", "run"],
  mise: ["exec", "x"],
  direnv: ["exec"],
  nix: ["run", "shell", "develop"],
};

/** Take program text as an argument: all of it is code. */
const EVALUATORS = setOf("eval source . trap awk gawk mawk nawk sed");

export const SHELLS = setOf("sh bash zsh dash ksh mksh fish ash rbash");

/** Take code after these options; without a script they read it from standard input. */
const INTERPRETERS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    [...SHELLS].map((shell) => [shell, /^[-+][A-Za-z]*[cso]|^--(rcfile|init-file|init-command|command)/]),
  ),
  python: /^-[A-Za-z]*[cm]/,
  node: /^-[ep]|^-pe|^--(eval|print|require|import|loader|experimental-loader)|^-r/,
  deno: /^eval$/,
  bun: /^-[ep]|^--(eval|print|preload)|^-r/,
  tsx: /^-[ep]|^--(eval|print|require|import)|^-r/,
  ruby: /^-[A-Za-z]*[er]/,
  perl: /^-[A-Za-z0]*[eEnpMmI]/,
  php: /^-[rBREda]|^--(run|process|define)/,
  lua: /^-[el]/,
  rscript: /^-e/i,
  osascript: /^-e/,
  tclsh: /^-/,
};

const VIM = ["-c", "--cmd", "-S", "-s"];

/** Options that name a program to run, a file to write or another folder to work in, of otherwise plain programs. */
const EXECUTING_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  find: ["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprintf", "-fls"],
  fd: ["-x", "-X", "--exec", "--exec-batch"],
  rg: ["--pre", "--hostname-bin"],
  git: [
    ...["-c", "--config-env", "--exec-path", "--upload-pack", "--receive-pack", "--exec", "-x", "--extcmd"],
    ...["--open-files-in-pager", "-O", "--ext-diff", "--textconv", "--template", "--output"],
  ],
  tar: ["--to-command", "--checkpoint-action", "--use-compress-program", "-I", "--rsh-command", "--rmt-command", "-F"],
  rsync: ["-e", "--rsh", "--rsync-path"],
  sort: ["--compress-program", "-o", "--output"],
  zip: ["-TT", "--unzip-command"],
  man: ["-P", "--pager", "-H"],
  go: ["-exec", "-toolexec", "-vettool", "-C"],
  cargo: ["--config", "--manifest-path", "-C"],
  npm: ["--script-shell", "--node-options", "--prefix", "-C"],
  pnpm: ["--script-shell", "--dir", "--prefix", "-C"],
  yarn: ["--cwd"],
  vim: VIM,
  vi: VIM,
  curl: ["-K", "--config"],
  scp: ["-S", "-o"],
  make: ["--eval", "-E", "-f", "--file", "--makefile", "-C", "--directory"],
  gcc: ["-wrapper", "-specs"],
};

/** Sub-commands of git that run what follows. */
const GIT_RUNNERS = setOf("bisect submodule filter-branch difftool mergetool");

/**
 * The index of the word that says what else the command runs, the innermost one when wrappers stand in each other;
 * undefined when the command runs only itself, as far as this table knows.
 */
export function whatItRuns(words: readonly string[]): number | undefined {
  let inner = firstInner(words);
  for (let depth = 0; inner !== undefined && inner < words.length; depth++) {
    if (depth === MAX_DEPTH) return words.length;
    const rest = words.slice(inner);
    const next = firstInner(rest);
    if (next === undefined) return inner;
    inner += next;
  }
  return inner;
}

/** True when the words after the name are themselves a command, perhaps after options. */
export const isWrapper = (words: readonly string[]): boolean =>
  WRAPPERS.has(baseName(words[0] ?? "")) || isRunningSubcommand(words);

export const isEvaluator = (name: string): boolean => EVALUATORS.has(name);

/** Where a wrapped command may begin: after any mix of options, their possible values and assignments. */
export function innerStarts(words: readonly string[]): readonly number[] {
  const starts: number[] = [];
  let afterOption = false;
  for (let at = isRunningSubcommand(words) ? 2 : 1; at < words.length; at++) {
    const word = words[at]!;
    const isOption = word.startsWith("-") || word.startsWith("+") || /^\w+=/.test(word) || /^\d/.test(word);
    if (!isOption) starts.push(at);
    if (!isOption && !afterOption && !TAKES_OPERAND.has(baseName(words[0]!))) break;
    // One operand of its own (a host, a lock file, an image), then the command.
    if (!isOption && starts.length > 4) break;
    afterOption = isOption;
  }
  return starts;
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The interpreter's entry in the table: `python3.12` is `python`. */
export const interpreterOf = (name: string): string | undefined => {
  const plain =
    baseName(name)
      .toLowerCase()
      .replace(/[\d.]+$/, "") || name;
  const known = plain === "pypy" ? "python" : plain === "nodejs" ? "node" : plain;
  return Object.hasOwn(INTERPRETERS, known) ? known : undefined;
};

/** Wrappers in wrappers; deeper ones are not read. */
const MAX_DEPTH = 10;

const TAKES_OPERAND = setOf(
  "ssh su runuser flock chroot docker podman kubectl taskset nsenter direnv script entr timeout",
);

const isRunningSubcommand = (words: readonly string[]): boolean =>
  listOf(RUNNING_SUBCOMMANDS, baseName(words[0] ?? "")).includes(words[1] ?? "");

function firstInner(words: readonly string[]): number | undefined {
  const name = baseName(words[0] ?? "");
  if (isWrapper(words)) return innerStarts(words).at(-1) ?? words.length;
  if (EVALUATORS.has(name)) return words.length - 1;
  const interpreter = interpreterOf(name);
  if (interpreter) return codeOf(INTERPRETERS[interpreter]!, words);
  if (name === "git" && words.some((word) => GIT_RUNNERS.has(word))) return words.length - 1;
  const options = listOf(EXECUTING_OPTIONS, name);
  const at = words.findIndex((word, index) => index > 0 && options.some((option) => isOption(option, word)));
  return at < 0 ? undefined : at + 1;
}

/** Where the code of an interpreter stands: after its option, or nowhere when it reads a script file. */
function codeOf(option: RegExp, words: readonly string[]): number | undefined {
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (option.test(word)) return at + 1;
    if (word === "-") return words.length;
    if (!word.startsWith("-")) return undefined;
  }
  return words.length;
}

/** Short options may be written together (`-ix`), long ones shortened (`--ex`), and each hold its value. */
function isOption(option: string, word: string): boolean {
  if (option.startsWith("--")) {
    const name = word.split("=", 1)[0]!;
    return name.length > 2 && option.startsWith(name);
  }
  if (/^-[A-Za-z]$/.test(option)) return /^-[A-Za-z]*/.exec(word)?.[0].includes(option[1]!) ?? false;
  return [option, `-${option}`].some((name) => word === name || word.startsWith(`${name}=`));
}

const listOf = (table: Readonly<Record<string, readonly string[]>>, name: string): readonly string[] =>
  Object.hasOwn(table, name) ? table[name]! : [];

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.trim().split(/\s+/));
}
