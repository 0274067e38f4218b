/**
 * How a script gets into bash so that nothing of it runs when its syntax is wrong anywhere.
 *
 * Bash reads a script one complete command at a time and runs it before it reads on, so a mistake in line 9 shows after
 * lines 1 to 8 ran. A single line is one such unit and safe as it is: no cost. Before anything longer we put, on the
 * first line, a subshell that reads the whole text under `set -n` (read, do not run) and leaves when that fails. A fork
 * costs a tenth of the second process `bash -n` would need. Sharing the first line keeps line numbers; `-c` keeps
 * `$0`, `$@` and bash's trick of not forking for the last command.
 */

export interface BashInvocation {
  readonly args: readonly string[];
  /** Text for file descriptor 3. */
  readonly extraInput?: string;
  /** Whether bash itself stops before running anything when the syntax is wrong. */
  readonly checked: boolean;
}

const QUIET_START = ["--norc", "--noprofile"];
/** The kernel takes 128 KiB in one argument, including the check. */
const LONGEST_ARGUMENT = 128 * 1024 - 1024;

/** The arguments that run `script`. */
export function invokeScript(script: string): BashInvocation {
  if (Buffer.byteLength(script) > LONGEST_ARGUMENT)
    // The redirection belongs to `eval`, so the text is read before it closes the descriptor for the script.
    return { args: [...QUIET_START, "-c", 'eval "$(cat <&3)" 3<&-'], extraInput: script, checked: false };
  const text = script.trimEnd().includes("\n") ? withCheck(script) : script;
  return { args: [...QUIET_START, "-c", text], checked: true };
}

/** The arguments with which bash only reads `script` and reports what is wrong with it. */
export function invokeCheck(script: string): BashInvocation {
  const options = [...(usesExtglob(script) ? ["-O", "extglob"] : []), "-n"];
  if (Buffer.byteLength(script) <= LONGEST_ARGUMENT)
    return { args: [...QUIET_START, ...options, "-c", script], checked: true };
  const again = ["exec", '"$BASH"', ...QUIET_START, ...options, "<&3", "3<&-"].join(" ");
  return { args: [...QUIET_START, "-c", again], extraInput: script, checked: true };
}

/**
 * Can bash have refused to read the script? Then its code is 2, or it complained: for mistakes inside `[[ ]]` bash 5.2
 * prints a complaint and still exits with 0.
 */
export function mayBeUnread(code: number, stdout: string, stderr: string): boolean {
  return stdout === "" && (code === 2 || COMPLAINT.test(stderr));
}

/** What bash has against the script, without its own name in front; undefined when it only warned. */
export function syntaxProblem(code: number, stderr: string): string | undefined {
  if (code === 0 && !COMPLAINT.test(stderr)) return undefined;
  const lines = stderr
    .trim()
    .split("\n")
    .filter((line) => !line.includes(": warning: "));
  return lines.map((line) => line.replace(/^\S*bash: (?:-c: )?/, "")).join("\n") || "bash cannot read the script";
}

/** How every message of bash's parser goes on after the line number; the environment pins its language. */
const COMPLAINT = /: (unexpected|conditional|syntax) /;

function withCheck(script: string): string {
  const extglob = usesExtglob(script) ? "shopt -s extglob;" : "";
  // The length is part of the text it measures: room for it is kept by padding.
  const check = (length: string) =>
    `! [[ $(${extglob}eval $'set -n\\n'"\${BASH_EXECUTION_STRING:${length}}" 2>&1)` +
    " =~ :\\ (unexpected|conditional|syntax)\\  ]]||exit 2;";
  const length = String(check("000").length).padStart(3, " ");
  return check(length) + script;
}

/** The option changes what is correct, and a script may turn it on half way. */
function usesExtglob(script: string): boolean {
  return script.includes("extglob");
}
