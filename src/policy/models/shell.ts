import { type Model, secrets, shellState, stops } from "./model.ts";

/** What is built into the shell, or is a word of it that takes a command. */
export const shell: readonly Model[] = [
  { names: "echo", literal: true, operands: ["text"] },
  { names: "printf", reader: "printf" },
  { names: "true false :", literal: true, operands: ["text"] },
  { names: "test [", reader: "test" },
  { names: "exit return break continue shift", operands: ["text"] },
  { names: "cd", reader: "cd" },
  { names: "type", flags: "-afptP", operands: ["text"] },
  { names: "which", flags: "-as --all", operands: ["text"] },
  { names: "whereis", flags: "-bms", operands: ["text"] },
  { names: "set", reader: "set" },
  { names: "export declare local readonly typeset", reader: "declare" },
  { names: "unset", flags: "-v", operands: ["variable"] },
  { names: "read", reader: "read" },
  { names: "sleep", operands: ["text"] },
  { names: "wait", flags: "-f", operands: ["text"] },
  { names: "jobs", flags: "-lnprs", operands: ["text"] },
  { names: "times umask", flags: "-Sp" },
  { names: "command", reader: "command" },
  { names: "builtin", operands: ["command"] },
  { names: "eval", operands: ["shell"] },
  { names: "trap", operands: ["shell"], effects: [shellState] },
  { names: "exec", flags: "-cl", values: { text: "-a" }, operands: ["command"], effects: [shellState] },
  { names: "source .", operands: ["script"], effects: [shellState] },
  {
    names:
      "alias unalias hash enable shopt bind complete compgen compopt pushd popd dirs let getopts mapfile readarray caller fc history ulimit suspend logout disown help",
    literal: true,
    operands: ["text"],
    effects: [shellState],
  },
  { names: "kill pkill killall", literal: true, operands: ["process"], effects: [stops] },
  { names: "bg fg", operands: ["text"], effects: [stops] },
  {
    names: "sh bash dash ash rbash",
    flags: "-eux --norc --noprofile --posix",
    values: { shell: "-c", text: "-o" },
    operands: ["script", "text"],
    replaceFirst: "-c",
    bare: { kind: "execute", concern: "it runs what it is given as input" },
  },
  {
    // Languages of their own: in zsh `=ls` and `*(e:ls:)` mean more.
    names: "zsh ksh fish",
    literal: true,
    operands: ["text"],
    effects: [{ kind: "execute", concern: "it runs what another shell reads" }],
  },
  { names: "env", reader: "env" },
  { names: "printenv", operands: ["text"], effects: [secrets] },
];
