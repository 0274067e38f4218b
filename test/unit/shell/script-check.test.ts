import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createHostShell, type HostShell } from "../../../src/shell/host-shell.ts";

let cwd: string;
let shell: HostShell;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "aura-check-"));
  shell = createHostShell({ env: { PATH: process.env["PATH"] } });
});
afterEach(() => rm(join(cwd, "trace"), { force: true }));
afterAll(async () => {
  await shell.close();
  await rm(cwd, { recursive: true });
});

const run = (script: string) =>
  shell.exec(script, { cwd, timeoutMs: 10_000, maxOutputBytes: 1_000_000, signal: new AbortController().signal });

/** Broken below its first line, and tempting: each leaves a trace when any of it runs. */
const BROKEN: Readonly<Record<string, string>> = {
  "an unclosed double quote": 'echo "never closed',
  "an unclosed single quote": "echo 'never closed",
  "an unclosed substitution": "echo $(date",
  "an unclosed backquote": "echo `date",
  "an unclosed expansion": "echo ${HOME",
  "a stray closing brace": "}\necho after",
  "closing more braces than were opened": "f() { echo f; }; }\n{ echo g",
  "a stray fi": "fi",
  "a stray done after a good loop": "for i in 1 2; do echo $i; done\ndone",
  "a stray closing parenthesis": ")\n(echo after",
  "an if without fi": "if true; then\n  echo yes",
  "a case without esac": "case x in\n  x) echo x ;;",
  "an operator with nothing behind it": "true &&\n",
  "an operator with nothing before it": "&& true",
  "two semicolons": "true;; true",
  "a function without a body": "f()\n",
  "an array never closed": "a=(1 2",
  "a wrong redirection": "cat < > x",
  "a condition without its right side": "[[ a == ]]",
  "a condition without an operator": "[[ a b ]] && echo yes",
  "a condition with an open group": "[[ ( a ]]",
  "a group inside an array": "a=(1 (2))",
  "a mistake after a here-document": "cat <<EOF\nif (\nEOF\nif (",
  "set +n before the mistake": "set +n\nset +o noexec\nfoo(",
  "an exit before the mistake": "exit 0\nfoo(",
  "carriage returns after keywords": "if true; then\r\n  echo x\r\nfi\r\n",
};

/** Right, though they look odd; each must run as `bash -c` runs it. */
const SOUND: Readonly<Record<string, string>> = {
  "a comment at the end": "echo a\necho b # it's (fine",
  "only a comment": "# nothing\n# at all",
  "blank lines around": "\n\n  echo a  \n\n",
  "a first line that is a comment": "# it's\necho a",
  "a first line that continues": "echo a \\\n  b \\\n  c",
  "a first line that opens a loop": "for i in 1 2 3\ndo\n  echo $i\ndone",
  "a first line that opens a quote": "echo 'a\nb\nc' \"d\ne\"",
  "a here-document with a quoted end": "cat <<'EOF'\n$HOME `x` \"\nEOF\necho $?",
  "a here-document on the first line": "cat <<A; cat <<B\none\nA\ntwo\nB\necho three",
  "positional parameters and the name": 'echo "$0" "$#" "$@"\nset -- x y\necho "$#"',
  "its own line numbers": "echo $LINENO\n\necho $LINENO\nno-such-thing",
  "an exit code from the last line": "true\n(exit 42)",
  "exit in the middle": "echo a\nexit 7\necho b",
  "set -e": "set -e\necho a\nfalse\necho b",
  "set -u": "set -u\necho a\necho $unset_variable\necho b",
  "a trap on exit": "trap 'echo bye $?' EXIT\necho hi\nexit 3",
  "a trap on errors": "trap 'echo failed $LINENO' ERR\ntrue\nfalse\n",
  "status at the start": "echo $?\necho $PIPESTATUS",
  "a function and recursion": "f() {\n  [ $1 -gt 0 ] && f $(($1 - 1))\n  echo $1\n}\nf 3",
  "extglob turned on half way": "shopt -s extglob\necho !(x)\n[[ abc == @(abc|d) ]] && echo yes",
  "process substitution": "diff <(echo a) <(echo b)\necho $?",
  "arithmetic and arrays": "a=(1 2 3)\nfor ((i = 0; i < 3; i++)); do echo $((a[i])); done",
  "a subshell that fails": "(echo in; exit 4)\necho out $?",
  "exec of another program": "echo a\nexec echo b",
  "a child that reads standard input": "wc -c\necho a",
  "no variables left over": "compgen -v | grep -i check\ndeclare -F\necho $-\nshopt -p extglob",
  "a killed shell": "echo a\nkill -KILL $$",
};

describe("a script with a mistake anywhere runs nothing", () => {
  test.each(Object.entries(BROKEN))("%s", async (_, text) => {
    for (const script of [`touch trace\n${text}`, `touch trace; ${text}`, `touch trace\n\n${text}\n# end`]) {
      expect(bashReads(script)).toBe(false);
      expect(await run(script)).toMatchObject({ kind: "syntax-error" });
      expect(existsSync(join(cwd, "trace"))).toBe(false);
    }
  });

  test("the message names the line and what is wrong, without names of ours", async () => {
    expect(await run("echo a\necho b\nif (\n")).toEqual({
      kind: "syntax-error",
      message: "line 4: syntax error: unexpected end of file",
    });
  });

  test("a mistake behind 200 kB is found, too", async () => {
    const result = await run(`touch trace\nx=${"a".repeat(200_000)}\nfoo(`);
    expect(result).toMatchObject({ kind: "syntax-error", message: expect.stringContaining("line 3") });
    expect(existsSync(join(cwd, "trace"))).toBe(false);
  });

  test("a NUL is refused", async () => {
    expect(await run("echo a\0b")).toMatchObject({ kind: "syntax-error" });
  });
});

describe("a script without mistakes runs as bash -c runs it", () => {
  test.each(Object.entries(SOUND))("%s", async (_, script) => {
    const plain = spawnSync("bash", ["--norc", "--noprofile", "-c", script], {
      cwd,
      argv0: "bash",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], TERM: "dumb" },
    });
    expect(await run(script)).toEqual({
      kind: "exited",
      code: plain.status ?? 137,
      stdout: plain.stdout.toString(),
      stderr: plain.stderr.toString(),
      capped: false,
    });
  });

  test("200 kB of it", async () => {
    const script = `x=${"ä".repeat(100_000)}\nprintf %s "$x" | wc -c >&2\necho end\nexit 5`;
    expect(await run(script)).toEqual({ kind: "exited", code: 5, stdout: "end\n", stderr: "200000\n", capped: false });
  });
});

function bashReads(script: string): boolean {
  const { status, stderr } = spawnSync("bash", ["-n", "-c", script], { stdio: ["ignore", "ignore", "pipe"] });
  return status === 0 && stderr.length === 0;
}
