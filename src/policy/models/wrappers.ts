import { type Model, root, stays } from "./model.ts";

/** Programs that run the command their arguments are. */
export const wrappers: readonly Model[] = [
  {
    names: "time",
    flags: "-pv --portability --verbose",
    values: { text: "-f --format", write: "-o --output" },
    operands: ["command"],
  },
  {
    names: "timeout gtimeout",
    flags: "-v --foreground --preserve-status --verbose",
    values: { text: "-ks --kill-after --signal" },
    operands: ["text", "command"],
  },
  { names: "nice", values: { text: "-n --adjustment" }, numbers: true, operands: ["command"] },
  { names: "ionice", flags: "-t --ignore", values: { text: "-cn --class --classdata" }, operands: ["command"] },
  { names: "nohup", operands: ["command"] },
  { names: "stdbuf", values: { text: "-ioe --input --output --error" }, operands: ["command"] },
  { names: "setsid", flags: "-cw --ctty --wait", operands: ["command"], effects: [stays] },
  { names: "xargs", reader: "xargs" },
  {
    names: "sudo",
    flags: "-nEHSkbi --non-interactive --preserve-env --set-home --stdin",
    values: { text: "-ugpCD --user --group" },
    operands: ["command"],
    effects: [root],
  },
  { names: "doas", flags: "-n", values: { text: "-u" }, operands: ["command"], effects: [root] },
  {
    names: "su runuser",
    flags: "-l --login -",
    values: { text: "-sgG --shell", shell: "-c --command" },
    operands: ["text"],
    effects: [root],
  },
  { names: "strace ltrace", flags: "-fcqtTvy", values: { text: "-eps", write: "-o" }, operands: ["command"] },
  { names: "chroot", values: { text: "--userspec --groups" }, operands: ["read", "command"], effects: [root] },
  {
    names: "flock",
    flags: "-enosux --exclusive --nonblock --shared --unlock",
    values: { text: "-wE --wait", shell: "-c --command" },
    operands: ["write", "command"],
  },
  { names: "watch", flags: "-bcdegtx", values: { text: "-n --interval" }, operands: ["command"], effects: [stays] },
  { names: "unbuffer caffeinate", flags: "-p", operands: ["command"] },
  { names: "busybox toybox", operands: ["command"] },
  {
    names: "parallel",
    operands: ["command"],
    effects: [{ kind: "unknown", concern: "it makes commands of its input" }],
  },
];
