/**
 * What processes that do not end seem to wait for, from `/proc` (proc(5)): sockets by `/proc/net/tcp`, the rest by the
 * kernel function they sleep in. A guess to help whoever started them, never a basis for decisions.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** One or two clauses, without a full stop; undefined when nothing can be told. */
export function whatTheyWaitFor(pids: readonly number[]): string | undefined {
  const seen = pids.flatMap(look);
  const parents = new Set(seen.map(({ parent }) => parent));
  // Whoever only waits for its own children is not what holds things up.
  const leaves = seen.filter(({ pid }) => !parents.has(pid));
  const sockets = leaves.length === 0 ? NO_SOCKETS : readSockets();
  const words = leaves.flatMap((one) => {
    const wait = waitOf(one, sockets);
    return wait === undefined ? [] : [`${one.name} ${wait}`];
  });
  return words.length === 0 ? undefined : [...new Set(words)].slice(0, 2).join("; ");
}

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly state: string;
  /** Kernel function it sleeps in; "" when the system does not say. */
  readonly sleepsIn: string;
  /** What its open files are: paths, `pipe:[…]`, `socket:[…]`. */
  readonly files: readonly string[];
}

function look(pid: number): Seen[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const close = stat.lastIndexOf(")");
    const [state = "", parent] = stat.slice(close + 2).split(" ");
    const name = stat.slice(stat.indexOf("(") + 1, close);
    return [{ pid, parent: Number(parent), name, state, sleepsIn: sleepsIn(pid), files: openFiles(pid) }];
  } catch {
    return []; // gone meanwhile, or a system without /proc
  }
}

function sleepsIn(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/wchan`, "latin1");
  } catch {
    return "";
  }
}

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** By inode: the port something listens at, or where something is connected to. */
interface Sockets {
  readonly listening: ReadonlyMap<string, number>;
  readonly connecting: ReadonlySet<string>;
  readonly connected: ReadonlySet<string>;
}

const NO_SOCKETS: Sockets = { listening: new Map(), connecting: new Set(), connected: new Set() };

/** Columns of proc_net_tcp(5): `local_address` (hex address and port), `st` (02 SYN_SENT, 01 ESTABLISHED, 0A LISTEN), `inode`. */
function readSockets(): Sockets {
  const listening = new Map<string, number>();
  const connecting = new Set<string>();
  const connected = new Set<string>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"])
    for (const line of linesOf(file)) {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state === "0A") listening.set(inode, Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16));
      if (state === "02") connecting.add(inode);
      if (state === "01") connected.add(inode);
    }
  return { listening, connecting, connected };
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "latin1").split("\n").slice(1);
  } catch {
    return [];
  }
}

/** Programs that draw a screen and wait for keys. */
const FULL_SCREEN =
  /^(n?vim?|view|vimdiff|nano|pico|emacs|micro|less|more|most|man|top|htop|btop|tmux|screen|mc|tig|fzf)$/;

function waitOf({ name, state, sleepsIn, files }: Seen, sockets: Sockets): string | undefined {
  if (FULL_SCREEN.test(name)) return "is a full-screen program that waits for keys, and nobody can press one";
  const inodes = files.flatMap((file) => /^socket:\[(\d+)\]$/.exec(file)?.[1] ?? []);
  const port = inodes.map((inode) => sockets.listening.get(inode)).find((found) => found !== undefined);
  if (port !== undefined) return `listens on port ${port} and does not end by itself`;
  if (inodes.some((inode) => sockets.connecting.has(inode))) return "tries to reach another machine";
  if (files.includes("anon_inode:inotify")) return "watches files and does not end by itself";
  if (state === "R") return "was still computing";
  if (state === "D") return "waits for the disk";
  if (state === "T" || state === "t") return "is stopped";
  if (inodes.some((inode) => sockets.connected.has(inode))) return "waits for another machine to answer";
  if (/nanosleep/.test(sleepsIn)) return "sleeps";
  if (/tty_read|wait_woken/.test(sleepsIn) && files.some((file) => /^\/dev\/(pts\/|tty)/.test(file)))
    return "waits for a key on a terminal";
  if (/pipe_read|fifo_open|wait_for_partner/.test(sleepsIn)) return "waits for input from a pipe";
  return undefined;
}
